package snapshot

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"pi/internal/environ"
	"pi/internal/shell"
)

// formatVersion is part of the first line and of every name, so that another format does not find old files.
const formatVersion = "pi-snapshot 2"

// cache is one entry of the directory of snapshots.
type cache struct {
	dir, name string
	dialect   *shell.Dialect
	env       []string // the host's, against which an entry is checked
}

// dirError is a problem with the directory, not with the rc files.
type dirError struct{ error }

func (c cache) path() string { return scriptPath(c.dir, c.name, c.dialect) }

// load reads the header of the entry and reports whether it is still valid. It costs one open, and a stat for every file that
// the entry depends on.
func (c cache) load(rc []string) (Snapshot, bool) {
	f, err := openPrivate(c.path())
	if err != nil {
		return Snapshot{}, false
	}
	defer f.Close()
	h, err := readHeader(bufio.NewReaderSize(f, 16<<10))
	if err != nil || !h.valid(c.env, rc, time.Now()) {
		return Snapshot{}, false
	}
	h.Script = c.path()
	if h.Failure != "" {
		h.Script = ""
	}
	return h.Snapshot, true
}

// create takes the snapshot, or waits for another process that is doing so.
func (c cache) create(ctx context.Context, spec Spec, rc rcFiles) (Snapshot, error) {
	for _, dir := range []string{c.dir, filepath.Dir(c.path())} {
		if err := ensurePrivate(dir); err != nil {
			return Snapshot{}, dirError{err}
		}
	}
	unlock, err := c.lock(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	defer unlock()
	if s, ok := c.load(rc.all()); ok {
		return s, nil
	}
	sweep(c.dir, time.Now())
	began := time.Now()
	watched := stamps(rc.all()) // before they are read: a change meanwhile makes the entry stale
	t, err := take(ctx, spec)
	if ctx.Err() != nil {
		return Snapshot{}, ctx.Err() // says nothing about the rc files
	}
	h := header{Snapshot: Snapshot{Made: began}, files: watched}
	if err == nil {
		h.files = append(h.files, stamps(t.sources)...)
		h.Env, h.Functions, h.Aliases, h.LeftOut = t.env, len(t.functions), len(t.aliases), t.leftOut
		for _, kv := range t.env {
			h.was = append(h.was, fingerprint(c.env, environ.Name(kv)))
		}
	} else {
		h.Failure = err.Error()
	}
	if werr := c.write(h, t.script); werr != nil {
		return Snapshot{}, errors.Join(err, dirError{werr})
	}
	h.Script = c.path()
	return h.Snapshot, err
}

// write replaces the entry atomically.
func (c cache) write(h header, script []byte) error {
	tmp := filepath.Join(filepath.Dir(c.path()), "new-"+nonce())
	err := writePrivate(tmp, h.append(nil), script)
	if err == nil {
		err = os.Rename(tmp, c.path())
	}
	if err != nil {
		os.Remove(tmp)
		return fmt.Errorf("keep the snapshot: %w", err)
	}
	return nil
}

func writePrivate(path string, parts ...[]byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if _, werr := f.Write(p); err == nil {
			err = werr
		}
	}
	return errors.Join(err, f.Close())
}

// lock waits for the entry's lock, which is released when its holder exits. It does not wait longer than a snapshot may take.
func (c cache) lock(ctx context.Context) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(c.dir, c.name+".lock"), os.O_RDWR|os.O_CREATE|openNoFollow, 0o600)
	if err != nil {
		return nil, dirError{err}
	}
	deadline := time.Now().Add(lockLimit)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		ok, err := tryLock(f)
		switch {
		case err != nil:
			f.Close()
			return nil, err
		case ok:
			return func() { f.Close() }, nil
		case time.Now().After(deadline):
			f.Close()
			return nil, errors.New("another process has been taking it for too long")
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		}
	}
}

// sweep removes entries that are no longer used, and temporary files of killed processes.
func sweep(dir string, now time.Time) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		info, err := e.Info()
		if err != nil || now.Sub(info.ModTime()) < sweepAge(e.Name()) {
			continue
		}
		_ = os.RemoveAll(filepath.Join(dir, e.Name()))
	}
}

// sweepAge returns how old a file must be to be removed: entries stay a day after their last use; temporary files live for
// seconds. The directory of an entry gets a new time with every new script in it.
func sweepAge(name string) time.Duration {
	if strings.HasPrefix(name, "new-") {
		return time.Minute
	}
	return 2 * keepFor
}

func nonce() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// A stamp identifies a state of a file.
type stamp struct {
	path  string
	mtime int64 // nanoseconds since 1970; 0 with size -1: there is no such file
	size  int64
}

