//go:build unix

package doctor

import "golang.org/x/sys/unix"

// kernelName returns the kernel's name and release.
func kernelName() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return "unknown"
	}
	return unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
}

// freeBytes returns what an unprivileged user may still write to the file system of dir, -1 when unknown.
func freeBytes(dir string) int64 {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
