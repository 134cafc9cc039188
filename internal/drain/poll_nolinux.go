//go:build unix && !linux

package drain

import (
	"time"

	"golang.org/x/sys/unix"
)

// Poll would wait for a moment; only Linux can do so without giving this thread's place away.
func Poll([]unix.PollFd, time.Duration) int { return 0 }

// Spin would look for a moment without going to sleep.
func Spin([]unix.PollFd, time.Duration) int { return 0 }
