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
