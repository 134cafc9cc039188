package pty

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const getTermios = unix.TCGETS

// rest sleeps in the kernel, behind the back of Go's scheduler, which would wake other threads to take over for so short a
// time.
func rest(d time.Duration) {
	ts := unix.NsecToTimespec(int64(d))
	_, _, _ = unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&ts)), 0, 0)
}

// pollBriefly polls for at most flow, in the same way.
func pollBriefly(fds []unix.PollFd) (n int) {
	ts := unix.NsecToTimespec(int64(flow))
	r, _, e := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	if e != 0 {
		return 0
	}
	return int(r)
}
