// Package artifact stores the complete output of commands whose shown text was truncated.
//
// A store is one private directory (0700). Each artifact is a plain file <id>.bash.log (0600) with its metadata in
// <id>.bash.json. Ids count up from 1 across all processes that share the directory and are never reused, not even after
// artifacts have been removed. Symbolic links are not followed, neither to the directory nor inside it.
//
// An artifact has a size cap. The log takes the first half of it; later output goes to <id>.bash.ring, a ring buffer that
// overwrites the oldest bytes with the newest. [Writer.Close] merges both into the log and removes the ring. Every state
// on disk is readable, including the one that a killed writer leaves.
//
// A writer holds an advisory lock on its log, which distinguishes an artifact that is being written from one whose
// writer died. Nothing is synced to disk: artifacts survive the process, but not necessarily a power failure.
//
// Windows has no file modes and no O_NOFOLLOW: the directory inherits its protection from the user's profile, and links
// are rejected by checking the name before and after it is opened.
package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Default limits in bytes; see [Options].
const (
	DefaultMaxBytes      = 256 << 20 // of one artifact
	DefaultMaxTotalBytes = 10 << 30  // of the whole store
	minMaxBytes          = 1 << 10   // a smaller cap could not hold the notice
)

// Options are the limits of a store.
type Options struct {
	MaxBytes      int64 // cap of one artifact's log in bytes; 0 = [DefaultMaxBytes], less than 1024 = 1024
	MaxTotalBytes int64 // cap of all artifacts on disk in bytes; 0 = [DefaultMaxTotalBytes]
}

// Store is a directory of artifacts. It keeps no file open and is safe for concurrent use by goroutines and processes.
type Store struct {
	dir      string
	max      int64 // cap of one log
	maxTotal int64
}

// Open returns the store in dir. The directory need not exist: [Store.Create] creates it, reading does not. Open itself
// does not access the file system.
func Open(dir string, o Options) *Store {
	if dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
	}
	s := &Store{dir: dir, max: o.MaxBytes, maxTotal: o.MaxTotalBytes}
	if s.max == 0 {
		s.max = DefaultMaxBytes
	}
	s.max = max(s.max, minMaxBytes)
	if s.maxTotal <= 0 {
		s.maxTotal = DefaultMaxTotalBytes
	}
	return s
}

// Dir returns the store's directory as an absolute path.
func (s *Store) Dir() string { return s.dir }

// MaxTotalBytes returns the store's size cap in bytes on disk.
func (s *Store) MaxTotalBytes() int64 { return s.maxTotal }

// ErrRemoved means that the artifact's log was removed while it was being written.
var ErrRemoved = errors.New("removed while being written")

// NotFoundError means that the store has no such artifact. It matches [fs.ErrNotExist].
type NotFoundError struct {
	Ref Ref
	Dir string
}

func (e *NotFoundError) Error() string {
	if e.Ref.last {
		return "no artifacts in " + e.Dir
	}
	return "no artifact " + e.Ref.String() + " in " + e.Dir
}

// Is makes errors.Is(err, fs.ErrNotExist) true.
func (e *NotFoundError) Is(target error) bool { return target == fs.ErrNotExist }

// Suffixes of an artifact's files. They contain the tool's name so that other tools can use the same directory.
const (
	logSuffix  = ".bash.log"
	metaSuffix = ".bash.json"
	tempSuffix = ".bash.json.tmp"
	ringSuffix = ".bash.ring"
)

func fileName(id int64, suffix string) string { return strconv.FormatInt(id, 10) + suffix }

// splitName splits the name of an artifact's file; ok is false for any other name.
func splitName(name string) (id int64, suffix string, ok bool) {
	digits, rest, found := strings.Cut(name, ".")
	if !found {
		return 0, "", false
	}
	suffix = "." + rest
	switch suffix {
	case logSuffix, metaSuffix, tempSuffix, ringSuffix:
	default:
		return 0, "", false
	}
	id, err := parseID(digits)
	return id, suffix, err == nil
}

// createFile creates a new file with mode 0600 regardless of the umask. It never opens an existing file or link.
func createFile(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(0o600); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		f.Close()
		root.Remove(name)
		return nil, err
	}
	return f, nil
}

// openFile opens an existing regular file. os.Root follows links that stay inside it, hence the checks before and after.
func openFile(root *os.Root, name string, flag int) (*os.File, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %s, not a regular file", filepath.Join(root.Name(), name), kind(before.Mode()))
	}
	f, err := root.OpenFile(name, flag, 0)
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = fmt.Errorf("%s changed while being opened", filepath.Join(root.Name(), name))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a directory"
	default:
		return "a special file"
	}
}
