//go:build unix

package session

import (
	"os"

	"golang.org/x/sys/unix"

	"pi/internal/drain"
)

// rawPipe is a pipe that the runtime poller does not know yet. Its reading end does not block.
type rawPipe struct {
	r, w int    // -1: closed
	path string // under which others can open either end; empty: they cannot
	fifo bool   // path is a named pipe, which must be removed
}

func newRawPipe() (p rawPipe, err error) {
	p.r, p.w, err = drain.RawPipe(pipeSize)
	return p, err
}

func (p *rawPipe) close() {
	p.unlink()
	for _, fd := range []int{p.r, p.w} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	p.r, p.w = -1, -1
}

// unlink prevents further opening.
func (p *rawPipe) unlink() {
	if p.fifo {
		_ = unix.Unlink(p.path)
		p.fifo = false
	}
}

// word returns the path as a word of shell text.
func (p *rawPipe) word(l language) string {
	if p.fifo {
		return l.quote(p.path)
	}
	return p.path
}

// reader closes the writing end and returns the reading end as a file.
func (p *rawPipe) reader() *os.File {
	unix.Close(p.w)
	if p.fifo {
		p.unlink()
		return relay(p.r)
	}
	return os.NewFile(uintptr(p.r), "|0")
}

// hasData reports whether something can be read from the pipe.
func (p *rawPipe) hasData() bool { return drain.Buffered(p.r) > 0 }
