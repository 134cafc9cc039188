//go:build unix

package drain

import (
	"os"

	"golang.org/x/sys/unix"
)

// buffered is the number of bytes that wait to be read.
func buffered(f *os.File) int {
	n := 0
	Control(f, func(fd int) { n, _ = unix.IoctlGetInt(fd, fionread) })
	return n
}

// readNow reads without waiting and without regard to deadlines.
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

// Control calls do with f's descriptor, which must not be kept. Unlike [os.File.Fd] it leaves the file under the runtime
// poller. Nothing is called when f is closed.
func Control(f *os.File, do func(fd int)) {
	c, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = c.Control(func(fd uintptr) { do(int(fd)) })
}
