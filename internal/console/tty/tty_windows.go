package tty

import (
	"errors"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/term"
)

// raw also lets the console take and send the sequences of a terminal.
func raw(f *os.File) error {
	_, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return err
	}
	return change(f, windows.ENABLE_VIRTUAL_TERMINAL_INPUT, 0)
}

// cook does nothing: a console always converts line feeds to new lines.
func cook(*os.File) error { return nil }

func quiet(f *os.File) error { return change(f, 0, windows.ENABLE_ECHO_INPUT) }

func change(f *os.File, set, clear uint32) error {
	var mode uint32
	if err := windows.GetConsoleMode(windows.Handle(f.Fd()), &mode); err != nil {
		return err
	}
	return windows.SetConsoleMode(windows.Handle(f.Fd()), mode|set&^clear)
}

func discard(f *os.File) { _ = windows.FlushConsoleInputBuffer(windows.Handle(f.Fd())) }

// Sane sets the console's usual input modes.
func Sane(f *os.File) error {
	return change(f, windows.ENABLE_PROCESSED_INPUT|windows.ENABLE_LINE_INPUT|windows.ENABLE_ECHO_INPUT, windows.ENABLE_VIRTUAL_TERMINAL_INPUT)
}

// Foreground reports true: a console has no job control.
func (t *TTY) Foreground() bool { return true }

// sizePoll is how often the size is checked: a console sends no signal.
const sizePoll = 250 * time.Millisecond

func (t *TTY) watchSignals() (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		defer t.Guard()
		tick := time.NewTicker(sizePoll)
		defer tick.Stop()
		cols, rows := t.Size()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				c, r := t.Size()
				if c != cols || r != rows {
					cols, rows = c, r
					t.call(func(e Events) func() { return e.Resized })
				}
			}
		}
	}()
	var once sync.Once
	return func() { once.Do(func() { close(quit); <-done }) }
}

func isGone(err error) bool { return errors.Is(err, windows.ERROR_BROKEN_PIPE) }

// waker interrupts a wait for input with an event.
type waker struct {
	mu    sync.Mutex
	event windows.Handle
}

func (k *waker) open() (windows.Handle, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.event == 0 {
		e, err := windows.CreateEvent(nil, 0, 0, nil)
		if err != nil {
			return 0, err
		}
		k.event = e
	}
	return k.event, nil
}

func (k *waker) wait(f *os.File, d time.Duration) (bool, error) {
	e, err := k.open()
	if err != nil {
		return false, err
	}
	ms := uint32(windows.INFINITE)
	if d >= 0 {
		ms = uint32(d.Milliseconds())
	}
	got, err := windows.WaitForMultipleObjects([]windows.Handle{e, windows.Handle(f.Fd())}, false, ms)
	return err == nil && got == windows.WAIT_OBJECT_0+1, err
}

func (k *waker) wake() {
	if e, err := k.open(); err == nil {
		_ = windows.SetEvent(e)
	}
}

func (k *waker) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.event != 0 {
		_ = windows.CloseHandle(k.event)
		k.event = 0
	}
}
