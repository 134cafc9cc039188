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

// maxArg is the longest argument that Linux accepts, in bytes (MAX_ARG_STRLEN without its NUL); other systems accept more. Longer
// texts go through a descriptor.
const (
	maxArg     = 131071
	extraFiles = true
)

// terminal is a pseudo-terminal: the master side, which pi reads and writes, and the slave side of the command.
//
// Neither side is under the runtime poller, which would wake up for every line of a flood. Reader and writer wait for
// the master side with poll(2), together with the wake-up pipe.
type terminal struct {
	fd    int      // master side, non-blocking
	slave *os.File // slave side

	alarm, ring *os.File // wake-up pipe: writing to ring wakes the reader; closing it also wakes the writer
	limit       atomic.Pointer[time.Time]
	ended       bool // reading reached end of file; valid after done
	done        chan struct{}
}

// openTerminal opens a pseudo-terminal of that size.
func openTerminal(cols, rows int) (*terminal, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	fd, err := unpolled(master)
	if err != nil {
		slave.Close()
		return nil, err
	}
	slaveFd, err := unpolled(slave)
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	t := &terminal{fd: fd, slave: os.NewFile(uintptr(slaveFd), slave.Name()), done: make(chan struct{})}
	if t.alarm, t.ring, err = os.Pipe(); err == nil {
		if err = unix.SetNonblock(fd, true); err == nil {
			err = t.resize(cols, rows)
		}
	}
	if err != nil {
		t.release()
		t.close()
		return nil, err
	}
	return t, nil
}

// unpolled replaces a file by a blocking duplicate outside the runtime poller.
func unpolled(f *os.File) (fd int, err error) {
	defer f.Close()
	if fd, err = unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3); err != nil {
		return -1, os.NewSyscallError("fcntl", err)
	}
	return fd, nil
}

// attach makes the slave side the command's standard streams and controlling terminal.
func (t *terminal) attach(c *ps.Command) {
	c.Stdin, c.Stdout, c.Stderr, c.Terminal = t.slave, t.slave, t.slave, true
}

// release closes pi's slave side, so that reading ends once no process has the terminal. pi keeps it until the command is done: a
// command that closes its streams for a while must not cause a hang-up.
func (t *terminal) release() { t.slave.Close() }

// eof reports, after done, whether no process has the terminal any more.
func (t *terminal) eof() bool { return t.ended }

// hold hands the master side to the caller for further reading.
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

// endOfInput returns the EOF character if the terminal is in canonical mode and
// all input was read. A command in non-canonical mode would read it as a key, so it gets nothing.
func (t *terminal) endOfInput() (p []byte) {
	conn, err := t.slave.SyscallConn()
	if err != nil {
		return nil
	}
	_ = conn.Control(func(fd uintptr) {
		mode, err := unix.IoctlGetTermios(int(fd), getTermios)
		if err != nil || mode.Lflag&unix.ICANON == 0 || mode.Cc[unix.VEOF] == 0 {
			return
		}
		poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}} // an EOF not yet read counts as input
		if n, err := unix.Poll(poll, 0); err == nil && n == 0 {
			p = []byte{mode.Cc[unix.VEOF]}
		}
	})
	return p
}

func shellPath() (string, error) { return "/bin/sh", nil }
