// Package tty is the user's terminal as the system sees it: its modes, size and input, job control, and the one way
// back to what it was before. It draws nothing and knows no key.
package tty

import (
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// TTY is a terminal that is read from in and written to out. Its methods may be called from several goroutines.
type TTY struct {
	in, out *os.File
	wake    waker

	mu     sync.Mutex
	before *term.State // of in, from before the first change; nil while nothing is changed
	enter  func() error
	ask    string
	undo   string
	flush  bool
	on     bool // the mode is in force
	watch  Events
}

// Mode is what a program asks of the terminal.
type Mode struct {
	// Raw takes every byte as it comes, signals included; without it only the echo is switched off.
	Raw bool
	// Cook lets a raw terminal still turn a line feed into a new line, for whatever writes to it.
	Cook bool
	// Ask is written when the mode comes into force, Undo when it ends.
	Ask, Undo string
	// Flush throws away what the terminal had sent before the mode ended: reports nobody waits for any more.
	Flush bool
}

// New creates a TTY of two open files that are a terminal. They stay the caller's.
func New(in, out *os.File) *TTY { return &TTY{in: in, out: out} }

// Size returns columns and rows; a terminal that does not say has 80×24.
func (t *TTY) Size() (cols, rows int) {
	cols, rows, err := term.GetSize(int(t.out.Fd()))
	if err != nil || cols <= 0 || rows <= 0 {
		return 80, 24
	}
	return cols, rows
}

// Write writes to the terminal.
func (t *TTY) Write(p []byte) (int, error) { return t.out.Write(p) }

// Enter brings a mode into force, until Restore. A mode that is in force already is restored first.
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

// Add changes what Restore will write; ask is written now. It is for modes that come and go while another is in force.
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

// resume brings the mode into force. The caller holds the lock.
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

// Restore makes the terminal what it was before Enter. It is the one way back, on every way out; calling it again, or
// without Enter, does nothing. What it cannot write, to a terminal that is gone, does not matter any more.
func (t *TTY) Restore() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.suspend()
	t.before = nil
}

// suspend takes the mode out of force. The caller holds the lock.
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

// Guard is to be deferred: a panic that passes it finds the terminal restored.
func (t *TTY) Guard() {
	if r := recover(); r != nil {
		t.Restore()
		panic(r)
	}
}

// Events are what job control and the window do to a program on a terminal. The calls come from one goroutine.
type Events struct {
	Resized func() // the terminal may have another size
	Stop    func() // the program is about to be stopped; the mode is still in force
	Resumed func() // the program goes on; the mode is in force again, and what was on the screen may be gone
}

// Watch calls e until stop is called. A request to stop (SIGTSTP) restores the terminal before it is obeyed.
func (t *TTY) Watch(e Events) (stop func()) {
	t.mu.Lock()
	t.watch = e
	t.mu.Unlock()
	return t.watchSignals()
}

// stopFor obeys a request to stop, and comes back when the program goes on.
func (t *TTY) stopFor(stopSelf func()) {
	t.call(func(e Events) func() { return e.Stop })
	t.mu.Lock()
	t.suspend()
	t.mu.Unlock()
	stopSelf()
	t.goOn()
}

// goOn brings the mode into force again, once the terminal is ours.
func (t *TTY) goOn() {
	if !t.Foreground() {
		return // the shell says when
	}
	t.mu.Lock()
	again := t.on // whoever stopped us by SIGSTOP may have left the terminal in any state
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

// awayPoll is how long a reader waits whose terminal belongs to another job.
const awayPoll = 100 * time.Millisecond

// Read reads what has been typed, and waits no longer than wait for it; below zero, as long as it takes. It returns 0
// and no error when nothing came, or when Wake was called. The end of the terminal is io.EOF.
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

// Wake makes a Read that waits, or the next one, return at once.
func (t *TTY) Wake() { t.wake.wake() }

// Close frees what Read needs. The files stay open.
func (t *TTY) Close() { t.wake.close() }
