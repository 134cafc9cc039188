//go:build unix

package snapshot

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const (
	supported    = true
	openNoFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK // do not block on a fifo that somebody put there
)

// tryLock takes the lock of f unless another opening of it has the lock. On a file system without locks it succeeds: several
// processes may then do the same work, and the last one's entry stays.
func tryLock(f *os.File) (bool, error) {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil, errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOSYS):
			return true, nil
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		default:
			return false, err
		}
	}
}

// openChannel creates a fifo and opens both its ends, so that neither side ever waits for the other to open it.
func openChannel(path string) (*os.File, error) {
	if err := unix.Mkfifo(path, 0o600); err != nil {
		return nil, &os.PathError{Op: "mkfifo", Path: path, Err: err}
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		os.Remove(path)
	}
	return f, err
}
