// Package tty controls the user's terminal: its modes, size and input, job control, and the one way
// to restore it. It draws nothing and knows no keys.
package tty

import (
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// TTY is a terminal: input is read from in, output written to out. Its methods may be called from several goroutines.
type TTY struct {
	in, out *os.File
	wake    waker

	mu     sync.Mutex
	before *term.State // of in, before the first change; nil while unchanged
	enter  func() error
	ask    string
	undo   string
	flush  bool
	on     bool // the mode is in force
	watch  Events
}

// Mode is a terminal mode that a program needs.
type Mode struct {
	// Raw delivers every byte as it arrives, signal characters included; without it only the echo is off.
	Raw bool
	// Cook keeps output processing (LF becomes CR LF) in raw mode.
	Cook bool
	// Ask is written when the mode begins, Undo when it ends.
	Ask, Undo string
	// Flush discards unread input when the mode ends: reports that nobody waits for any more.
	Flush bool
}

// New creates a TTY from two open files that are a terminal. The caller keeps ownership of them.
func New(in, out *os.File) *TTY { return &TTY{in: in, out: out} }

// Size returns columns and rows, 80×24 if the terminal does not report them.
func (t *TTY) Size() (cols, rows int) {
	cols, rows, err := term.GetSize(int(t.out.Fd()))
	if err != nil || cols <= 0 || rows <= 0 {
		return 80, 24
	}
	return cols, rows
}

// Write writes to the terminal.
func (t *TTY) Write(p []byte) (int, error) { return t.out.Write(p) }

// Enter sets a mode until Restore. It first restores a mode that is already set.
func (t *TTY) Enter(m Mode) error {
	t.Restore()
	t.mu.Lock()
	defer t.mu.Unlock()
	before, err := term.GetState(int(t.in.Fd()))
	if err != nil {
		return err
	}
	change := quiet
	if m.Raw {
		change = raw
	}
	t.before, t.ask, t.undo, t.flush = before, m.Ask, m.Undo, m.Flush
	t.enter = func() error {
		if err := change(t.in); err != nil || !m.Cook {
			return err
		}
		return cook(t.in)
	}
	return t.resume()
}

// Add writes ask and changes what Restore will write. It is for modes that change while another is set.
func (t *TTY) Add(ask, undo string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ask, t.undo = t.ask+ask, undo
	if !t.on {
		return nil
	}
	_, err := io.WriteString(t.out, ask)
	return err
}

// resume sets the mode. The caller holds the lock.
func (t *TTY) resume() error {
	if t.before == nil || t.on {
		return nil
	}
	if err := t.enter(); err != nil {
		t.before = nil
		return err
	}
	t.on = true
	_, err := io.WriteString(t.out, t.ask)
	return err
}

// Restore restores the terminal to its state before Enter, on every way out. Calling it again, or
// without Enter, does nothing. It ignores write errors: then the terminal has hung up.
func (t *TTY) Restore() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.suspend()
	t.before = nil
}

// suspend unsets the mode. The caller holds the lock.
func (t *TTY) suspend() {
	if t.before == nil || !t.on {
		return
	}
	t.on = false
	_, _ = io.WriteString(t.out, t.undo)
	if t.flush {
		discard(t.in)
	}
	_ = term.Restore(int(t.in.Fd()), t.before)
}

// Guard restores the terminal on a panic. Defer it.
func (t *TTY) Guard() {
	if r := recover(); r != nil {
		t.Restore()
		panic(r)
	}
}

// Events are the callbacks for job control and window changes. They are called from one goroutine.
type Events struct {
	Resized func() // the terminal may have been resized
	Stop    func() // the program is about to be stopped; the mode is still set
	Resumed func() // the program continues; the mode is set again, and the screen may have changed
}

// Watch calls e until stop is called. On SIGTSTP it restores the terminal before the program stops.
func (t *TTY) Watch(e Events) (stop func()) {
	t.mu.Lock()
	t.watch = e
	t.mu.Unlock()
	return t.watchSignals()
}

// stopFor stops the program and returns when it continues.
func (t *TTY) stopFor(stopSelf func()) {
	t.call(func(e Events) func() { return e.Stop })
	t.mu.Lock()
	t.suspend()
	t.mu.Unlock()
	stopSelf()
	t.goOn()
}

// goOn sets the mode again once the program is in the foreground.
func (t *TTY) goOn() {
	if !t.Foreground() {
		return // the shell decides when
	}
	t.mu.Lock()
	again := t.on // after SIGSTOP the terminal may be in any state
	if again {
		t.on = false
	}
	_ = t.resume()
	t.mu.Unlock()
	t.call(func(e Events) func() { return e.Resumed })
}

func (t *TTY) call(which func(Events) func()) {
	t.mu.Lock()
	f := which(t.watch)
	t.mu.Unlock()
	if f != nil {
		f()
	}
}

// awayPoll is how long a reader waits while the terminal belongs to another job.
const awayPoll = 100 * time.Millisecond

// Read reads typed input. It waits at most wait, or without limit if wait is negative. It returns 0
// and no error if nothing arrived or Wake was called, and io.EOF after a hang-up.
func (t *TTY) Read(p []byte, wait time.Duration) (int, error) {
	ready, err := t.wake.wait(t.in, wait)
	if err != nil || !ready {
		return 0, err
	}
	if !t.Foreground() {
		time.Sleep(awayPoll)
		return 0, nil
	}
	n, err := t.in.Read(p)
	if n == 0 && (err == nil || isGone(err)) {
		err = io.EOF
	}
	return n, err
}

// Wake makes the current or next Read return at once.
func (t *TTY) Wake() { t.wake.wake() }

// Close releases the resources of Read. The files stay open.
func (t *TTY) Close() { t.wake.close() }
