// Package jsonl is the transport of pi's servers: one JSON value a line, in both directions. Neither side trusts the other
// to read, to end its lines, or to keep them short.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxFrame bounds a line that servers read, in bytes without the line feed.
const MaxFrame = 64 << 20

// ErrTooLong means that a line was longer than the reader's limit. The line was skipped, and reading can continue.
var ErrTooLong = errors.New("line is too long")

// Reader splits a stream into lines. It is for one goroutine.
type Reader struct {
	r   *bufio.Reader
	max int
	buf []byte // a line that did not fit into the buffer of r
}

// NewReader returns a reader of lines of at most limit bytes.
func NewReader(r io.Reader, limit int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 32<<10), max: limit}
}

// Next returns the next line that is not empty, without its line feed and a carriage return before that. It is valid until
// the next call. A last line without a line feed counts. After [ErrTooLong] reading continues behind that line.
func (f *Reader) Next() ([]byte, error) {
	for {
		line, err := f.line()
		if line = bytes.TrimSuffix(line, []byte{'\r'}); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

// More reports whether more input is buffered.
func (f *Reader) More() bool { return f.r.Buffered() > 0 }

func (f *Reader) line() ([]byte, error) {
	if cap(f.buf) > 1<<20 {
		f.buf = nil // one large line must not hold its memory for ever
	}
	f.buf = f.buf[:0]
	tooLong := false
	for {
		part, err := f.r.ReadSlice('\n')
		end := err == nil
		if end {
			part = part[:len(part)-1]
		}
		if tooLong = tooLong || len(f.buf)+len(part) > f.max; tooLong {
			f.buf = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if !tooLong {
				f.buf = append(f.buf, part...)
			}
		case tooLong && (end || err == io.EOF):
			return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLong, f.max)
		case end && len(f.buf) == 0:
			return part, nil
		case end:
			f.buf = append(f.buf, part...)
			return f.buf, nil
		case err == io.EOF && len(f.buf)+len(part) > 0:
			f.buf = append(f.buf, part...)
			return f.buf, nil
		default:
			return nil, err
		}
	}
}

// Encode returns v as one line. The encoder escapes line feeds, U+2028 and U+2029, and replaces invalid UTF-8.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
