package vt_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// cpuTime returns the processor time that f takes, which a busy machine does not lengthen.
func cpuTime(t testing.TB, f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	used := func() time.Duration {
		const thread = 1 // RUSAGE_THREAD
		var u syscall.Rusage
		if err := syscall.Getrusage(thread, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	start := used()
	f()
	return used() - start
}
