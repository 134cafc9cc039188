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

// Statuses that the store itself sets; callers choose all others.
const (
	StatusRunning = "running" // from creation until the caller says otherwise
	StatusEnded   = "ended"   // closed without a word about the outcome
	StatusLost    = "lost"    // told by [Store.List] and [Store.Meta]: the writer died before it closed the artifact
)

// maxMetaText bounds command texts in the description, in bytes.
const maxMetaText = 64 << 10

// Meta describes an artifact; it is the JSON beside the log. ID, the sizes, Capped, LeftOut and Writing are the store's
// to set, the rest is the caller's.
type Meta struct {
	ID              string    `json:"id"`
	Command         string    `json:"command"`                   // as it ran; cut after 64 KiB, then ending in "…"
	OriginalCommand string    `json:"originalCommand,omitempty"` // as it was given, when that differs
	Cwd             string    `json:"cwd,omitempty"`
	Status          string    `json:"status"`
	ExitCode        *int      `json:"exitCode"` // nil: none known
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
	Offset int64 `json:"offset"` // where in the stream it began; the notice stands there in the log
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

// writeMeta replaces the description in one step, so that readers see the old or the new one.
func writeMeta(root *os.Root, id int64, m Meta) error {
	m.Command, m.OriginalCommand = clampText(m.Command), clampText(m.OriginalCommand)
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	temp := fileName(id, tempSuffix)
	f, err := createFile(root, temp)
	if errors.Is(err, fs.ErrExist) { // left by a writer that was killed
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

// readMeta reads a description; what is in the file is trusted for display only.
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
