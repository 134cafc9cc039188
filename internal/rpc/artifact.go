package rpc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"unicode/utf8"

	"pi/internal/artifact"
	"pi/internal/toolcall"
)

// Bounds of the text in a reply to artifact_read, in bytes.
const (
	defaultRead = 50 << 10
	maxRead     = 1 << 20
)

// ArtifactRead are the fields of artifact_read. At most one of lines, bytes, head and tail may be given; none means the
// whole artifact.
type ArtifactRead struct {
	Artifact string  `json:"artifact"` // "7", "artifact://7" or "last"
	Lines    *string `json:"lines,omitempty"`
	Bytes    *string `json:"bytes,omitempty"` // A-B, A-, -B or A, counted from 1, both ends included; so are lines
	Head     *int64  `json:"head,omitempty"`  // the first N lines
	Tail     *int64  `json:"tail,omitempty"`  // the last N lines
	Grep     *string `json:"grep,omitempty"`  // only lines that match this RE2 pattern; goes with lines and head
	MaxBytes int     `json:"maxBytes,omitempty"`
	Encoding string  `json:"encoding,omitempty"` // "utf8", which is the default, or "base64"
}

// ArtifactText is the data of a reply to artifact_read.
type ArtifactText struct {
	ArtifactID string `json:"artifactId"`
	Text       string `json:"text"`
	Encoding   string `json:"encoding"`
	Bytes      int64  `json:"bytes"`     // of the artifact that are in text
	Truncated  bool   `json:"truncated"` // text does not hold all that was asked for
	Size       int64  `json:"size"`      // bytes of the whole artifact
	TotalLines int64  `json:"totalLines"`
	Writing    bool   `json:"writing"` // the artifact is still growing
}

func (c *conn) artifactRead(_ context.Context, r *inflight, q ArtifactRead) (func(), error) {
	if c.server.opt.Artifacts == nil {
		return nil, errors.New("this server reads no artifacts")
	}
	return func() {
		text, err := q.read(c.server.opt.Artifacts)
		c.finishLarge(r, text, nil, err)
	}, nil
}

func (q ArtifactRead) read(store *artifact.Store) (ArtifactText, error) {
	var t ArtifactText
	ref, err := artifact.ParseRef(q.Artifact)
	if err != nil {
		return t, err
	}
	sel, err := q.selection()
	if err != nil {
		return t, err
	}
	part, err := q.part()
	if err != nil {
		return t, err
	}
	meta, err := store.Meta(ref)
	if err != nil {
		return t, missing(err)
	}
	if ref, err = artifact.ParseRef(meta.ID); err != nil { // "last" may mean another one by now
		return t, err
	}
	done, err := store.Copy(part, ref, sel)
	if err != nil && !errors.Is(err, errFull) {
		return t, missing(err)
	}
	t = ArtifactText{ArtifactID: meta.ID, Encoding: "utf8", Size: done.Size, TotalLines: meta.Lines, Writing: meta.Writing}
	if t.Size == 0 {
		t.Size = meta.StoredBytes
	}
	var text []byte
	if q.Encoding == toolcall.Base64 {
		text = part.bytes()
		t.Text, t.Encoding = base64.StdEncoding.EncodeToString(text), toolcall.Base64
	} else {
		text = part.text()
		t.Text = strings.ToValidUTF8(string(text), "\ufffd") // a range of bytes may start within a character
	}
	t.Bytes, t.Truncated = int64(len(text)), part.cut
	return t, nil
}

// missing gives the error for a missing artifact its code.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return codedError{CodeNotFound, err}
	}
	return err
}

func (q ArtifactRead) selection() (sel artifact.Selection, err error) {
	for _, r := range []struct {
		name string
		text *string
		to   **artifact.Span
	}{{"lines", q.Lines, &sel.Lines}, {"bytes", q.Bytes, &sel.Bytes}} {
		if r.text == nil {
			continue
		}
		span, err := artifact.ParseSpan(*r.text)
		if err != nil {
			return sel, fmt.Errorf("%s: %w", r.name, err)
		}
		*r.to = &span
	}
	sel.Head, sel.Tail = q.Head, q.Tail
	if q.Grep != nil {
		if sel.Grep, err = regexp.Compile(*q.Grep); err != nil {
			return sel, fmt.Errorf("grep: %w", err)
		}
	}
	return sel, sel.Validate()
}

// part returns the writer for what is read.
func (q ArtifactRead) part() (*part, error) {
	if q.MaxBytes < 0 || q.MaxBytes > maxRead {
		return nil, fmt.Errorf("maxBytes: want 1 to %d", maxRead)
	}
	return &part{max: cmp.Or(q.MaxBytes, defaultRead), end: q.Tail != nil}, toolcall.CheckEncoding(q.Encoding)
}

var errFull = errors.New("enough was read")

// part is a writer that keeps the first bytes, or the last ones, of what is written to it.
type part struct {
	max int
	end bool
	buf []byte
	cut bool
}

func (p *part) Write(b []byte) (int, error) {
	p.buf = append(p.buf, b...)
	if p.end {
		if len(p.buf) > 2*p.max+len(b) {
			p.buf, p.cut = append(p.buf[:0], p.buf[len(p.buf)-p.max:]...), true
		}
		return len(b), nil
	}
	if len(p.buf) > p.max {
		p.buf, p.cut = p.buf[:p.max], true
		return len(b), errFull
	}
	return len(b), nil
}

// bytes returns what was kept.
func (p *part) bytes() []byte {
	if len(p.buf) > p.max {
		p.buf, p.cut = p.buf[len(p.buf)-p.max:], true
	}
	return p.buf
}

// text returns what was kept without the line that the bound cut in two; of a single line, without the character.
func (p *part) text() []byte {
	text := p.bytes()
	if p.cut && p.end {
		if i := bytes.IndexByte(text, '\n'); i >= 0 && i+1 < len(text) {
			text = text[i+1:]
		}
	} else if p.cut {
		if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
			text = text[:i+1]
		}
	}
	return text[:completeUTF8(text)]
}

// completeUTF8 returns the length of text without an incomplete character at its end.
func completeUTF8(text []byte) int {
	for n := 1; n <= utf8.UTFMax && n <= len(text); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-n:]) {
				return len(text) - n
			}
			break
		}
	}
	return len(text)
}
