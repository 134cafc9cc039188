package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"pi/internal/pty"
	"pi/internal/shell"
	"pi/internal/vt"
)

// Forms of the text that a run in a pseudo-terminal returns.
const (
	PTYTranscript = "transcript" // the final content of the main screen: progress bars in their last state, no full-screen programs
	PTYStream     = "stream"     // everything that was printed; carriage returns end lines
)

// PTY requests a run in a pseudo-terminal. The zero value is a terminal of the default size, with nobody watching and its
// input at the end.
type PTY struct {
	Cols, Rows int    // 0: 120×40; clamped to 20…400 and 5…200
	ColorTerm  string // COLORTERM for the command; empty: none
	Text       string // PTYTranscript or PTYStream; empty: the configured one

	// Attended says that a person watches the terminal and types: the unattended environment is not set, and there is no
	// timeout unless the request names one.
	Attended bool

	// Terminal gives access to the screen and the input while the command runs; nil: nobody needs it. It serves one run at
	// a time.
	Terminal *Terminal
	// Ready is called once, when the Terminal accepts input and before the command starts. May be nil.
	Ready func()
	// Output receives the raw output in order, from one goroutine; p is valid during the call. It must not block for long.
	// May be nil.
	Output func(p []byte)

	// Scrollback is the number of rows kept after they scroll off the screen.
	Scrollback int
	// Foreground and Background are the colours reported to a command that queries them.
	Foreground, Background vt.Color
}

// Terminal is the screen and the input of a run in a pseudo-terminal. Create one with [NewTerminal]. Its methods may be
// called from several goroutines. Write, Resize and Kill return the errors of [pty.Session].
type Terminal struct {
	session *pty.Session

	mu      sync.Mutex
	screen  *vt.Terminal // nil before the first run
	changed chan struct{}
}

// NewTerminal returns a terminal for a future run.
func NewTerminal() *Terminal {
	return &Terminal{session: pty.New(), changed: make(chan struct{}, 1)}
}

// Write sends p as input, after all earlier input. It never blocks.
func (t *Terminal) Write(p []byte) error { return t.session.Write(p) }

// Feed sends the content of r as input, as fast as the command reads it, followed by the end of input.
func (t *Terminal) Feed(r io.Reader) error { return t.session.Feed(r) }

// CloseInput sends the end of input.
func (t *Terminal) CloseInput() error { return t.session.CloseInput() }

// Kill starts to terminate the command's whole tree; the run is cancelled.
func (t *Terminal) Kill() error { return t.session.Kill() }

// Resize changes the size of the window and of the screen.
func (t *Terminal) Resize(cols, rows int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.session.Resize(cols, rows); err != nil {
		return err
	}
	if t.screen != nil {
		t.screen.Resize(t.session.Size())
	}
	t.notify()
	return nil
}

// View calls look with the screen, which does not change during the call; the command's output waits meanwhile. View does
// nothing before the first run. The screen of the last run stays available.
func (t *Terminal) View(look func(screen *vt.Terminal)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.screen != nil {
		look(t.screen)
	}
}

// Changed returns a channel that receives a value when the screen may have changed since the last one.
func (t *Terminal) Changed() <-chan struct{} { return t.changed }

func (t *Terminal) notify() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// reset creates a new screen of the window's size.
func (t *Terminal) reset(o vt.Options) {
	t.mu.Lock()
	defer t.mu.Unlock()
	o.Cols, o.Rows = t.session.Size()
	t.screen = vt.New(o)
	t.notify()
}

// print writes output to the screen. Replies to terminal queries go through the input queue, so that this never waits for
// the command to read them.
func (t *Terminal) print(p []byte) {
	t.mu.Lock()
	t.screen.Write(p)
	answers := t.screen.Replies()
	t.mu.Unlock()
	if len(answers) > 0 {
		t.session.Reply(answers)
	}
	t.notify()
}

// transcript collects the text of a run in a pseudo-terminal and passes it on. Lines scroll off the screen when the command
// prints, and also when the window shrinks; the next output passes those on.
type transcript struct {
	stream   bool // pass on the output as printed
	attended bool // a person has seen the screen
	out      func(p []byte)

	mu    sync.Mutex
	lines []byte // complete lines that scrolled off the screen
	spare []byte // the buffer being passed on, owned by flush
}

func (x *transcript) scrolled(line []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.lines = append(append(x.lines, line...), '\n')
}

func (x *transcript) flush() {
	x.mu.Lock()
	x.lines, x.spare = x.spare[:0], x.lines
	x.mu.Unlock()
	if len(x.spare) > 0 {
		x.out(x.spare)
	}
}

// end adds the lines that are still on the screen.
func (x *transcript) end(screen *vt.Terminal) {
	if x.stream {
		return
	}
	screen.Finish()
	if s := screen.AltSummary(); s.Uses > 0 {
		cols := maxNote
		if x.attended {
			width, _ := screen.Size()
			s.Line, cols = "", min(cols, width) // whoever watched the screen needs no reminder
		}
		x.scrolled([]byte(fullScreenNote(s, cols)))
	}
	x.flush()
}

