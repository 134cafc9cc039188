package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"pi/internal/console/tty"
	"pi/internal/keys"
	"pi/internal/run"
)

// Runner runs typed commands.
type Runner interface {
	// Run runs a command to its end, or until ctx is done; after that, closing force skips the grace period.
	Run(ctx context.Context, command string, live run.Live, force <-chan struct{}) run.Result
	// Cwd returns the directory of the next command.
	Cwd() string
}

// ShellOptions configure a [Shell]. Keyboard, Wake and Runner must not be nil.
type ShellOptions struct {
	Profile  Profile
	Keyboard Keyboard
	Wake     func() // interrupts a wait of the keyboard
	Runner   Runner
	History  *History
	Home     string        // shown as ~
	Escape   time.Duration // see keys.Options
	// Incomplete reports whether a text needs more lines. It may be nil.
	Incomplete func(string) bool
	// Keep saves the text of a result that is not shown in full; see [ToolOptions].
	Keep func(run.Result) (id string, err error)
	// Over reports whether a command has ended the session, and the status that pi exits with.
	Over func(run.Result) (status int, over bool)
}

// Shell is a prompt: commands are edited, run one after another, and shown. Create one with [NewShell]. Interrupt, Redraw
// and Resized may be called from any goroutine.
type Shell struct {
	screen Screen
	opt    ShellOptions
	typist *typist
	editor *editor
	resize chan struct{}
	intr   chan struct{}
	anew   atomic.Bool // the last frame is no longer in place
	last   run.Result
	cut    bool // the last result was not shown in full
	any    bool // there was a result
	status int
}

// NewShell creates a prompt on a terminal in raw mode.
func NewShell(s Screen, o ShellOptions) *Shell {
	if o.History == nil {
		o.History = &History{}
	}
	sh := &Shell{screen: crlf{s}, opt: o, resize: make(chan struct{}, 1), intr: make(chan struct{}, 1)}
	sh.typist = newTypist(o.Keyboard, o.Escape)
	sh.editor = newEditor(sh.screen, sh.typist, o.Profile, o.History, o.Incomplete)
	return sh
}

// Resized requests a redraw for another size.
func (s *Shell) Resized() {
	select {
	case s.resize <- struct{}{}:
	default:
	}
	s.opt.Wake()
}

// Interrupt has the effect of ctrl+c.
func (s *Shell) Interrupt() {
	select {
	case s.intr <- struct{}{}:
	default:
	}
	s.opt.Wake()
}

// Pause leaves the line being edited in place before the program is stopped.
func (s *Shell) Pause() { s.print("\n") }

// Resumed requests a redraw below what was printed in the meantime.
func (s *Shell) Resumed() {
	s.anew.Store(true)
	s.Resized()
}

// Run reads and runs commands until ctrl+d, `exit`, a hang-up, or the end of ctx. It returns the status to exit
// with.
func (s *Shell) Run(ctx context.Context) (status int, err error) {
	stop := context.AfterFunc(ctx, s.opt.Wake)
	defer stop()
	for {
		if ctx.Err() != nil { // the wake-up may have come after the wait
			return s.status, context.Cause(ctx)
		}
		line, err := s.read(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return s.status, nil
		case err != nil:
			return s.status, err
		case strings.TrimSpace(line) == "":
			continue
		}
		if err := s.opt.History.Add(line); err != nil {
			s.say(fmt.Sprintf("the history cannot be kept: %v", err))
			s.opt.History.path = "" // said once
		}
		if over := s.run(ctx, line); over {
			return s.status, nil
		}
	}
}

// read returns the next command.
func (s *Shell) read(ctx context.Context) (string, error) {
	s.begin()
	for {
		line, err := s.editor.read()
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, errInterrupt):
			s.status = 130
			s.begin()
		case errors.Is(err, errExpand):
			s.expand()
		case errors.Is(err, errWoken):
			if ctx.Err() != nil {
				s.editor.finish()
				return "", context.Cause(ctx)
			}
			select {
			case <-s.intr:
				s.editor.finish()
				s.status = 130
				s.begin()
			case <-s.resize:
			default:
			}
			if s.anew.Swap(false) {
				s.editor.region.forget()
			}
		default:
			return "", err
		}
	}
}

// begin starts a new line: the directory, and a sign that is red after a failed command.
func (s *Shell) begin() {
	p := s.opt.Profile
	cols, _ := s.screen.Size()
	dir := p.shorten(tilde(visible(s.opt.Runner.Cwd()), s.opt.Home), max(8, cols/2))
	sign := p.bold
	if s.status != 0 {
		sign = p.red
	}
	s.editor.begin(dir+" $ ", func(prompt string) string {
		if d, ok := strings.CutSuffix(prompt, " $ "); ok {
			return p.cyan(d) + " " + sign("$") + " "
		}
		return p.cyan(prompt)
	})
}

