package drain

import "golang.org/x/sys/unix"

const fionread = unix.TIOCINQ // FIONREAD under its Linux name

func pipeCloexec(fds *[2]int) error { return unix.Pipe2(fds[:], unix.O_CLOEXEC) }

// Grow requests a buffer of size bytes for the pipe that fd is an end of. If the kernel refuses, the buffer stays as it is.
func Grow(fd, size int) { _, _ = unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, size) }
