package shell

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const fionread = 0x4004667f // FIONREAD of <sys/filio.h>

func pipeCloexec(fds *[2]int) error {
	syscall.ForkLock.RLock() // no pipe2: keep a fork from happening between the two calls
	defer syscall.ForkLock.RUnlock()
	if err := unix.Pipe(fds[:]); err != nil {
		return err
	}
	unix.CloseOnExec(fds[0])
	unix.CloseOnExec(fds[1])
	return nil
}

func growPipe(int) {} // the kernel sizes pipes by itself
