//go:build unix

package shell

import (
	"os"

	"golang.org/x/sys/unix"
)

// newPipe makes a pipe whose reading end is under the runtime poller, so that deadlines work, and whose writing end
// blocks, as every program expects of its standard output.
func newPipe() (r, w *os.File, err error) {
	p, err := newRawPipe()
	if err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(p.r), "|0"), os.NewFile(uintptr(p.w), "|1"), nil
}

// rawPipe is a pipe that the runtime poller does not know of yet.
type rawPipe struct{ r, w int }

func newRawPipe() (rawPipe, error) {
	var fds [2]int
	if err := pipeCloexec(&fds); err != nil {
		return rawPipe{}, os.NewSyscallError("pipe", err)
	}
	growPipe(fds[0])
	p := rawPipe{fds[0], fds[1]}
	if err := unix.SetNonblock(p.r, true); err != nil {
		p.close()
		return rawPipe{}, os.NewSyscallError("fcntl", err)
	}
	return p, nil
}

func (p *rawPipe) close() {
	unix.Close(p.r)
	unix.Close(p.w)
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
