//go:build unix

package run

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName is the name with its SIG, or the number where the system has no name.
func signalName(s syscall.Signal) string {
	if n := unix.SignalName(s); n != "" {
		return n
	}
	return s.String()
}
