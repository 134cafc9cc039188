package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// openDir opens the store's directory for reading. A missing one is fs.ErrNotExist.
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
		err = errors.New("changed while it was opened")
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

// makeDir opens the store's directory for writing: it is made with its parents when missing, must be ours, and is
// closed to others.
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
	if err := s.claim(root, fresh); err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// mkdirAll creates a directory and its parents, each 0700 at once: a umask that takes the owner's own rights would else
// keep the next one from being made, now and for ever.
func mkdirAll(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err // a file in the way is told when it is opened
	}
	if err := mkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil // another process was quicker
		}
		return err
	}
	return os.Chmod(path, 0o700)
}

// claim checks the owner and takes the rights of all others away; rights are added to a fresh one only, where
// the umask may have taken them. A directory that is open to others is tightened only when it is a store already or
// empty: nobody's /tmp or home directory becomes private because a setting named it. One that holds other things and
// cannot be written by others is used as it is, since the files themselves are 0600.
func (s *Store) claim(root *os.Root, fresh bool) error {
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
	if fresh || ours(root) {
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

// ours reports whether the directory is a store or empty.
func ours(root *os.Root) bool {
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
