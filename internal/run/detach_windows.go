package run

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// pollable: descriptors beyond the standard ones are not inherited on Windows, so no drain ever gets here.
func pollable(fd uintptr) *os.File { return os.NewFile(fd, "pipe") }
