package sessiond

import (
	"os"
	"syscall"
)

// credentials returns those of the process at the other end: the one that listens, or the one that connected.
func credentials(conn *os.File) (uid, pid int, err error) {
	err = onSocket(conn, func(fd int) error {
		cred, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
		if err != nil {
			return os.NewSyscallError("getsockopt", err)
		}
		uid, pid = int(cred.Uid), int(cred.Pid)
		return nil
	})
	return uid, pid, err
}

// own makes clients of a listening socket see this process; before, they see the one that called listen first.
func own(l *os.File) error {
	return onSocket(l, func(fd int) error { return os.NewSyscallError("listen", syscall.Listen(fd, backlog)) })
}
