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
type rawPipe struct {
	r, w int    // -1: closed
	path string // under which others can open either end; empty: they cannot
	fifo bool   // path is a named pipe, to be removed
}

func newRawPipe() (rawPipe, error) {
	var fds [2]int
	if err := pipeCloexec(&fds); err != nil {
		return rawPipe{}, os.NewSyscallError("pipe", err)
	}
	growPipe(fds[0])
	p := rawPipe{r: fds[0], w: fds[1]}
	if err := unix.SetNonblock(p.r, true); err != nil {
		p.close()
		return rawPipe{}, os.NewSyscallError("fcntl", err)
	}
	return p, nil
}

func (p *rawPipe) close() {
	p.hide()
	for _, fd := range []int{p.r, p.w} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	p.r, p.w = -1, -1
}

// hide keeps everybody from opening it once more.
func (p *rawPipe) hide() {
	if p.fifo {
		_ = unix.Unlink(p.path)
		p.fifo = false
	}
}

// word is the path as a word of shell text.
func (p *rawPipe) word() string {
	if p.fifo {
		return quote(p.path)
	}
	return p.path
}

// reader gives up the writing end, and makes a file of the other.
func (p *rawPipe) reader() *os.File {
	unix.Close(p.w)
	if p.fifo {
		p.hide()
		return relay(p.r)
	}
	return os.NewFile(uintptr(p.r), "|0")
}
