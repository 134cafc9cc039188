//go:build unix

package keyview

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// waitInput waits until f has something to read, its end included, but no longer than d. It may wake up early.
func waitInput(f *os.File, d time.Duration) (bool, error) {
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, int((d+time.Millisecond-1)/time.Millisecond))
	if errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return n > 0, err
}

// isHangup tells the error that reading a terminal gives whose other end is gone.
func isHangup(err error) bool { return errors.Is(err, syscall.EIO) }
