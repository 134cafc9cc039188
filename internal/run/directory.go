package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Directory resolves a working directory against base, symbolic links included. An empty dir is base itself; an empty
// base is this process's own directory. The error texts are part of the contract.
func Directory(base, dir string) (string, error) {
	if base == "" && !filepath.IsAbs(dir) {
		wd, err := syscall.Getwd() // the physical path; os.Getwd would trust $PWD
		if err != nil {
			return "", errors.New("Working directory does not exist: pi was started in a directory that is gone")
		}
		if dir == "" {
			return wd, nil
		}
		base = wd
	}
	path := dir
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, dir)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", directoryError(path, err)
	}
	st, err := os.Stat(real)
	if err != nil {
		return "", directoryError(path, err)
	}
	if !st.IsDir() {
		return "", fmt.Errorf("Working directory is not a directory: %s", path)
	}
	if !enterable(real) {
		return "", fmt.Errorf("Working directory is not accessible: %s", path)
	}
	return real, nil
}

func directoryError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("Working directory does not exist: %s", path)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("Working directory is not a directory: %s", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("Working directory is not accessible: %s", path)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err // the path is named already
	}
	return fmt.Errorf("Working directory cannot be used: %s: %s", path, strings.TrimPrefix(err.Error(), "EvalSymlinks: "))
}
