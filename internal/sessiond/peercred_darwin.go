package sessiond

import (
	"os"

	"golang.org/x/sys/unix"
)

// credentials returns the user of the process at the other end. The pid is 0: it would be that of the process that
// created the socket, which is not the daemon.
func credentials(conn *os.File) (uid, pid int, err error) {
	err = onSocket(conn, func(fd int) error {
		cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
		if err != nil {
			return os.NewSyscallError("getsockopt", err)
		}
		uid = int(cred.Uid)
		return nil
	})
	return uid, 0, err
}

func own(*os.File) error { return nil }
