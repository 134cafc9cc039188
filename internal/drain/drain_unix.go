//go:build unix

package drain

import (
	"os"

	"golang.org/x/sys/unix"
)

// Buffered returns the number of bytes that can be read from a descriptor now; 0 on errors.
func Buffered(fd int) int {
	n, _ := unix.IoctlGetInt(fd, fionread)
	return n
}

// buffered is [Buffered] for a file.
func buffered(f *os.File) (n int) {
	Control(f, func(fd int) { n = Buffered(fd) })
	return n
}

// readNow reads without waiting and ignores deadlines.
func readNow(f *os.File, buf []byte) (n int, s readState) {
	s = atEnd
	Control(f, func(fd int) {
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

// Control calls do with f's descriptor, which do must not keep. Unlike [os.File.Fd] it leaves the file under the runtime
// poller. If f is closed, do is not called.
func Control(f *os.File, do func(fd int)) {
	c, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = c.Control(func(fd uintptr) { do(int(fd)) })
}
