//go:build unix && !linux

package drain

import (
	"time"

	"golang.org/x/sys/unix"
)

// Poll finds nothing: only Linux can wait for so short a time without giving up this thread's processor.
func Poll([]unix.PollFd, time.Duration) int { return 0 }

// Spin finds nothing, for the same reason.
func Spin([]unix.PollFd, time.Duration) int { return 0 }
