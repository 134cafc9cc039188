package drain

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Poll is poll(2) for so short a time that this thread keeps its place meanwhile: to give it to other goroutines, and to
// find one again, takes the runtime longer. It is 0 when nothing came, and on errors.
func Poll(fds []unix.PollFd, limit time.Duration) int {
	ts := unix.NsecToTimespec(int64(limit))
	n, _, e := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	if e != 0 {
		return 0
	}
	return int(n)
}
