//go:build unix

package embedded

import (
	"os"

	"golang.org/x/sys/unix"

	"pi/internal/drain"
)

// readerGone reports whether f is the writing end of a pipe that nobody reads any more.
func readerGone(f *os.File) bool {
	gone := false
	drain.Control(f, func(fd int) {
		p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		n, err := unix.Poll(p, 0)
		gone = err == nil && n == 1 && p[0].Revents&unix.POLLERR != 0
	})
	return gone
}

// duplicate opens the file behind f once more.
func duplicate(f *os.File) (*os.File, error) {
	fd, err := -1, error(nil)
	drain.Control(f, func(old int) { fd, err = unix.FcntlInt(uintptr(old), unix.F_DUPFD_CLOEXEC, 3) })
	if err != nil || fd < 0 {
		return nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// release unblocks whoever waits for the other end of the named pipe to be opened.
func release(path string) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err == nil {
		unix.Close(fd)
	}
}
