package rpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrFrameTooLong says that a line was longer than [MaxFrame]; it was skipped, and reading can go on.
var ErrFrameTooLong = fmt.Errorf("line is longer than %d MiB", MaxFrame>>20)

// frames takes a stream apart into lines.
type frames struct {
	r   *bufio.Reader
	max int
	buf []byte // of a line that did not fit the reader's buffer
}

func newFrames(r io.Reader, limit int) *frames {
	return &frames{r: bufio.NewReaderSize(r, 32<<10), max: limit}
}

// next gives the next line that is not empty, without its end; it is valid until the following call. A last line
// without an end counts. After [ErrFrameTooLong] the reader stands behind that line.
func (f *frames) next() ([]byte, error) {
	for {
		line, err := f.line()
		if line = bytes.TrimSuffix(line, []byte{'\r'}); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

func (f *frames) line() ([]byte, error) {
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
			return nil, ErrFrameTooLong
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

// encode writes v as one line. The encoder never lets a line feed, U+2028, U+2029 or invalid UTF-8 through.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
