//go:build unix

package main

import "syscall"

// busy is the processor time that this process has used, in nanoseconds. On a machine with other work it says more
// than the clock.
func busy() int64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return r.Utime.Nano() + r.Stime.Nano()
}
