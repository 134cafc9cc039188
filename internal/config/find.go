package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"pi/internal/environ"
)

// maxFile limits the bytes of a configuration file, so that reading /dev/zero ends.
const maxFile = 1 << 20

// pipeWait limits the time to read a configuration from a pipe, as in --config <(…).
const pipeWait = 10 * time.Second

// Location names the configuration file that [Load] reads.
type Location struct {
	Path   string // empty: no file, since the home directory is unknown
	Source string // what named it: "--config", "PI_CONFIG" or "default"
}

// Explicit reports whether the user named the file, so that a missing file is an error.
func (l Location) Explicit() bool { return l.Source != "default" }

// Locate returns the file to read: --config, else PI_CONFIG, else ${XDG_CONFIG_HOME:-~/.config}/pi/config.yaml. It
// ignores a relative XDG_CONFIG_HOME or HOME, so that pi never reads a file of the working directory by itself. It does
// not touch the disk.
func Locate(o LoadOptions) Location {
	if o.File != "" {
		return Location{o.File, "--config"}
	}
	if named := environ.Get(o.Environ, "PI_CONFIG"); named != "" {
		return Location{named, "PI_CONFIG"}
	}
	dir := environ.Get(o.Environ, "XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		home := environ.Home(o.Environ)
		if home == "" {
			return Location{"", "default"}
		}
		dir = filepath.Join(home, ".config")
	}
	return Location{filepath.Join(dir, "pi", "config.yaml"), "default"}
}

// read returns the text of the file. found is false if there is no file and the user named none.
func (l Location) read() (text []byte, found bool, err error) {
	if l.Path == "" {
		return nil, false, nil
	}
	text, err = readFile(l.Path)
	if err != nil && !l.Explicit() && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, &Error{File: l.Path, Reason: l.reason(err)}
	}
	return text, true, nil
}

// reason describes a failed read without the path, which [Error] has in a field of its own.
func (l Location) reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	words := "cannot read the configuration: " + strings.TrimSuffix(err.Error(), "\n")
	if l.Explicit() {
		words += " (named by " + l.Source + ")"
	}
	return words
}

// readFile returns at most maxFile bytes and never blocks for longer than pipeWait: it opens a pipe without waiting for
// a writer and reads with a deadline.
func readFile(path string) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errors.New("is a directory")
	}
	if !info.Mode().IsRegular() {
		_ = f.SetReadDeadline(time.Now().Add(pipeWait)) // fails for files that never block, such as /dev/null
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("larger than %d bytes", maxFile)
	}
	return text, err
}

func open(path string) (*os.File, error) {
	if runtime.GOOS == "windows" {
		return os.Open(path)
	}
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
