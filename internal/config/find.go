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

// maxFile bounds a configuration file; more is no configuration, and /dev/zero ends.
const maxFile = 1 << 20

// pipeWait bounds the reading of a configuration that comes through a pipe, as in --config <(…).
const pipeWait = 10 * time.Second

// Location is the configuration file that a load reads.
type Location struct {
	Path   string // empty: there is none to look for, no home directory is known
	Source string // what chose it: "--config", "PI_CONFIG" or "default"
}

// Asked reports whether the user named the file, so that its absence is an error.
func (l Location) Asked() bool { return l.Source != "default" }

// Locate chooses the file: --config, else PI_CONFIG, else ${XDG_CONFIG_HOME:-~/.config}/pi/config.yaml. A relative
// XDG_CONFIG_HOME or HOME does not count, so that nothing is ever read from the working directory unasked.
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

// read is the text of the file; found is false when a file nobody asked for is not there.
func (l Location) read() (text []byte, found bool, err error) {
	if l.Path == "" {
		return nil, false, nil
	}
	text, err = readFile(l.Path)
	if err != nil && !l.Asked() && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, &Error{File: l.Path, Reason: l.reason(err)}
	}
	return text, true, nil
}

// reason words a failed read without the path, which the error names already.
func (l Location) reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	words := "cannot read the configuration: " + strings.TrimSuffix(err.Error(), "\n")
	if l.Asked() {
		words += " (named by " + l.Source + ")"
	}
	return words
}

// readFile reads at most maxFile bytes and never waits for ever: a pipe is opened without waiting for its writer and
// read with a deadline.
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
		return nil, errors.New("it is a directory")
	}
	if !info.Mode().IsRegular() {
		_ = f.SetReadDeadline(time.Now().Add(pipeWait)) // refused by what never waits, /dev/null
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("it is larger than %d bytes", maxFile)
	}
	return text, err
}

func open(path string) (*os.File, error) {
	if runtime.GOOS == "windows" {
		return os.Open(path)
	}
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
