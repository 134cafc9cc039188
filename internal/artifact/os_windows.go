package artifact

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// owned is true: the directory's access list decides on Windows.
func owned(fs.FileInfo) bool { return true }

// private is true: there are no modes to tighten on Windows.
func private(fs.FileInfo) bool { return true }

// tryLock locks one byte far behind any content, since a lock on Windows keeps others from reading what it covers.
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
