package sink

import (
	"bytes"
	"unicode/utf8"
)

// tail keeps at least the last keep bytes added to it, in a buffer of at most twice that size. When the buffer is full,
// its end is moved to the front; each byte is moved at most once.
type tail struct {
	keep int
	buf  []byte
}

// add appends p.
func (t *tail) add(p []byte) {
	if len(p) >= t.keep {
		t.buf = append(t.buf[:0], p[len(p)-t.keep:]...)
		return
	}
	if n := len(t.buf) + len(p); n > 2*t.keep {
		n = t.keep - len(p)
		t.buf = t.buf[:copy(t.buf, t.buf[len(t.buf)-n:])]
	}
	t.buf = append(t.buf, p...)
}

// bytes returns the bytes kept; they are valid until the next add.
func (t *tail) bytes() []byte { return t.buf }

// lastLines returns the index of the last n lines of text: 0 when there are no more than n lines, or n is 0 (no limit).
func lastLines(text []byte, n int) int {
	i := len(text)
	if n <= 0 || i == 0 {
		return 0
	}
	if text[i-1] == '\n' {
		i--
	}
	for ; n > 0; n-- {
		if i = bytes.LastIndexByte(text[:i], '\n'); i < 0 {
			return 0
		}
	}
	return i + 1
}

// cut returns the index at which to cut text so that at most limit bytes remain: at the first line start within an
// eighth of the limit, else at the start of a character. It is 0 when all of text fits.
func cut(text []byte, limit int) int {
	n := len(text) - limit
	if n <= 0 {
		return 0
	}
	if text[n-1] == '\n' {
		return n
	}
	if i := bytes.IndexByte(text[n:n+limit/8], '\n'); i >= 0 {
		return n + i + 1
	}
	for n < len(text)-1 && !utf8.RuneStart(text[n]) {
		n++
	}
	return n
}
