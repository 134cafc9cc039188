package pty

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const getTermios = unix.TCGETS

// rest sleeps in the kernel without telling Go's scheduler, which would wake other threads for so short a
// time.
func rest(d time.Duration) {
	ts := unix.NsecToTimespec(int64(d))
	_, _, _ = unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&ts)), 0, 0)
}
