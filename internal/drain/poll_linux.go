package drain

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Poll is poll(2) for so short a time that this thread keeps its place meanwhile: to give it to other goroutines, and to
// find one again, takes the runtime longer. It is 0 when nothing came, and on errors.
func Poll(fds []unix.PollFd, limit time.Duration) int {
	return poll(fds, unix.NsecToTimespec(int64(limit)))
}

// Spin is [Poll] that does not go to sleep, for what others are about to do on another processor: to wake a sleeper
// there takes longer than many a short command, on a virtual machine above all. Who waits for this processor gets it.
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
