//go:build unix

package artifact

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// owned reports whether the file belongs to the effective user.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}

// private reports whether only the owner has access to a directory.
func private(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 == 0 }

// tryLock tries to take the advisory lock of f and reports whether it succeeded. The lock is released with the last
// descriptor of this open file. On a file system without locks it always succeeds: O_EXCL still keeps ids distinct, but
// artifacts that are being written are not protected.
func tryLock(f *os.File, exclusive bool) (bool, error) {
	how := unix.LOCK_SH | unix.LOCK_NB
	if exclusive {
		how = unix.LOCK_EX | unix.LOCK_NB
	}
	for {
		err := unix.Flock(int(f.Fd()), how)
		switch {
		case err == nil, errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOSYS):
			return true, nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		default:
			return false, err
		}
	}
}
