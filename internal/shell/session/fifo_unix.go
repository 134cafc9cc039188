//go:build unix

package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"pi/internal/drain"
	"pi/internal/shell"
)

// fifoTransport creates named pipes in a private directory, for systems where a process cannot open the descriptors of another.
// close removes the directory. The owner of a directory has it locked; if it was killed, the next one to create a directory
// removes the old one.
type fifoTransport struct {
	dir  string
	lock int
	made int
}

// dirPrefix begins the names of these directories.
const dirPrefix = "pi-session-"

func newFifoTransport() (*fifoTransport, error) {
	sweepDirs(os.TempDir(), time.Now().Add(-staleDir))
	dir, err := os.MkdirTemp("", dirPrefix) // 0700
	if err != nil {
		return nil, err
	}
	p := &fifoTransport{dir: dir, lock: -1}
	if p.lock, err = lockDir(dir); err != nil {
		p.close()
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return p, nil
}

// lockDir locks a directory; it fails at once if somebody else has locked it.
func lockDir(dir string) (int, error) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// sweepDirs removes the directories of killed owners from base. Those younger than before may not be locked yet.
func sweepDirs(base string, before time.Time) {
	list, _ := filepath.Glob(filepath.Join(base, dirPrefix+"*"))
	for _, dir := range list {
		st, err := os.Lstat(dir)
		if err != nil || !st.IsDir() || !shell.Owned(st) || st.ModTime().After(before) {
			continue
		}
		if fd, err := lockDir(dir); err == nil {
			_ = os.RemoveAll(dir)
			unix.Close(fd)
		}
	}
}

func (f *fifoTransport) pipe() (rawPipe, error) {
	f.made++
	p := rawPipe{r: -1, w: -1, path: filepath.Join(f.dir, strconv.Itoa(f.made)), fifo: true}
	err := unix.Mkfifo(p.path, 0o600)
	if err == nil {
		p.r, err = unix.Open(p.path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	}
	if err == nil {
		p.w, err = unix.Open(p.path, unix.O_WRONLY|unix.O_CLOEXEC, 0) // there is a reader, so this does not wait
	}
	if err != nil {
		p.close()
		return rawPipe{}, &os.PathError{Op: "make fifo", Path: p.path, Err: err}
	}
	drain.Grow(p.r, pipeSize)
	return p, nil
}

func (f *fifoTransport) close() {
	_ = os.RemoveAll(f.dir)
	if f.lock >= 0 {
		unix.Close(f.lock)
		f.lock = -1
	}
}

// relay copies a named pipe to an anonymous one, because the runtime poller of macOS does not see the end of a named pipe. It owns
// fd, a reading end that does not block, and closes it at end of file, or when nobody reads the copy any more. If no pipe can be
// created it returns fd itself.
func relay(fd int) *os.File {
	p, err := newRawPipe()
	if err != nil {
		return os.NewFile(uintptr(fd), "|0")
	}
	if atEnd := copyOver(p.w, fd); atEnd {
		unix.Close(p.w)
		unix.Close(fd)
	} else {
		go func() {
			defer unix.Close(p.w)
			defer unix.Close(fd)
			for pause := relayFirst; !copyOver(p.w, fd); pause = min(2*pause, relayMost) {
				fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(p.w)}}
				if n, _ := unix.Poll(fds, int(pause.Milliseconds())); n > 0 && fds[1].Revents != 0 {
					return
				}
			}
		}()
	}
	return os.NewFile(uintptr(p.r), "|0")
}

// copyOver copies what can be read now. It returns true at the end of from, and if to cannot be written any more.
func copyOver(to, from int) bool {
	var buf [16 << 10]byte
	for {
		n, err := unix.Read(from, buf[:])
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			return false
		case err != nil || n == 0:
			return true
		default:
			if !writeAll(to, buf[:n]) {
				return true
			}
		}
	}
}

func writeAll(fd int, p []byte) bool {
	for len(p) > 0 {
		n, err := unix.Write(fd, p)
		if err != nil && err != unix.EINTR {
			return false
		}
		p = p[max(n, 0):]
	}
	return true
}
