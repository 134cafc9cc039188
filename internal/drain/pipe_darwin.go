package drain

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const fionread = 0x4004667f // FIONREAD of <sys/filio.h>

func pipeCloexec(fds *[2]int) error {
	syscall.ForkLock.RLock() // there is no pipe2: no fork may happen between the calls
	defer syscall.ForkLock.RUnlock()
	if err := unix.Pipe(fds[:]); err != nil {
		return err
	}
	unix.CloseOnExec(fds[0])
	unix.CloseOnExec(fds[1])
	return nil
}

// Grow does nothing: this kernel sizes pipes by itself.
func Grow(fd, size int) {}
