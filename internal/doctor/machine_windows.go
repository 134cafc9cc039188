package doctor

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// examineMachine asks the system. Windows has no limits on what pi starts.
func examineMachine() Machine {
	m := newMachine()
	v := windows.RtlGetVersion()
	m.Kernel = fmt.Sprintf("Windows %d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
	m.MaxArguments = 32767 // characters of a command line
	return m
}

// freeBytes returns what this user may still write to the file system of dir, -1 when unknown.
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
