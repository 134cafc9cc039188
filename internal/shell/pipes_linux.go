package shell

import "golang.org/x/sys/unix"

const fionread = unix.TIOCINQ // the same number under its Linux name

func pipeCloexec(fds *[2]int) error { return unix.Pipe2(fds[:], unix.O_CLOEXEC) }

func growPipe(fd int) { _, _ = unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, pipeSize) }
