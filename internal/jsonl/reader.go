// Package jsonl is the transport of pi's servers: one JSON value a line, in both directions, between two parties of
// which neither trusts the other to read, to end its lines, or to keep them short.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxFrame bounds a line that servers read, in bytes, its line feed apart.
const MaxFrame = 64 << 20

// ErrTooLong says that a line was longer than the reader's limit; it was skipped, and reading can go on.
var ErrTooLong = errors.New("line is too long")

// Reader takes a stream apart into lines. It is for one goroutine.
type Reader struct {
	r   *bufio.Reader
	max int
	buf []byte // of a line that did not fit the reader's buffer
}

// NewReader makes a reader whose lines have at most limit bytes.
func NewReader(r io.Reader, limit int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 32<<10), max: limit}
}

// Next gives the next line that is not empty, without its end, which is a line feed and may have a carriage return
// before it; it is valid until the following call. A last line without an end counts. After [ErrTooLong] the reader
// stands behind that line.
func (f *Reader) Next() ([]byte, error) {
	for {
		line, err := f.line()
		if line = bytes.TrimSuffix(line, []byte{'\r'}); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

// More tells whether more has been read than was given.
func (f *Reader) More() bool { return f.r.Buffered() > 0 }

func (f *Reader) line() ([]byte, error) {
	if cap(f.buf) > 1<<20 {
		f.buf = nil // one large line must not hold its room for ever
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

// Encode writes v as one line. The encoder never lets a line feed, U+2028, U+2029 or invalid UTF-8 through.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
