package tty

import (
	"syscall"

	"golang.org/x/sys/unix"
)

func pipe(p *[2]int) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := unix.Pipe(p[:]); err != nil {
		return err
	}
	for _, fd := range p {
		unix.CloseOnExec(fd)
		_ = unix.SetNonblock(fd, true)
	}
	return nil
}
