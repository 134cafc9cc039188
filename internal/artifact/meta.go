package artifact

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
	"unicode/utf8"
)

// Statuses that the store sets; callers set all others.
const (
	StatusRunning = "running" // from creation until the caller changes it
	StatusEnded   = "ended"   // closed without a status from the caller
	StatusLost    = "lost"    // returned by [Store.List] and [Store.Meta] if the writer died before it closed the artifact
)

// maxMetaText is the maximum length in bytes of a command in the metadata.
const maxMetaText = 64 << 10

// Meta is the metadata of an artifact, stored as JSON next to the log. The store sets ID, the sizes, Capped, LeftOut and
// Writing; the caller sets the other fields.
type Meta struct {
	ID              string    `json:"id"`
	Command         string    `json:"command"`                   // as executed; truncated after 64 KiB, then ending in "…"
	OriginalCommand string    `json:"originalCommand,omitempty"` // as given, if different
	Cwd             string    `json:"cwd,omitempty"`
	Status          string    `json:"status"`
	ExitCode        *int      `json:"exitCode"` // nil: unknown
	Signal          string    `json:"signal,omitempty"`
	StartedAt       time.Time `json:"startedAt"`        // zero at creation: now
	EndedAt         time.Time `json:"endedAt,omitzero"` // zero at Close: now
	TotalBytes      int64     `json:"totalBytes"`       // of the text stream
	StoredBytes     int64     `json:"storedBytes"`      // of the log file
	Lines           int64     `json:"lines"`            // of the text stream; a last line without newline counts
	Capped          bool      `json:"capped"`           // the log lacks a middle part
	LeftOut         *LeftOut  `json:"leftOut,omitempty"`
	Writing         bool      `json:"writing"` // not closed yet
}

// LeftOut is the part of the text stream that a capped log lacks.
type LeftOut struct {
	Offset int64 `json:"offset"` // offset in the stream, and of the notice in the log
	Bytes  int64 `json:"bytes"`
	Lines  int64 `json:"lines"` // newlines among these bytes
}

func clampText(s string) string {
	if len(s) <= maxMetaText {
		return s
	}
	cut := maxMetaText
	for cut > maxMetaText-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// writeMeta replaces the metadata atomically, so that readers see either the old or the new version.
func writeMeta(root *os.Root, id int64, m Meta) error {
	m.Command, m.OriginalCommand = clampText(m.Command), clampText(m.OriginalCommand)
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	temp := fileName(id, tempSuffix)
	f, err := createFile(root, temp)
	if errors.Is(err, fs.ErrExist) { // left over from a killed writer
		root.Remove(temp)
		f, err = createFile(root, temp)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	err = errors.Join(err, f.Close())
	if err == nil {
		err = root.Rename(temp, fileName(id, metaSuffix))
	}
	if err != nil {
		root.Remove(temp)
	}
	return err
}

// readMeta reads the metadata; its content may only be used for display.
func readMeta(root *os.Root, id int64) (Meta, error) {
	f, err := openFile(root, fileName(id, metaSuffix), os.O_RDONLY)
	if err != nil {
		return Meta{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 4<<20))
	if err != nil {
		return Meta{}, err
	}
	var m Meta
	if err := json.Unmarshal(data, &m); err != nil {
		return Meta{}, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return m, nil
}
