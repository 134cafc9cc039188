package drain

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Poll is poll(2) for times so short that this thread keeps its processor slot (P) meanwhile: handing the slot over and
// getting one back takes the runtime longer. It returns 0 when nothing happened, and on errors.
func Poll(fds []unix.PollFd, limit time.Duration) int {
	return poll(fds, unix.NsecToTimespec(int64(limit)))
}

// Spin is [Poll] without sleeping, for events that another processor is about to cause: waking a sleeper takes longer than
// many a short command, especially on a virtual machine. It yields to threads that wait for this processor.
func Spin(fds []unix.PollFd, limit time.Duration) int {
	for began := time.Now(); time.Since(began) < limit; {
		if n := poll(fds, unix.Timespec{}); n > 0 {
			return n
		}
		_, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
	}
	return 0
}

func poll(fds []unix.PollFd, ts unix.Timespec) int {
	n, _, e := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	if e != 0 {
		return 0
	}
	return int(n)
}
