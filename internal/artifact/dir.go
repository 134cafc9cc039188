package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// openDir opens the store's directory for reading. The error is fs.ErrNotExist if it does not exist.
func (s *Store) openDir() (*os.Root, error) {
	if s.dir == "" {
		return nil, errors.New("no artifact directory is set")
	}
	before, err := os.Lstat(s.dir)
	if err != nil {
		return nil, fmt.Errorf("artifact directory: %w", err)
	}
	if !before.IsDir() {
		return nil, fmt.Errorf("artifact directory %s is %s", s.dir, notDir(before.Mode()))
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, fmt.Errorf("artifact directory: %w", err)
	}
	after, err := root.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = errors.New("changed while being opened")
	}
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("artifact directory %s: %w", s.dir, err)
	}
	return root, nil
}

func notDir(m fs.FileMode) string {
	if m.IsRegular() {
		return "a file"
	}
	return kind(m)
}

// makeDir opens the store's directory for writing. It creates the directory and its parents if necessary, checks that the
// user owns it, and removes the permissions of other users.
func (s *Store) makeDir() (*os.Root, error) {
	root, err := s.openDir()
	fresh := errors.Is(err, fs.ErrNotExist)
	if fresh {
		if err := mkdirAll(s.dir); err != nil {
			return nil, fmt.Errorf("artifact directory: %w", err)
		}
		root, err = s.openDir()
	}
	if err != nil {
		return nil, err
	}
	if err := s.secure(root, fresh); err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// mkdirAll creates a directory and its parents, each with mode 0700 at once: with a umask that removes the owner's own
// permissions it could not create the next one otherwise.
func mkdirAll(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err // a file with that name is reported when it is opened
	}
	if err := mkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil // another process created it first
		}
		return err
	}
	return os.Chmod(path, 0o700)
}

// secure checks the owner and removes the permissions of all other users. It adds permissions only to a directory that
// was just created, where the umask may have removed them. It changes the mode of an accessible directory only if that is
// a store or empty, so that a setting cannot make somebody's /tmp or home directory private. A directory with other files
// that others cannot write to is used as is, since the artifacts themselves have mode 0600.
func (s *Store) secure(root *os.Root, fresh bool) error {
	info, err := root.Stat(".")
	if err != nil {
		return fmt.Errorf("artifact directory %s: %w", s.dir, err)
	}
	if !owned(info) {
		return fmt.Errorf("artifact directory %s belongs to another user", s.dir)
	}
	mode := info.Mode().Perm()
	if private(info) && (!fresh || mode&0o700 == 0o700) {
		return nil
	}
	if fresh || isStoreOrEmpty(root) {
		if fresh {
			mode = 0o700
		}
		if err := root.Chmod(".", mode&^0o077); err != nil {
			return fmt.Errorf("artifact directory %s: %w", s.dir, err)
		}
		return nil
	}
	if mode&0o022 != 0 {
		return fmt.Errorf("artifact directory %s holds other files and can be written by others (mode %04o)", s.dir, mode)
	}
	return nil
}

// isStoreOrEmpty reports whether the directory is a store or empty.
func isStoreOrEmpty(root *os.Root) bool {
	if _, err := root.Lstat(counterName); err == nil {
		return true
	}
	d, err := root.Open(".")
	if err != nil {
		return false
	}
	defer d.Close()
	_, err = d.Readdirnames(1)
	return err == io.EOF
}
