package cmd

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// examineMachine asks the system. Windows bounds none of what pi starts.
func examineMachine() machineState {
	m := newMachineState()
	v := windows.RtlGetVersion()
	m.Kernel = fmt.Sprintf("Windows %d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
	m.MaxArguments = 32767 // characters of a command line
	return m
}

// judgeMachine finds nothing that Windows could lack.
func (d *diagnosis) judgeMachine() {}

// freeBytes is what this user may still write to the file system of dir, -1 when unknown.
func freeBytes(dir string) int64 {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return -1
	}
	var free uint64
	if windows.GetDiskFreeSpaceEx(path, &free, nil, nil) != nil {
		return -1
	}
	return int64(min(free, 1<<62))
}
