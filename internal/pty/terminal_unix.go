//go:build unix

package pty

import (
	"os"
	"sync/atomic"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"pi/internal/ps"
)

// maxArg is the longest single argument that Linux takes (MAX_ARG_STRLEN less its NUL); other systems take more. Longer
// texts come through a descriptor of their own.
const (
	maxArg     = 131071
	extraFiles = true
)

// terminal is a pseudo-terminal: pi's end, which is read and written, and the command's.
//
// Neither end is under the runtime poller: that would be woken for every line of a flood, whoever reads. What waits for
// pi's end does so by poll(2), together with the alarm.
type terminal struct {
	fd  int      // pi's end; it does not block
	far *os.File // the command's end

	alarm, ring *os.File // a pipe: what is written to ring wakes the reader, closing it the writer, too
	limit       atomic.Pointer[time.Time]
	ended       bool // reading found the end; valid after done
	done        chan struct{}
}

// openTerminal makes a terminal of that size.
func openTerminal(cols, rows int) (*terminal, error) {
	near, far, err := pty.Open()
	if err != nil {
		return nil, err
	}
	fd, err := unpolled(near)
	if err != nil {
		far.Close()
		return nil, err
	}
	farFd, err := unpolled(far)
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	t := &terminal{fd: fd, far: os.NewFile(uintptr(farFd), far.Name()), done: make(chan struct{})}
	if t.alarm, t.ring, err = os.Pipe(); err == nil {
		if err = unix.SetNonblock(fd, true); err == nil {
			err = t.resize(cols, rows)
		}
	}
	if err != nil {
		t.letGo()
		t.close()
		return nil, err
	}
	return t, nil
}

// unpolled takes a file from under the runtime poller: a duplicate, which blocks, takes its place.
func unpolled(f *os.File) (fd int, err error) {
	defer f.Close()
	if fd, err = unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3); err != nil {
		return -1, os.NewSyscallError("fcntl", err)
	}
	return fd, nil
}

// lend makes the terminal the command's.
func (t *terminal) lend(c *ps.Command) {
	c.Stdin, c.Stdout, c.Stderr, c.Terminal = t.far, t.far, t.far, true
}

// letGo lets reading find the end when nobody has the terminal any more. Until the command is done pi has it, too: a
// command that closes its streams for a while has not hung up.
func (t *terminal) letGo() { t.far.Close() }

// eof tells, after done, that nobody has the terminal any more.
func (t *terminal) eof() bool { return t.ended }

// hold gives the terminal away to be read on.
func (t *terminal) hold() *os.File {
	fd := t.fd
	t.fd = -1
	t.close()
	return os.NewFile(uintptr(fd), "/dev/ptmx")
}

func (t *terminal) close() {
	if t.fd >= 0 {
		unix.Close(t.fd)
	}
	t.alarm.Close()
	t.ring.Close()
}

func (t *terminal) resize(cols, rows int) error {
	size := unix.Winsize{Col: uint16(cols), Row: uint16(rows)}
	return os.NewSyscallError("ioctl", unix.IoctlSetWinsize(t.fd, unix.TIOCSWINSZ, &size))
}

// endOfInput is what tells a reader now that its input has ended: the EOF character, where the terminal heeds it and
// nothing is left to read. A command that reads single keys would take it for one, so it gets nothing.
func (t *terminal) endOfInput() (p []byte) {
	conn, err := t.far.SyscallConn()
	if err != nil {
		return nil
	}
	_ = conn.Control(func(fd uintptr) {
		mode, err := unix.IoctlGetTermios(int(fd), getTermios)
		if err != nil || mode.Lflag&unix.ICANON == 0 || mode.Cc[unix.VEOF] == 0 {
			return
		}
		poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}} // an end that nobody has seen counts as input
		if n, err := unix.Poll(poll, 0); err == nil && n == 0 {
			p = []byte{mode.Cc[unix.VEOF]}
		}
	})
	return p
}

func shellPath() (string, error) { return "/bin/sh", nil }
