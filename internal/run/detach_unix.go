//go:build unix

package run

import (
	"os"
	"syscall"
)

func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// pollable makes a file of an inherited descriptor on which deadlines work.
func pollable(fd uintptr) *os.File {
	_ = syscall.SetNonblock(int(fd), true) // fails for what is no descriptor, as the first read will
	return os.NewFile(fd, "pipe")
}