func stampOf(path string) stamp {
	st, err := os.Stat(path)
	if err != nil {
		return stamp{path, 0, -1}
	}
	return stamp{path, st.ModTime().UnixNano(), st.Size()}
}

func stamps(paths []string) (list []stamp) {
	for _, p := range paths {
		list = append(list, stampOf(p))
	}
	return list
}

// header is the comment at the top of an entry: a Snapshot and what it depends on.
type header struct {
	Snapshot
	files []stamp
	was   []string // for each of Env, the fingerprint of the host's value
}

// valid reports whether the entry is what would be created now.
func (h header) valid(env, rc []string, now time.Time) bool {
	keep := keepFor
	if h.Failure != "" {
		keep = retryAfter
	}
	if age := now.Sub(h.Made); age < 0 || age > keep || len(h.files) < len(rc) {
		return false
	}
	for i, f := range h.files {
		if i < len(rc) && f.path != rc[i] || stampOf(f.path) != f {
			return false
		}
	}
	for i, kv := range h.Env {
		if fingerprint(env, environ.Name(kv)) != h.was[i] {
			return false
		}
	}
	return true
}

// fingerprint stands for a variable's value without revealing it.
func fingerprint(env []string, name string) string {
	v, ok := environ.Lookup(env, name)
	if !ok {
		return "-"
	}
	sum := sha256.Sum256([]byte(v))
	return hex.EncodeToString(sum[:6])
}

// append appends the header as comment lines, with free text quoted so that it stays on its line.
func (h header) append(b []byte) []byte {
	b = fmt.Appendf(b, "# %s\n# made %d %d %d %d\n", formatVersion, h.Made.UnixNano(), h.Functions, h.Aliases, h.LeftOut)
	if h.Failure != "" {
		b = fmt.Appendf(b, "# failure %s\n", strconv.QuoteToASCII(h.Failure))
	}
	for _, f := range h.files {
		b = fmt.Appendf(b, "# file %d %d %s\n", f.mtime, f.size, strconv.QuoteToASCII(f.path))
	}
	for i, kv := range h.Env {
		b = fmt.Appendf(b, "# env %s %s\n", h.was[i], strconv.QuoteToASCII(kv))
	}
	return append(b, "# end\n"...)
}

var errHeader = errors.New("not a snapshot")

// readHeader reads what append wrote; everything else is an error.
func readHeader(r *bufio.Reader) (header, error) {
	var h header
	for n := 0; ; n++ {
		line, err := r.ReadString('\n')
		if err != nil {
			return h, errHeader
		}
		line, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "# ")
		switch {
		case !ok || n == 0 && line != formatVersion:
			return h, errHeader
		case n > 0 && line == "end":
			return h, nil
		case n > 0:
			if err := h.line(line); err != nil {
				return h, err
			}
		}
	}
}

// line adds one line of the header.
func (h *header) line(line string) error {
	kind, rest, _ := strings.Cut(line, " ")
	switch kind {
	case "made":
		var ns int64
		if _, err := fmt.Sscanf(rest, "%d %d %d %d", &ns, &h.Functions, &h.Aliases, &h.LeftOut); err != nil {
			return errHeader
		}
		h.Made = time.Unix(0, ns)
	case "failure":
		text, err := strconv.Unquote(rest)
		if err != nil || text == "" {
			return errHeader
		}
		h.Failure = text
	case "file":
		a, rest, _ := strings.Cut(rest, " ")
		b, rest, _ := strings.Cut(rest, " ")
		mtime, err1 := strconv.ParseInt(a, 10, 64)
		size, err2 := strconv.ParseInt(b, 10, 64)
		path, err3 := strconv.Unquote(rest)
		if err1 != nil || err2 != nil || err3 != nil {
			return errHeader
		}
		h.files = append(h.files, stamp{path, mtime, size})
	case "env":
		was, rest, _ := strings.Cut(rest, " ")
		kv, err := strconv.Unquote(rest)
		if err != nil || !strings.Contains(kv, "=") || strings.IndexByte(kv, 0) >= 0 {
			return errHeader
		}
		h.Env, h.was = append(h.Env, kv), append(h.was, was)
	default:
		return errHeader
	}
	return nil
}

// ensurePrivate ensures that dir is a directory that only its owner can enter.
func ensurePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	case !shell.Owned(info):
		return fmt.Errorf("%s belongs to another user", dir)
	case info.Mode().Perm()&0o077 != 0 || info.Mode().Perm()&0o700 != 0o700:
		return os.Chmod(dir, 0o700)
	}
	return nil
}

// openPrivate opens a file of this user that nobody else can have written.
func openPrivate(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|openNoFollow, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || !shell.Owned(info) || info.Mode().Perm()&0o077 != 0) {
		err = fs.ErrPermission
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
