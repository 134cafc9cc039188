package pty

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/sys/windows"

	"pi/internal/drain"
	"pi/internal/ps"
)

// maxArg keeps a command line below the 32,767 characters that CreateProcess accepts. There are no other descriptors to use.
const (
	maxArg     = 30_000
	extraFiles = false
)

// terminal is a pseudo-console (ConPTY, Windows 10 1809 and later) with the pipes to and from it.
type terminal struct {
	in, out *os.File
	reader  *drain.Reader
	done    <-chan struct{}

	mu      sync.Mutex
	console windows.Handle // 0 if closed
	ended   bool           // the end of input was typed
}

var createPseudoConsole = windows.NewLazySystemDLL("kernel32.dll").NewProc("CreatePseudoConsole")

func openTerminal(cols, rows int) (*terminal, error) {
	if err := createPseudoConsole.Find(); err != nil {
		return nil, errors.New("this Windows has no pseudo-consoles, which came with Windows 10 version 1809")
	}
	farIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer farIn.Close()
	out, farOut, err := drain.Pipe(readSize)
	if err != nil {
		in.Close()
		return nil, err
	}
	defer farOut.Close()
	t := &terminal{in: in, out: out, reader: drain.New(out, make([]byte, readSize))}
	t.done = t.reader.Done()
	err = windows.CreatePseudoConsole(coord(cols, rows), windows.Handle(farIn.Fd()), windows.Handle(farOut.Fd()), 0, &t.console)
	if err != nil {
		t.close()
		return nil, fmt.Errorf("CreatePseudoConsole: %w", err)
	}
	return t, nil
}

func coord(cols, rows int) windows.Coord { return windows.Coord{X: int16(cols), Y: int16(rows)} }

// attach attaches the command to the console.
func (t *terminal) attach(c *ps.Command) { c.Console = uintptr(t.console) }

// release closes the console: pending output is written, then reading ends. Processes still
// attached are terminated.
func (t *terminal) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.console != 0 {
		windows.ClosePseudoConsole(t.console)
		t.console = 0
	}
}

func (t *terminal) read(out func(p []byte)) {
	t.reader.Run(func(p []byte) bool { out(p); return true })
}

func (t *terminal) drain(d time.Duration) { t.reader.Begin(d, d) }

func (t *terminal) eof() bool { return t.reader.EOF() }

func (t *terminal) write(p []byte) bool {
	_, err := t.in.Write(p)
	return err == nil
}

// stopWriting does nothing: writes to a closed console fail.
func (t *terminal) stopWriting() {}

func (t *terminal) hold() *os.File {
	t.in.Close()
	_ = t.out.SetDeadline(time.Time{})
	return t.out
}

func (t *terminal) close() {
	t.in.Close()
	t.out.Close()
}

func (t *terminal) resize(cols, rows int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.console == 0 {
		return ErrGone
	}
	return windows.ResizePseudoConsole(t.console, coord(cols, rows))
}

// endOfInput returns Ctrl-Z and Enter, once: whether it was read is unknown.
func (t *terminal) endOfInput() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return nil
	}
	t.ended = true
	return []byte("\x1a\r")
}

// shellPath finds the sh of Git for Windows or MSYS2.
func shellPath() (string, error) {
	path, err := exec.LookPath("sh")
	if err != nil {
		return "", errors.New("no sh.exe on PATH; Git for Windows brings one")
	}
	return path, nil
}
