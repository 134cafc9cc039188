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

// Forms of the result text of a run in a pseudo-terminal.
const (
	PTYTranscript = "transcript" // what was on the main screen: progress bars in their final state, no full-screen programs
	PTYStream     = "stream"     // everything that was printed; carriage returns are line ends
)

// PTY asks for a run in a pseudo-terminal. The zero value is a terminal of the default size that nobody watches and whose
// input has ended.
type PTY struct {
	Cols, Rows int    // 0: 120×40; clamped to 20…400 and 5…200
	ColorTerm  string // COLORTERM for the command; empty: none
	Text       string // PTYTranscript or PTYStream; empty: the configured one

	// Attended says that a person sees the terminal and types: the unattended defaults are left out, and there is no
	// timeout unless the request names one.
	Attended bool

	// Terminal is for who watches and types while the command runs; nil: nobody does. One serves one run at a time.
	Terminal *Terminal
	// Ready is called once when the Terminal takes input, before the command is started. May be nil.
	Ready func()
	// Output gets the raw bytes that the command prints, in order, from one goroutine; p is valid during the call. It
	// must not block for long. May be nil.
	Output func(p []byte)

	// Scrollback is the number of rows that the Terminal's screen keeps after they left it.
	Scrollback int
	// Foreground and Background are what a command is told that asks for the terminal's colours.
	Foreground, Background vt.Color
}

// Terminal is the pseudo-terminal of a run, from outside. Make one with [NewTerminal]; its methods may be called from
// several goroutines. Write, Resize and Kill have the errors of [pty.Session].
type Terminal struct {
	session *pty.Session

	mu      sync.Mutex
	screen  *vt.Terminal // nil before the first run
	changed chan struct{}
}

// NewTerminal makes a terminal for a run that is to come.
func NewTerminal() *Terminal {
	return &Terminal{session: pty.New(), changed: make(chan struct{}, 1)}
}

// Write types p, in order with what was typed before. It never waits.
func (t *Terminal) Write(p []byte) error { return t.session.Write(p) }

// Feed types what r gives, as fast as the command reads it, and then the end of input.
func (t *Terminal) Feed(r io.Reader) error { return t.session.Feed(r) }

// CloseInput types the end of input.
func (t *Terminal) CloseInput() error { return t.session.CloseInput() }

// Kill begins to end the command's whole tree; the run is cancelled.
func (t *Terminal) Kill() error { return t.session.Kill() }

// Resize changes the size of the window and of its screen.
func (t *Terminal) Resize(cols, rows int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.session.Resize(cols, rows); err != nil {
		return err
	}
	if t.screen != nil {
		t.screen.Resize(t.session.Size())
	}
	t.tell()
	return nil
}

// View lets look look at the screen, which does not change meanwhile; the command has to wait for that when it prints. It
// does nothing before the first run has begun. The screen of the last run stays.
func (t *Terminal) View(look func(screen *vt.Terminal)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.screen != nil {
		look(t.screen)
	}
}

// Changed holds an item when the screen may have changed since it was last received from.
func (t *Terminal) Changed() <-chan struct{} { return t.changed }

func (t *Terminal) tell() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// begin gives the terminal a fresh screen of the size of the window.
func (t *Terminal) begin(o vt.Options) {
	t.mu.Lock()
	defer t.mu.Unlock()
	o.Cols, o.Rows = t.session.Size()
	t.screen = vt.New(o)
	t.tell()
}

// print puts what the command printed on the screen. Answers to what it asked are typed by somebody else, so that it is
// not waited for.
func (t *Terminal) print(p []byte) {
	t.mu.Lock()
	t.screen.Write(p)
	answers := t.screen.Replies()
	t.mu.Unlock()
	if len(answers) > 0 {
		t.session.Reply(answers)
	}
	t.tell()
}

// transcript gathers the text of a run in a pseudo-terminal and hands it on. Lines leave the screen when the command
// prints, and also when somebody makes the window smaller; what the command prints next takes those along.
type transcript struct {
	stream   bool // as it is printed
	attended bool // a person has seen the screen
	out      func(p []byte)

	mu    sync.Mutex
	lines []byte // whole lines that have left the screen
	spare []byte // the buffer that is handed on; it belongs to who flushes
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

// end adds what is still on the screen.
func (x *transcript) end(screen *vt.Terminal) {
	if x.stream {
		return
	}
	screen.Finish()
	if s := screen.AltSummary(); s.Uses > 0 {
		cols := maxNote
		if x.attended {
			width, _ := screen.Size()
			s.Line, cols = "", min(cols, width) // who has seen the screen needs no reminder of it
		}
		x.scrolled([]byte(fullScreenNote(s, cols)))
	}
	x.flush()
}

// maxNote bounds the line about full-screen programs, in columns.
const maxNote = 120

// fullScreenNote is the one line that tells of programs that drew on the alternate screen, in at most cols columns.
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

// ptyBackend is the backend that a result of a run in a pseudo-terminal names.
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
			// A terminal that could not be had is no fault of pi's callers: the output tells, and there is no status.
			j.noStatus = true
			out(shell.Stdout, []byte("PTY error: "+err.Error()+"\n"))
		}
		return shellEnd(end), nil
	})
}

// watch runs the command, its output going to the screen and as text to out.
func (j *job) watch(ctx context.Context, t *Terminal, o pty.Options, out func(p []byte)) (pty.End, error) {
	x := &transcript{stream: j.stream(), attended: j.q.PTY.Attended, out: out}
	raw := j.q.PTY.Output
	ready := o.Ready
	o.Ready = func() {
		opts := vt.Options{Scrollback: j.q.PTY.Scrollback, Foreground: j.q.PTY.Foreground, Background: j.q.PTY.Background}
		if !x.stream {
			opts.Scrolled = x.scrolled
		}
		t.begin(opts)
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

// terminalOptions finds everything that the engine needs. Nothing has run when it fails.
func (j *job) terminalOptions() (o pty.Options, err error) {
	if err := j.place(); err != nil {
		return o, err
	}
	j.settle()
	p := j.q.PTY
	if warning := clampedWindow(p.Cols, p.Rows); warning != "" && !p.Attended {
		j.warn(warning) // who sees the window sees its size
	}
	o = pty.Options{
		Command: j.d.Command, Dir: j.d.Cwd, Cols: p.Cols, Rows: p.Rows, Timeout: j.timeout,
		Ready: p.Ready, NoInput: p.Terminal == nil, Hurry: j.q.Hurry,
	}
	if j.cfg.Shell.Prefix != "" {
		o.Command = j.cfg.Shell.Prefix + " " + o.Command
	}
	o.Env, o.Keep = terminalEnvironment(j.environ, pairs(j.cfg.Shell.Env), j.q.Env, p.Attended || !j.cfg.Bash.Unattended, p.ColorTerm)
	return o, nil
}

// clampedWindow warns of a size out of the range of windows; "" for any other.
func clampedWindow(cols, rows int) string {
	c, r := pty.ClampSize(cols, rows)
	if cols, rows = cmp.Or(cols, c), cmp.Or(rows, r); cols == c && rows == r {
		return ""
	}
	return fmt.Sprintf("window of %d×%d clamped to %d×%d (allowed: %d×%d to %d×%d)",
		cols, rows, c, r, pty.MinCols, pty.MinRows, pty.MaxCols, pty.MaxRows)
}

// shellEnd says how the command ended in the other engine's words.
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