func tilde(dir, home string) string {
	if rest, ok := strings.CutPrefix(dir, home); ok && len(home) > 1 && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return dir
}

// shorten cuts the beginning of a path that is too wide.
func (p Profile) shorten(dir string, cols int) string {
	if width(dir) <= cols {
		return dir
	}
	parts := strings.Split(dir, "/")
	for i := 1; i < len(parts); i++ {
		if s := p.ellipsis() + "/" + strings.Join(parts[i:], "/"); width(s) <= cols || i == len(parts)-1 {
			return fit(s, cols, p.ellipsis())
		}
	}
	return fit(dir, cols, p.ellipsis())
}

// expand shows the full output of the last command.
func (s *Shell) expand() {
	if s.any && s.cut {
		cols, _ := s.screen.Size()
		text, _ := s.opt.bangResult(s.last, cols, true)
		s.cut = false
		s.print(s.opt.Profile.dim("$ "+fit(oneLine(visible(s.last.Details.Command)), cols-2, s.opt.Profile.ellipsis())) + "\n" + text)
	}
}

func oneLine(s string) string { return strings.NewReplacer("\n", " ", "\t", " ").Replace(s) }

func (s *Shell) print(text string) { _, _ = io.WriteString(s.screen, text) }

func (s *Shell) say(text string) {
	s.print(s.opt.Profile.caution() + " " + visible(text) + "\n")
}

// job is a running command.
type job struct {
	view   *bangView
	cancel context.CancelFunc
	force  chan struct{}
	times  int // how often it was cancelled
}

// stop cancels the command; the second call skips the grace period.
func (j *job) stop() {
	switch j.times++; j.times {
	case 1:
		j.cancel()
		j.view.set(func() { j.view.ending = true })
	case 2:
		close(j.force)
	}
}

// run runs and shows one command and reports whether it ended the session.
func (s *Shell) run(ctx context.Context, line string) (over bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	j := &job{view: newBangView(s.screen, s.opt.Profile, s.resize, time.Now()), cancel: cancel, force: make(chan struct{})}
	ended := make(chan run.Result, 1)
	go func() {
		ended <- s.opt.Runner.Run(ctx, line, run.Live{Update: j.view.update}, j.force)
		s.opt.Wake()
	}()
	j.view.start()
	r := s.wait(j, ended)
	j.view.stop()
	s.last, s.any = r, true
	s.status = r.ExitStatus()
	if r.Details.Status == run.Cancelled {
		s.status = 130
	}
	cols, _ := s.screen.Size()
	var text string
	text, s.cut = s.opt.bangResult(r, cols, j.view.expanded)
	s.print(text)
	if s.opt.Over != nil {
		if status, over := s.opt.Over(r); over {
			s.status = status
			return true
		}
	}
	return false
}

// wait handles keys while a command runs. Keys that the view does not use become type-ahead.
func (s *Shell) wait(j *job, ended <-chan run.Result) run.Result {
	gone := false
	for {
		select {
		case r := <-ended:
			return r
		case <-s.intr:
			j.stop()
		default:
		}
		if gone {
			return <-ended
		}
		ev, ok, err := s.typist.live()
		switch {
		case err != nil: // the terminal has hung up
			j.stop()
			gone = true
		case !ok:
		case ev.Kind == keys.Key && (ev.ID == "escape" || ev.ID == "ctrl+c"):
			j.stop()
		case ev.Kind == keys.Key && ev.ID == "ctrl+o":
			j.view.set(func() { j.view.expanded = !j.view.expanded })
		case ev.Kind == keys.Key || ev.Kind == keys.Text || ev.Kind == keys.Paste:
			s.typist.later(ev)
		}
	}
}

// crlf replaces newlines by CR LF, as a raw terminal needs.
type crlf struct{ Screen }

func (c crlf) Write(p []byte) (int, error) {
	s := strings.ReplaceAll(strings.ReplaceAll(string(p), "\r\n", "\n"), "\n", "\r\n")
	if _, err := io.WriteString(c.Screen, s); err != nil {
		return 0, err
	}
	return len(p), nil
}

// PromptMode is the terminal mode of a [Shell]: bracketed paste.
var PromptMode = tty.Mode{Raw: true, Ask: "\x1b[?2004h", Undo: "\x1b[?2004l"}
