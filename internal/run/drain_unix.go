//go:build unix

package run

import (
	"os"
	"syscall"
)

// pollable returns a file for an inherited descriptor, with working deadlines.
func pollable(fd uintptr) *os.File {
	_ = syscall.SetNonblock(int(fd), true) // fails for an invalid descriptor, as the first read will
	return os.NewFile(fd, "pipe")
}
