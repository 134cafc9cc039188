package console

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// History holds the commands typed before, oldest first, in memory and in a file that other shells append to as well. The zero
// value stores nothing on disk.
type History struct {
	path    string
	entries []string
}

// Bounds of a history.
const (
	maxEntries   = 1000
	maxEntry     = 64 << 10 // bytes; longer ones are not kept
	maxHistory   = 4 << 20  // bytes of the file that are read
	historyMode  = 0o600
	historyDirMd = 0o700
)

// OpenHistory reads the history file. A missing file is an empty history; the directory is created when there is
// something to write.
func OpenHistory(path string) (*History, error) {
	h := &History{path: path}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	defer f.Close()
	size, from := int64(0), int64(0)
	if st, err := f.Stat(); err == nil {
		if size = st.Size(); size > maxHistory {
			from = size - maxHistory
		}
	}
	if _, err := f.Seek(from, 0); err != nil {
		return h, err
	}
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxEntry*2+2)
	lines := 0
	for in.Scan() {
		if lines++; lines > 1 || from == 0 { // the first one may be half a line
			h.remember(unescape(in.Text()))
		}
	}
	if err := in.Err(); err != nil {
		return h, err
	}
	if lines > 2*maxEntries || from > 0 {
		return h, h.rewrite()
	}
	return h, nil
}

// Add records a command. It skips commands that begin with a blank, as shells do to keep secrets out, and repetitions.
func (h *History) Add(entry string) error {
	if !h.remember(entry) || h.path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), historyDirMd); err != nil {
		return err
	}
	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, historyMode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(escape(entry) + "\n") // one write, so that lines of several shells do not mix
	return errors.Join(err, f.Close())
}

func (h *History) remember(entry string) bool {
	n := len(h.entries)
	if entry == "" || entry[0] == ' ' || len(entry) > maxEntry || n > 0 && h.entries[n-1] == entry {
		return false
	}
	h.entries = append(h.entries, entry)
	if over := len(h.entries) - maxEntries; over > 0 {
		h.entries = h.entries[over:]
	}
	return true
}

// rewrite truncates the file to the entries kept.
func (h *History) rewrite() error {
	f, err := os.CreateTemp(filepath.Dir(h.path), ".history-*") // 0600
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, e := range h.entries {
		_, _ = w.WriteString(escape(e) + "\n")
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		os.Remove(f.Name())
		return err
	}
	return os.Rename(f.Name(), h.path)
}

// escape encodes an entry as one line.
func escape(s string) string { return strings.NewReplacer("\\", `\\`, "\n", `\n`).Replace(s) }

func unescape(s string) string { return strings.NewReplacer(`\\`, "\\", `\n`, "\n").Replace(s) }

// search returns the newest entry before index i that contains text, and its index, or -1.
func (h *History) search(text string, i int) int {
	for i--; i >= 0; i-- {
		if strings.Contains(h.entries[i], text) {
			return i
		}
	}
	return -1
}
