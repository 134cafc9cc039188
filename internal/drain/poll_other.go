//go:build unix && !linux

package drain

import (
	"time"

	"golang.org/x/sys/unix"
)

// Poll does nothing: only Linux can wait without giving up this thread's processor slot.
func Poll([]unix.PollFd, time.Duration) int { return 0 }

// Spin does nothing.
func Spin([]unix.PollFd, time.Duration) int { return 0 }
