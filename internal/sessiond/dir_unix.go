//go:build unix

package sessiond

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"pi/internal/toolcall"
)

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// place is the directory of the sockets, opened and found to be private.
type place struct {
	dir  string
	file *os.File
}

// open opens the directory; create makes it if need be. Without, a missing one is fs.ErrNotExist.
func (h *Hosts) open(create bool) (*place, error) { return openPlace(h.dir, create) }

func openPlace(dir string, create bool) (*place, error) {
	if create {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("session directory: %w", err)
		}
	}
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, fmt.Errorf("session directory: %w", err)
	}
	if err := private(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("session directory %s %w", dir, err)
	}
	return &place{dir, f}, nil
}

// private checks the owner, and takes the rights of all others away.
func private(dir *os.File) error {
	st, err := dir.Stat()
	if err != nil {
		return err
	}
	if own, ok := st.Sys().(*syscall.Stat_t); ok && int(own.Uid) != os.Geteuid() {
		return errors.New("belongs to another user")
	}
	if st.Mode().Perm() != 0o700 {
		return dir.Chmod(0o700)
	}
	return nil
}

func (p *place) close() { p.file.Close() }

// maxPath is what fits into a socket address on every Unix, with its final zero.
const maxPath = 104

// path names a file of the directory in a way that a socket address can hold.
func (p *place) path(file string) (string, error) {
	path := filepath.Join(p.dir, file)
	switch {
	case len(path) < maxPath:
		return path, nil
	case runtime.GOOS == "linux":
		return "/proc/self/fd/" + strconv.Itoa(int(p.file.Fd())) + "/" + file, nil
	}
	return "", fmt.Errorf("session directory %s: its name is too long for a socket; set XDG_RUNTIME_DIR to a shorter one", p.dir)
}

// lock takes the directory's lock, which start and end of hosts hold. It is given back by close.
func (p *place) lock(limit time.Duration) error {
	deadline := time.Now().Add(limit)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := unix.Flock(int(p.file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil, errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOSYS):
			return nil
		case errors.Is(err, unix.EWOULDBLOCK) && time.Now().After(deadline):
			return fmt.Errorf("session directory %s: another pi holds its lock for more than %s", p.dir, limit)
		case errors.Is(err, unix.EWOULDBLOCK), errors.Is(err, unix.EINTR):
			time.Sleep(pause)
		default:
			return fmt.Errorf("lock session directory %s: %w", p.dir, err)
		}
	}
}

// names lists the sessions that have a socket.
func (p *place) names() (list []string, err error) {
	entries, err := os.ReadDir(p.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), socketSuffix); ok && toolcall.CheckSessionName(name) == nil {
			list = append(list, name)
		}
	}
	return list, err
}

// leaving is the name of a socket whose host is about to go; no session has it.
func leaving(name string) string { return "." + name + socketSuffix }

// sweep removes the socket of a host that is gone. The caller holds the lock.
func (p *place) sweep(name string) {
	_ = os.Remove(filepath.Join(p.dir, name+socketSuffix))
	_ = os.Remove(filepath.Join(p.dir, leaving(name)))
}
