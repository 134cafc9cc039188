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

// backupSuffix is appended to a file's name for the backup of its text without pi; if the name is taken, with .1, .2 and
// so on.
const backupSuffix = ".before-pi"

// maxBackups limits the number at the end of a backup's name.
const maxBackups = 1000

// maxFile limits the bytes of a file, so that editing takes a few seconds at most.
const maxFile = 32 << 20

// file is a settings file as it was read.
type file struct {
	path string      // with symbolic links resolved
	text []byte      // nil: the file does not exist
	info fs.FileInfo // nil: the file does not exist
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readFile reads a file. It follows symbolic links, so that writing the file keeps them.
func readFile(path string) (file, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return file{}, fmt.Errorf("%s is a symbolic link to a file that does not exist", path)
		}
		return file{path: path}, nil
	}
	if err != nil {
		if pe := (*fs.PathError)(nil); !errors.As(err, &pe) { // the error of a loop of links has no path
			err = fmt.Errorf("%s: %w", path, err)
		}
		return file{}, err
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return file{}, err
	case !info.Mode().IsRegular():
		return file{}, fmt.Errorf("%s is not a regular file", real)
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

// freeBackup returns the path for a backup of a file: one that holds the text already, else one that does not exist.
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
	return "", fmt.Errorf("all backups up to %s exist; remove some", backupName(f.path, maxBackups-1))
}

// backups returns the existing paths that have the name of a backup of the file, in the order of their numbers.
func backups(path string) (list []string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // a directory that cannot be read has no backups
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

// readBackup reads a regular file. It does not follow symbolic links, since pi never makes one.
func readBackup(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := readFile(path)
	return f.text, err
}

// writeBackup writes the backup unless it exists. It never overwrites a file.
func (c Change) writeBackup() (err error) {
	if saved, err := readBackup(c.backup); err == nil && bytes.Equal(saved, c.Before) {
		return nil
	}
	f, err := os.OpenFile(c.backup, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = writeAndClose(f, c.Before, c.file.info); err != nil {
		_ = os.Remove(c.backup)
	}
	return err
}

// removeBackup deletes the backup if it still holds the same text as the file.
func (c Change) removeBackup() error {
	saved, err := readBackup(c.backup)
	if err != nil || !bytes.Equal(saved, c.After) {
		return err
	}
	return os.Remove(c.backup)
}

// Apply makes the change: first the backup, then the file, which is replaced atomically. It returns an error and changes
// nothing if the file is not as it was when the change was planned.
func (c Change) Apply() error {
	if c.Same() {
		return nil
	}
	now, err := readFile(c.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now.text, c.Before) || (now.text == nil) != (c.Before == nil) {
		return fmt.Errorf("%s was changed by another program; try again", c.Path)
	}
	if c.makeBackup {
		if err := c.writeBackup(); err != nil {
			return fmt.Errorf("write the backup: %w", err)
		}
	}
	if c.After == nil {
		err = os.Remove(c.Path)
	} else {
		err = replaceFile(c.Path, c.After, c.file.info)
	}
	if err == nil && c.deleteBackup {
		err = c.removeBackup()
	}
	return err
}

// replaceFile writes a file atomically, with the permissions and the owner of like, or for the user only if like is nil.
func replaceFile(path string, text []byte, like fs.FileInfo) (err error) {
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
	if err = writeAndClose(f, text, like); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// writeAndClose writes text to a new file, gives it the permissions and the owner of like unless that is nil, and
// closes it.
func writeAndClose(f *os.File, text []byte, like fs.FileInfo) error {
	_, err := f.Write(text)
	if like != nil {
		err = errors.Join(err, copyOwner(f, like), f.Chmod(like.Mode().Perm()))
	}
	return errors.Join(err, f.Sync(), f.Close())
}