// maxNote is the maximum width of the line about full-screen programs, in columns.
const maxNote = 120

// fullScreenNote returns a line about the programs that used the alternate screen, at most cols columns wide.
func fullScreenNote(s vt.AltSummary, cols int) string {
	var b strings.Builder
	b.WriteString("full-screen program")
	if s.Title != "" {
		b.WriteString(" " + Clip(s.Title, 60))
	}
	if s.Line != "" {
		b.WriteString(", last screen: " + s.Line)
	}
	return "[" + vt.Truncate(vt.ReplaceControls(b.String()), cols-2) + "]"
}

// ptyBackend is the value of Details.Backend for a run in a pseudo-terminal.
const ptyBackend = "pty"

// inTerminal runs the job in a pseudo-terminal.
func (j *job) inTerminal(ctx context.Context) Result {
	o, err := j.terminalOptions()
	if err != nil {
		return j.fail(err)
	}
	t := j.q.PTY.Terminal
	if t == nil {
		t = NewTerminal()
	}
	return j.collect(ctx, func(out func(shell.Stream, []byte) bool) (shell.End, error) {
		end, err := j.watch(ctx, t, o, func(p []byte) { out(shell.Stdout, p) })
		if errors.Is(err, pty.ErrAlreadyRunning) {
			return shell.End{}, err
		}
		if err != nil {
			// Failing to open a terminal is not the caller's fault: the output says it, and there is no exit status.
			j.noStatus = true
			out(shell.Stdout, []byte("PTY error: "+err.Error()+"\n"))
		}
		return shellEnd(end), nil
	})
}

// watch runs the command and passes its output to the screen and, as text, to out.
func (j *job) watch(ctx context.Context, t *Terminal, o pty.Options, out func(p []byte)) (pty.End, error) {
	x := &transcript{stream: j.stream(), attended: j.q.PTY.Attended, out: out}
	raw := j.q.PTY.Output
	ready := o.Ready
	o.Ready = func() {
		opts := vt.Options{Scrollback: j.q.PTY.Scrollback, Foreground: j.q.PTY.Foreground, Background: j.q.PTY.Background}
		if !x.stream {
			opts.Scrolled = x.scrolled
		}
		t.reset(opts)
		if ready != nil {
			ready()
		}
	}
	o.Output = func(p []byte) {
		if raw != nil {
			raw(p)
		}
		t.print(p)
		if x.stream {
			out(p)
		}
		x.flush()
	}
	end, err := t.session.Start(ctx, o)
	if err == nil {
		t.View(x.end)
	}
	return end, err
}

func (j *job) stream() bool {
	if text := j.q.PTY.Text; text != "" {
		return text == PTYStream
	}
	return j.cfg.Bash.PtyText == PTYStream
}

// terminalOptions collects what the engine needs. When it fails, nothing has run.
func (j *job) terminalOptions() (o pty.Options, err error) {
	if err := j.resolveDir(); err != nil {
		return o, err
	}
	j.settle()
	p := j.q.PTY
	if warning := clampedWindow(p.Cols, p.Rows); warning != "" && !p.Attended {
		j.warn(warning) // whoever sees the window sees its size
	}
	o = pty.Options{
		Command: j.d.Command, Dir: j.d.Cwd, Cols: p.Cols, Rows: p.Rows, Timeout: j.timeout,
		Ready: p.Ready, NoInput: p.Terminal == nil, Force: j.q.Force,
	}
	if j.cfg.Shell.Prefix != "" {
		o.Command = j.cfg.Shell.Prefix + " " + o.Command
	}
	o.Env, o.Keep = terminalEnvironment(j.environ, pairs(j.cfg.Shell.Env), j.q.Env, p.Attended || !j.cfg.Bash.Unattended, p.ColorTerm)
	return o, nil
}

// clampedWindow returns a warning about a size outside the allowed range, or "".
func clampedWindow(cols, rows int) string {
	c, r := pty.ClampSize(cols, rows)
	if cols, rows = cmp.Or(cols, c), cmp.Or(rows, r); cols == c && rows == r {
		return ""
	}
	return fmt.Sprintf("window of %d×%d clamped to %d×%d (allowed: %d×%d to %d×%d)",
		cols, rows, c, r, pty.MinCols, pty.MinRows, pty.MaxCols, pty.MaxRows)
}

// shellEnd converts the end of a command to the shell engine's type.
func shellEnd(e pty.End) shell.End {
	end := shell.End{
		ExitCode: e.ExitCode, Signal: e.Signal, TimedOut: e.TimedOut, Cancelled: e.Cancelled, Survivors: e.Survivors,
		Background: e.Background, Warnings: e.Warnings,
	}
	if e.Held != nil {
		end.Held = map[shell.Stream]*os.File{shell.Stdout: e.Held}
	}
	return end
}
