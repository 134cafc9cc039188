package sessiond

import (
	"os"
	"syscall"
)

// credentials are those of the process at the other end: of its listener, or of who connected.
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

// own makes this process the one that a listening socket's clients see; before, that is who called listen first.
func own(l *os.File) error {
	return onSocket(l, func(fd int) error { return os.NewSyscallError("listen", syscall.Listen(fd, backlog)) })
}
