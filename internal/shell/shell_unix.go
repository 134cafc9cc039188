//go:build unix

package shell

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

var executableSuffixes = []string{""}

// executable asks the kernel, which knows about ACLs and noexec mounts too.
func executable(path string, _ fs.FileInfo) bool { return unix.Access(path, unix.X_OK) == nil }

// Owned reports whether a file belongs to the user that this process runs as.
func Owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}
