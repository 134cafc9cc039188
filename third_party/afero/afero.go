// Package afero stands in for github.com/spf13/afero, of which viper needs one file system: the operating system's.
// The real package links net/http for a file system that serves web pages, and with it TLS and all of its
// cryptography: 1.4 MB of pi's 8, and a twentieth of what each start costs. What is here does what the names say, in
// terms of package os; docs/internals/dependencies.md says when it can go.
package afero

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is an open file.
type File interface {
	io.ReadWriteCloser
	Sync() error
}

// Fs is a file system.
type Fs interface {
	Open(name string) (File, error)
	OpenFile(name string, flag int, perm os.FileMode) (File, error)
	Stat(name string) (os.FileInfo, error)
	// Walk is filepath.Walk in this file system.
	Walk(root string, visit filepath.WalkFunc) error
}

// NewOsFs is the operating system's file system.
func NewOsFs() Fs { return osFs{} }

type osFs struct{}

func (osFs) Open(name string) (File, error) { return os.Open(name) }

func (osFs) OpenFile(name string, flag int, perm os.FileMode) (File, error) {
	return os.OpenFile(name, flag, perm)
}

func (osFs) Stat(name string) (os.FileInfo, error) { return os.Stat(name) }

func (osFs) Walk(root string, visit filepath.WalkFunc) error { return filepath.Walk(root, visit) }

// ReadFile is the whole content of a file.
func ReadFile(fsys Fs, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Exists tells whether there is a file or directory of that name.
func Exists(fsys Fs, name string) (bool, error) {
	_, err := fsys.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Walk is filepath.Walk in fsys.
func Walk(fsys Fs, root string, visit filepath.WalkFunc) error { return fsys.Walk(root, visit) }
