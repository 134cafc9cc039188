package doctor

import (
	"math"

	"golang.org/x/sys/unix"
)

// examineMachine asks the kernel. What it cannot find out stays unknown.
func examineMachine() Machine {
	m := newMachine()
	m.Kernel = kernelName()
	if n, err := unix.SysctlUint64("hw.memsize"); err == nil && n <= math.MaxInt64 {
		m.MemoryBytes = int64(n)
	}
	if n, err := unix.SysctlUint32("kern.argmax"); err == nil {
		m.MaxArguments = int64(n)
	}
	if n, err := unix.SysctlUint32("kern.maxprocperuid"); err == nil {
		m.MaxProcesses = int64(n)
	}
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) == nil && l.Cur <= math.MaxInt64 {
		m.MaxFiles = int64(l.Cur)
	}
	return m
}
