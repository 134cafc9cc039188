package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// backupSuffix is added to a file's name for the text from before pi.
const backupSuffix = ".before-pi"

// maxFile bounds a configuration file, in bytes.
const maxFile = 64 << 20

// file is a configuration file as it was read.
type file struct {
	path string      // links followed
	text []byte      // nil: there is none
	info fs.FileInfo // of it; nil: there is none
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readFile reads the file behind a name. A link is followed, so that it stays a link.
func readFile(path string) (file, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return file{}, fmt.Errorf("%s is a link to a file that does not exist", path)
		}
		return file{path: path}, nil
	}
	if err != nil {
		return file{}, err
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return file{}, err
	case !info.Mode().IsRegular():
		return file{}, fmt.Errorf("%s is no plain file", real)
	case info.Size() > maxFile:
		return file{}, fmt.Errorf("%s is larger than %d MiB", real, maxFile>>20)
	}
	text, err := os.ReadFile(real)
	if text == nil {
		text = []byte{}
	}
	return file{real, text, info}, err
}

// Do writes a change: first the backup, then the file in one step. It fails if the file has changed since it was looked
// at.
func (c Change) Do() error {
	if c.Same() {
		return nil
	}
	now, err := readFile(c.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now.text, c.Before) || (now.text == nil) != (c.Before == nil) {
		return fmt.Errorf("%s was changed by somebody else just now; try again", c.Path)
	}
	if c.backup != nil {
		if err := replace(c.Backup(), c.backup, c.file.info); err != nil {
			return fmt.Errorf("keep a backup: %w", err)
		}
	}
	if c.After == nil {
		err = os.Remove(c.Path)
	} else {
		err = replace(c.Path, c.After, c.file.info)
	}
	if err == nil && c.unback {
		err = os.Remove(c.Backup())
	}
	return err
}

// replace puts text in the place of a file, with the permissions and the owner of like; nil: for the user alone.
func replace(path string, text []byte, like fs.FileInfo) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".pi-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if like != nil {
		err = errors.Join(err, sameOwner(f, like), f.Chmod(like.Mode().Perm()))
	}
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
