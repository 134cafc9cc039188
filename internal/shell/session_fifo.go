//go:build unix

package shell

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// fifoPlace makes named pipes in a private directory, for systems where nobody can open the descriptors of another
// process. The directory goes when the place is closed. One whose owner was killed is removed when somebody makes the
// next: whoever owns one has it locked.
type fifoPlace struct {
	dir  string
	lock int
	made int
}

// placePrefix is how the names of these directories begin.
const placePrefix = "pi-session-"

func newFifoPlace() (*fifoPlace, error) {
	sweepPlaces(os.TempDir(), time.Now().Add(-fifoYoung))
	dir, err := os.MkdirTemp("", placePrefix) // 0700
	if err != nil {
		return nil, err
	}
	p := &fifoPlace{dir: dir, lock: -1}
	if p.lock, err = lockDir(dir); err != nil {
		p.close()
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return p, nil
}

// lockDir locks a directory, without waiting for anybody who has it locked.
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

// sweepPlaces removes what killed owners left in base. What is younger than before may not be locked yet.
func sweepPlaces(base string, before time.Time) {
	list, _ := filepath.Glob(filepath.Join(base, placePrefix+"*"))
	for _, dir := range list {
		st, err := os.Lstat(dir)
		if err != nil || !st.IsDir() || !owned(st) || st.ModTime().After(before) {
			continue
		}
		if fd, err := lockDir(dir); err == nil {
			_ = os.RemoveAll(dir)
			unix.Close(fd)
		}
	}
}

func (f *fifoPlace) pipe() (rawPipe, error) {
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
	growPipe(p.r)
	return p, nil
}

func (f *fifoPlace) close() {
	_ = os.RemoveAll(f.dir)
	if f.lock >= 0 {
		unix.Close(f.lock)
		f.lock = -1
	}
}

// relay makes what comes out of a named pipe readable from one without a name, which the runtime poller can wait for:
// that of macOS is not told of a named pipe's end. It owns fd, a reading end that does not block, and gives it up at
// its end, or when nobody wants to read on. Where no pipe can be had, fd itself has to do.
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

// copyOver copies what is there. It is true at the end of from, and when to takes no more.
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
