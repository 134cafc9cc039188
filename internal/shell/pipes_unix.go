//go:build unix

package shell

import (
	"os"

	"golang.org/x/sys/unix"
)

// newPipe makes a pipe whose reading end is under the runtime poller, so that deadlines work, and whose writing end
// blocks, as every program expects of its standard output.
func newPipe() (r, w *os.File, err error) {
	var fds [2]int
	if err := pipeCloexec(&fds); err != nil {
		return nil, nil, os.NewSyscallError("pipe", err)
	}
	growPipe(fds[0])
	if err := unix.SetNonblock(fds[0], true); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return nil, nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fds[0]), "|0"), os.NewFile(uintptr(fds[1]), "|1"), nil
}

// buffered is the number of bytes that wait in the pipe.
func buffered(f *os.File) int {
	n := 0
	control(f, func(fd int) { n, _ = unix.IoctlGetInt(fd, fionread) })
	return n
}

// readNow reads without waiting and without regard to deadlines.
func readNow(f *os.File, buf []byte) (n int, s readState) {
	s = atEnd
	control(f, func(fd int) {
		var err error
		for {
			n, err = unix.Read(fd, buf)
			if err != unix.EINTR {
				break
			}
		}
		if err == unix.EAGAIN {
			s = empty
		}
	})
	return max(n, 0), s
}

func control(f *os.File, do func(fd int)) {
	c, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = c.Control(func(fd uintptr) { do(int(fd)) })
}
