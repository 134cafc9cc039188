package cmd

import (
	"math"

	"golang.org/x/sys/unix"

	"pi/internal/self"
)

// examineMachine asks the kernel. Nothing it cannot find out is an error.
func examineMachine() machineState {
	m := newMachineState()
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
	_, err := self.Path() // the guardian is this program
	m.Guardian = err == nil
	return m
}

// judgeMachine finds nothing that macOS could lack.
func (d *diagnosis) judgeMachine() {}
