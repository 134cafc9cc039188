//go:build unix

package pty

import (
	"os"
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
type terminal struct {
	in, out *os.File // the same file
	far     *os.File // the command's end
}

// openTerminal makes a terminal of that size. creack/pty leaves pi's end blocking, so that deadlines would not work and
// closing would not free a reader: a duplicate of it goes under the runtime poller.
func openTerminal(cols, rows int) (*terminal, error) {
	near, far, err := pty.Open()
	if err != nil {
		return nil, err
	}
	fd, err := unix.FcntlInt(near.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	near.Close()
	if err == nil {
		if err = unix.SetNonblock(fd, true); err != nil {
			unix.Close(fd)
		}
	}
	if err != nil {
		far.Close()
		return nil, os.NewSyscallError("fcntl", err)
	}
	f := os.NewFile(uintptr(fd), "/dev/ptmx")
	t := &terminal{in: f, out: f, far: far}
	if err := t.resize(cols, rows); err != nil {
		t.letGo()
		t.close()
		return nil, err
	}
	return t, nil
}

// lend makes the terminal the command's.
func (t *terminal) lend(c *ps.Command) {
	c.Stdin, c.Stdout, c.Stderr, c.Terminal = t.far, t.far, t.far, true
}

// letGo lets reading find the end when nobody has the terminal any more. Until the command is done pi has it, too: a
// command that closes its streams for a while has not hung up.
func (t *terminal) letGo() { t.far.Close() }

// hold gives the terminal away to be read on.
func (t *terminal) hold() *os.File {
	_ = t.out.SetDeadline(time.Time{})
	return t.out
}

func (t *terminal) close() { t.out.Close() }

func (t *terminal) resize(cols, rows int) error {
	return control(t.out, func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(cols), Row: uint16(rows)})
	})
}

// endOfInput is what tells a reader now that its input has ended: the EOF character, where the terminal heeds it and
// nothing is left to read. A command that reads single keys would take it for one, so it gets nothing.
func (t *terminal) endOfInput() (p []byte) {
	_ = control(t.far, func(fd int) error {
		mode, err := unix.IoctlGetTermios(fd, getTermios)
		if err != nil || mode.Lflag&unix.ICANON == 0 || mode.Cc[unix.VEOF] == 0 {
			return err
		}
		poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}} // an end that nobody has seen counts as input
		if n, err := unix.Poll(poll, 0); err == nil && n == 0 {
			p = []byte{mode.Cc[unix.VEOF]}
		}
		return nil
	})
	return p
}

// control makes a system call on a terminal without touching its mode, as Fd would.
func control(f *os.File, do func(fd int) error) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := c.Control(func(fd uintptr) { inner = do(int(fd)) }); err != nil {
		return ErrGone // it was closed
	}
	return os.NewSyscallError("ioctl", inner)
}

func shellPath() (string, error) { return "/bin/sh", nil }
