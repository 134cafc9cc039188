package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"regexp"
)

// Selection selects the part of an artifact that [Store.Copy] writes. At most one of Lines, Bytes, Head and Tail may be
// set. Grep can be combined with Lines (only these lines are searched) or Head (maximum number of matches). The zero
// Selection selects everything.
type Selection struct {
	Lines  *Span
	Bytes  *Span
	Head   *int64         // number of first lines
	Tail   *int64         // number of last lines
	Grep   *regexp.Regexp // only lines that match; the newline is not part of the line
	Number bool           // with Grep: prefix each line with its line number and a colon
}

// Validate returns an error when the fields cannot be combined.
func (s Selection) Validate() error {
	n := 0
	for _, set := range []bool{s.Lines != nil, s.Bytes != nil, s.Head != nil, s.Tail != nil} {
		if set {
			n++
		}
	}
	switch {
	case n > 1:
		return errors.New("lines, bytes, head and tail are mutually exclusive")
	case s.Grep != nil && (s.Bytes != nil || s.Tail != nil):
		return errors.New("grep can be combined with lines or head only")
	case s.Number && s.Grep == nil:
		return errors.New("line numbers require grep")
	case s.Head != nil && *s.Head < 0, s.Tail != nil && *s.Tail < 0:
		return errors.New("the number of lines cannot be negative")
	}
	return nil
}

// Copied is the result of [Store.Copy].
type Copied struct {
	Bytes   int64 // bytes written
	Matches int64 // matching lines; with Grep only
	Size    int64 // size of the artifact in bytes
	PastEnd bool  // the range begins past the end
	Lines   int64 // lines in the artifact; only with PastEnd and a range of lines
}

// Copy writes the selected part of an artifact to w, in constant memory. If the artifact is being written, Copy reads its
// current state. A selection past the end is empty and not an error.
func (s *Store) Copy(w io.Writer, r Ref, sel Selection) (Copied, error) {
	if err := sel.Validate(); err != nil {
		return Copied{}, err
	}
	root, id, err := s.find(r)
	if err != nil {
		return Copied{}, err
	}
	defer root.Close()
	v, err := openView(root, id)
	if errors.Is(err, fs.ErrNotExist) {
		return Copied{}, &NotFoundError{Ref: Ref{id: id}, Dir: s.dir}
	}
	if err != nil {
		return Copied{}, fmt.Errorf("read artifact %d: %w", id, err)
	}
	defer v.close()
	done, err := v.send(w, sel)
	if err != nil {
		return done, fmt.Errorf("read artifact %d: %w", id, err)
	}
	return done, nil
}

// send finds the byte range of the selection and copies or searches it.
func (v *view) send(w io.Writer, sel Selection) (done Copied, err error) {
	done.Size = v.size
	if sel.Grep != nil {
		return v.grep(w, sel)
	}
	from, to, err := v.locate(sel, &done)
	if err == nil {
		done.Bytes, err = v.copy(w, from, to)
	}
	return done, err
}

func (v *view) locate(sel Selection, done *Copied) (from, to int64, err error) {
	switch {
	case sel.Lines != nil:
		return v.lineRange(*sel.Lines, done)
	case sel.Head != nil:
		to, _, err = v.skipLines(0, *sel.Head)
		return 0, to, err
	case sel.Tail != nil:
		from, err = v.tailStart(*sel.Tail)
		return from, v.size, err
	case sel.Bytes != nil:
		done.PastEnd = sel.Bytes.From > v.size
		return min(sel.Bytes.From-1, v.size), min(sel.Bytes.To, v.size), nil
	}
	return 0, v.size, nil
}

// lineRange returns the byte range of a span of lines.
func (v *view) lineRange(span Span, done *Copied) (from, to int64, err error) {
	from, left, err := v.skipLines(0, span.From-1)
	if err != nil {
		return 0, 0, err
	}
	if from == v.size {
		done.PastEnd, done.Lines = true, span.From-1-left
		return from, from, nil
	}
	if span.To == math.MaxInt64 {
		return from, v.size, nil
	}
	to, _, err = v.skipLines(from, span.To-span.From+1)
	return from, to, err
}

// skipLines returns the offset n lines after off, which must be a line start, and how many of the n lines are missing.
func (v *view) skipLines(off, n int64) (end, left int64, err error) {
	end, left = off, n
	err = eachBlock(v, off, v.size, v.block, func(p []byte) error {
		if left == 0 {
			return errStop
		}
		if k := int64(bytes.Count(p, newline)); k < left {
			left -= k
			end += int64(len(p))
			return nil
		}
		for ; left > 0; left-- {
			i := bytes.IndexByte(p, '\n') + 1
			p, end = p[i:], end+int64(i)
		}
		return errStop
	})
	if errors.Is(err, errStop) {
		return end, 0, nil
	}
	if err == nil && left > 0 && end > off && !v.endsLine() {
		left--
	}
	return end, left, err
}

// endsLine reports whether the last byte is a newline.
func (v *view) endsLine() bool {
	var last [1]byte
	_, err := v.ReadAt(last[:], v.size-1)
	return err == nil && last[0] == '\n'
}

// tailStart returns the offset of the last n lines, reading backwards from the end. A final newline ends the last line.
func (v *view) tailStart(n int64) (int64, error) {
	if n == 0 || v.size == 0 {
		return v.size, nil
	}
	if !v.endsLine() {
		n--
	}
	buf := make([]byte, min(v.block, v.size))
	for end := v.size; end > 0; {
		p := buf[:min(int64(len(buf)), end)]
		at := end - int64(len(p))
		if k, err := v.ReadAt(p, at); k < len(p) {
			return 0, err
		}
		if k := int64(bytes.Count(p, newline)); k <= n {
			n, end = n-k, at
			continue
		}
		for {
			i := bytes.LastIndexByte(p, '\n')
			if n == 0 {
				return at + int64(i) + 1, nil
			}
			p, n = p[:i], n-1
		}
	}
	return 0, nil
}
