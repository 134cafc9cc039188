//go:build unix

package drain

import (
	"os"

	"golang.org/x/sys/unix"
)

// Pipe creates a pipe. The runtime poller knows its reading end, so that deadlines work; its writing end blocks, as every
// program expects of its standard output. size is the requested buffer size in bytes.
func Pipe(size int) (r, w *os.File, err error) {
	rfd, wfd, err := RawPipe(size)
	if err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(rfd), "|0"), os.NewFile(uintptr(wfd), "|1"), nil
}

// RawPipe creates the pipe that [Pipe] does, as descriptors that the runtime poller does not know yet. The reading end does
// not block. Both ends are close-on-exec.
func RawPipe(size int) (r, w int, err error) {
	var fds [2]int
	if err := pipeCloexec(&fds); err != nil {
		return -1, -1, os.NewSyscallError("pipe", err)
	}
	Grow(fds[0], size)
	if err := unix.SetNonblock(fds[0], true); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return -1, -1, os.NewSyscallError("fcntl", err)
	}
	return fds[0], fds[1], nil
}
