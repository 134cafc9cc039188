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

// socketDir is the directory of the sockets, opened and private.
type socketDir struct {
	path string
	file *os.File
}

func (c *Client) openDir(create bool) (*socketDir, error) { return openDir(c.dir, create) }

// openDir opens the directory and creates it if asked to. Otherwise a missing one is fs.ErrNotExist.
func openDir(path string, create bool) (*socketDir, error) {
	if create {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, fmt.Errorf("session directory: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, fmt.Errorf("session directory: %w", err)
	}
	if err := makePrivate(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("session directory %s %w", path, err)
	}
	return &socketDir{path, f}, nil
}

// makePrivate checks the owner and removes the permissions of everybody else.
func makePrivate(dir *os.File) error {
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

func (d *socketDir) close() { d.file.Close() }

// maxAddress is what fits into a socket address on every Unix, including its final zero.
const maxAddress = 104

// address returns the path of a file in the directory, in a form that a socket address can hold.
func (d *socketDir) address(file string) (string, error) {
	path := filepath.Join(d.path, file)
	switch {
	case len(path) < maxAddress:
		return path, nil
	case runtime.GOOS == "linux":
		return "/proc/self/fd/" + strconv.Itoa(int(d.file.Fd())) + "/" + file, nil
	}
	return "", fmt.Errorf("session directory %s: its name is too long for a socket; set XDG_RUNTIME_DIR to a shorter one", d.path)
}

// lock takes the directory's lock, which guards the start and the exit of daemons. close releases it.
func (d *socketDir) lock(limit time.Duration) error {
	deadline := time.Now().Add(limit)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := unix.Flock(int(d.file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil, errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOSYS):
			return nil
		case errors.Is(err, unix.EWOULDBLOCK) && time.Now().After(deadline):
			return fmt.Errorf("session directory %s: another pi has held its lock for more than %s", d.path, limit)
		case errors.Is(err, unix.EWOULDBLOCK), errors.Is(err, unix.EINTR):
			time.Sleep(pause)
		default:
			return fmt.Errorf("lock session directory %s: %w", d.path, err)
		}
	}
}

// names lists the sessions that have a socket.
func (d *socketDir) names() (list []string, err error) {
	entries, err := os.ReadDir(d.path)
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

// retiredSocket is the name of a socket whose daemon is about to exit. No session has a name with a leading dot.
func retiredSocket(name string) string { return "." + name + socketSuffix }

// remove removes the socket of a daemon that is gone. The caller holds the lock.
func (d *socketDir) remove(name string) {
	_ = os.Remove(filepath.Join(d.path, name+socketSuffix))
	_ = os.Remove(filepath.Join(d.path, retiredSocket(name)))
}
