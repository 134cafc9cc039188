package artifact

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// owned returns true: on Windows the directory's access control list decides.
func owned(fs.FileInfo) bool { return true }

// private returns true: Windows has no file modes.
func private(fs.FileInfo) bool { return true }

// tryLock tries to lock one byte far beyond any content and reports whether it succeeded. A lock on Windows prevents
// others from reading the locked range.
func tryLock(f *os.File, exclusive bool) (bool, error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	at := &windows.Overlapped{Offset: 0xfffffffe, OffsetHigh: 0x7fffffff}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}
