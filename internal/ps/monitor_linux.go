package ps

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// An exitMonitor waits for the death of a few processes. Zombies count as dead.
type exitMonitor struct {
	fds   []unix.PollFd // pidfds of those that live
	blind bool          // no pidfds here: Linux before 5.3, or a seccomp filter
}

func newExitMonitor(procs []proc) *exitMonitor {
	v := new(exitMonitor)
	for _, p := range procs {
		fd, err := unix.PidfdOpen(p.pid, 0)
		switch {
		case err == nil:
			v.fds = append(v.fds, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
		case !errors.Is(err, unix.ESRCH):
			v.blind = true
		}
	}
	return v
}

// over waits up to limit and tells whether all are dead.
func (v *exitMonitor) over(limit time.Duration) bool {
	for end := time.Now().Add(limit); ; {
		if len(v.fds) == 0 && !v.blind {
			return true
		}
		left := time.Until(end)
		if left <= 0 {
			return false
		}
		_, _ = unix.Poll(v.fds, int((left+time.Millisecond-1)/time.Millisecond)) // an error reads as nobody died
		v.drop()
	}
}

// drop forgets the dead.
func (v *exitMonitor) drop() {
	living := v.fds[:0]
	for _, fd := range v.fds {
		if fd.Revents == 0 {
			living = append(living, fd)
			continue
		}
		_ = unix.Close(int(fd.Fd))
	}
	v.fds = living
}

func (v *exitMonitor) close() {
	for _, fd := range v.fds {
		_ = unix.Close(int(fd.Fd))
	}
	v.fds = nil
}
