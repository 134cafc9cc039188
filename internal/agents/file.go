package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// backupSuffix is added to a file's name for the text from before pi; if somebody else's file has that name, with .1, .2
// and so on.
const backupSuffix = ".before-pi"

// maxBackups bounds the number at the end of a backup's name.
const maxBackups = 1000

// maxFile bounds a configuration file, in bytes: what is edited within a few seconds.
const maxFile = 32 << 20

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
		if pe := (*fs.PathError)(nil); !errors.As(err, &pe) { // a loop of links comes without a name
			err = fmt.Errorf("%s: %w", path, err)
		}
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

func backupName(path string, i int) string {
	if i == 0 {
		return path + backupSuffix
	}
	return path + backupSuffix + "." + strconv.Itoa(i)
}

// freeBackup is where the text of a file can be kept: where it is already, or else under a name that nothing has.
func freeBackup(f file) (string, error) {
	for _, path := range backups(f.path) {
		if saved, err := readBackup(path); err == nil && bytes.Equal(saved, f.text) {
			return path, nil
		}
	}
	for i := range maxBackups {
		if _, err := os.Lstat(backupName(f.path, i)); errors.Is(err, fs.ErrNotExist) {
			return backupName(f.path, i), nil
		}
	}
	return "", fmt.Errorf("all backups up to %s are there; remove some", backupName(f.path, maxBackups-1))
}

// backups are the names beside a file that backups of it may have and that are taken, in the order of their numbers.
func backups(path string) (list []string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // what cannot be listed has no backups
	taken := map[string]bool{}
	for _, e := range entries {
		taken[e.Name()] = strings.HasPrefix(e.Name(), filepath.Base(path)+backupSuffix)
	}
	for i := range maxBackups {
		if name := backupName(path, i); taken[filepath.Base(name)] {
			list = append(list, name)
		}
	}
	return list
}

// readBackup reads a plain file. A link is not followed: pi makes none.
func readBackup(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no plain file", path)
	}
	f, err := readFile(path)
	return f.text, err
}

// keepBackup writes a backup, unless it is there already. What else has its name stays, and is an error.
func (c Change) keepBackup() (err error) {
	if saved, err := readBackup(c.backup); err == nil && bytes.Equal(saved, c.Before) {
		return nil
	}
	f, err := os.OpenFile(c.backup, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = fill(f, c.Before, c.file.info); err != nil {
		_ = os.Remove(c.backup)
	}
	return err
}

// dropBackup removes a backup, if it still holds what the file has now.
func (c Change) dropBackup() error {
	saved, err := readBackup(c.backup)
	if err != nil || !bytes.Equal(saved, c.After) {
		return err
	}
	return os.Remove(c.backup)
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
	if c.keep {
		if err := c.keepBackup(); err != nil {
			return fmt.Errorf("keep a backup: %w", err)
		}
	}
	if c.After == nil {
		err = os.Remove(c.Path)
	} else {
		err = replace(c.Path, c.After, c.file.info)
	}
	if err == nil && c.unkeep {
		err = c.dropBackup()
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
	if err = fill(f, text, like); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// fill writes a new file to its end and closes it, with the permissions and the owner of like; nil: as they are.
func fill(f *os.File, text []byte, like fs.FileInfo) error {
	_, err := f.Write(text)
	if like != nil {
		err = errors.Join(err, sameOwner(f, like), f.Chmod(like.Mode().Perm()))
	}
	return errors.Join(err, f.Sync(), f.Close())
}
