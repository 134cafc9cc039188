//go:build unix

package cmd

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// ownStreams moves standard input and output to descriptors that no child inherits, and replaces them by the null device
// and standard error.
func ownStreams(in, out *os.File) (io.ReadWriter, error) {
	r, err := moved(in)
	if err != nil {
		return nil, err
	}
	w, err := moved(out)
	if err != nil {
		return nil, err
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	if err := unix.Dup2(int(null.Fd()), int(in.Fd())); err != nil {
		return nil, os.NewSyscallError("dup2", err)
	}
	if err := unix.Dup2(int(os.Stderr.Fd()), int(out.Fd())); err != nil {
		return nil, os.NewSyscallError("dup2", err)
	}
	return stream{r, w}, nil
}

func moved(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}
