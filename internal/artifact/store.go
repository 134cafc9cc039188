// Package artifact keeps the whole output of commands whose shown text was cut.
//
// A store is one private directory (0700). Each artifact is a plain file <id>.bash.log (0600) with its description
// beside it in <id>.bash.json. Ids are counted up from 1 across all processes that share the directory and are never
// given twice, not even after artifacts were removed. No symbolic link is followed, neither at the directory itself nor
// in it.
//
// An artifact has a cap. Up to half of it the log grows as it comes; what follows goes to <id>.bash.ring, which keeps the
// newest bytes in place of the oldest. [Writer.Close] puts both together into the log and removes the ring. Every state
// on disk can be read, also the one that a killed writer leaves.
//
// A writer holds an advisory lock on its log, so that others can tell an artifact that is being written from one whose
// writer died. Nothing is synced to the medium: artifacts outlive a process, not a power cut.
//
// On Windows there are no modes and no O_NOFOLLOW: the directory inherits its protection from the user's profile, and
// links are refused by a look at the name before and after it is opened.
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

// Bounds that hold unless [Options] say otherwise.
const (
	DefaultMaxBytes      = 256 << 20 // of one artifact
	DefaultMaxTotalBytes = 10 << 30  // of the whole store
	minMaxBytes          = 1 << 10   // smaller caps could not hold the notice
)

// Options bound a store.
type Options struct {
	MaxBytes      int64 // cap of one artifact's log in bytes; 0 = [DefaultMaxBytes], less than 1024 = 1024
	MaxTotalBytes int64 // cap of all artifacts on disk in bytes; 0 = [DefaultMaxTotalBytes]
}

// Store is a directory of artifacts. It holds no open file and may be used by any number of goroutines and processes at
// once.
type Store struct {
	dir      string
	max      int64 // cap of one log
	maxTotal int64
}

// Open returns the store in dir, which need not exist: the first [Store.Create] makes it, reading never does. Open itself
// touches no file.
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

// Dir is the store's directory as an absolute path.
func (s *Store) Dir() string { return s.dir }

// MaxTotalBytes is the store's cap in bytes on disk.
func (s *Store) MaxTotalBytes() int64 { return s.maxTotal }

// ErrRemoved reports that the artifact's file was removed while it was written.
var ErrRemoved = errors.New("removed while it was written")

// NotFoundError reports that a store holds no such artifact. It matches [fs.ErrNotExist].
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

// Names of an artifact's files. The suffix leaves room for other producers beside the bash tool.
const (
	logSuffix  = ".bash.log"
	metaSuffix = ".bash.json"
	tempSuffix = ".bash.json.tmp"
	ringSuffix = ".bash.ring"
)

func fileName(id int64, suffix string) string { return strconv.FormatInt(id, 10) + suffix }

// splitName takes a file name of the store apart; ok is false for every other name.
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

// createFile creates a new file 0600, whatever the umask, and never opens what is already there, links included.
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

// openFile opens an existing regular file. os.Root follows links that stay inside it, hence the looks before and after.
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
		err = fmt.Errorf("%s changed while it was opened", filepath.Join(root.Name(), name))
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
