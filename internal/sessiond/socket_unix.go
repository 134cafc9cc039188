//go:build unix

package sessiond

import (
	"errors"
	"os"
	"syscall"
)

// Sockets are plain files here, which read, write, close and keep deadlines. Package net would add its start-up time.

// newSocket creates an unconnected stream socket that no child inherits.
func newSocket() (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return -1, os.NewSyscallError("socket", err)
	}
	syscall.CloseOnExec(fd)
	return fd, nil
}

// socketFile takes ownership of a descriptor.
func socketFile(fd int) (*os.File, error) {
	if err := syscall.SetNonblock(fd, true); err != nil {
		syscall.Close(fd)
		return nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fd), "socket"), nil
}

// listen creates a socket file and listens on it.
func listen(path string) (*os.File, error) {
	fd, err := newSocket()
	if err != nil {
		return nil, err
	}
	err = os.NewSyscallError("bind", syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}))
	if err == nil {
		err = os.NewSyscallError("listen", syscall.Listen(fd, backlog))
	}
	if err != nil {
		syscall.Close(fd)
		return nil, err
	}
	return socketFile(fd)
}

// backlog is how many clients may wait to be accepted; the system has its own bound.
const backlog = 4096

// connect does not block: a Unix socket connects at once or fails. EAGAIN means that the queue is full.
func connect(path string) (*os.File, error) {
	fd, err := newSocket()
	if err != nil {
		return nil, err
	}
	f, err := socketFile(fd)
	if err != nil {
		return nil, err
	}
	if err := syscall.Connect(fd, &syscall.SockaddrUnix{Name: path}); err != nil {
		f.Close()
		return nil, os.NewSyscallError("connect", err)
	}
	return f, nil
}

// accept waits for the next client until the deadline of l.
func accept(l *os.File) (conn *os.File, err error) {
	raw, err := l.SyscallConn()
	if err != nil {
		return nil, err
	}
	nfd := -1
	rerr := raw.Read(func(fd uintptr) bool {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if nfd, _, err = syscall.Accept(int(fd)); err == nil {
			syscall.CloseOnExec(nfd)
		}
		return !errors.Is(err, syscall.EAGAIN)
	})
	switch {
	case rerr != nil:
		return nil, rerr
	case err != nil:
		return nil, os.NewSyscallError("accept", err)
	}
	return socketFile(nfd)
}

// onSocket calls use with the descriptor of a socket.
func onSocket(f *os.File, use func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	cerr := raw.Control(func(fd uintptr) { err = use(int(fd)) })
	return errors.Join(err, cerr)
}

// samePeer returns an error if the process at the other end belongs to another user.
func samePeer(conn *os.File) error {
	uid, _, err := credentials(conn)
	if err == nil && uid != os.Geteuid() {
		err = errors.New("the other end of the socket belongs to another user")
	}
	return err
}
