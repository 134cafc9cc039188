package ps

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lastSignal is the highest signal number.
const lastSignal = 64

// send signals exactly the process x. A pidfd pins whatever has the number now; the start time, read afterwards, tells
// whether that is x. Where there are no pidfds (Linux before 5.3, or a seccomp filter) the check and the signal are
// two steps, microseconds apart.
func send(x id, sig syscall.Signal) error {
	if x.pid <= 1 || x.pid == os.Getpid() {
		return syscall.EPERM
	}
	fd, err := unix.PidfdOpen(x.pid, 0)
	switch {
	case err == nil:
		defer unix.Close(fd)
	case errors.Is(err, unix.ESRCH):
		return err
	default:
		fd = -1
	}
	if p, ok := readProc(x.pid); !ok || p.start != x.start {
		return syscall.ESRCH
	}
	if fd >= 0 {
		if err := unix.PidfdSendSignal(fd, sig, nil, 0); !errors.Is(err, unix.ENOSYS) {
			return err
		}
	}
	return syscall.Kill(x.pid, sig)
}

// blind is what is known of a tree without /proc: its leader. Its process group, which has the leader's number as
// long as that is not reaped, is reached through it.
func (t *Tree) blind() []proc {
	select {
	case <-t.done:
		return nil
	default:
		return []proc{{id: t.membership.leader, state: 'R', threads: 1}}
	}
}
