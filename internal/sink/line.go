package sink

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// The current line is a gap buffer: buf[line:] is the text before the cursor, rest the text after it. A carriage return
// moves the text before the cursor to rest, writing removes characters from rest: the cost depends only on the new
// bytes, not on the length of the line. A column is one character (rune), whatever its display width.

// home moves the cursor to the start of the line, or of the part that has not been committed yet.
func (t *stream) home() {
	t.findLine()
	t.applyErase()
	left := t.buf[t.line:]
	if len(left)+len(t.rest) > t.maxLine {
		t.line = len(t.buf) // too long to keep: commit the text left of the cursor
		return
	}
	if len(left) == 0 {
		return
	}
	if t.restBuf == nil {
		t.restBuf = make([]byte, t.maxLine)
	}
	at := len(t.restBuf) - len(t.rest) - len(left)
	copy(t.restBuf[at:], left)
	t.rest = t.restBuf[at:]
	t.buf = t.buf[:t.line]
	t.seen = t.line
}

// overwrite writes run over the text after the cursor. It returns the part of run that is left once there is nothing
// more to overwrite.
func (t *stream) overwrite(run []byte) []byte {
	line := run
	nl := bytes.IndexByte(run, '\n')
	if nl >= 0 {
		line = run[:nl]
	}
	i := 0
	for i < len(line) && len(t.rest) > 0 {
		if k := singleBytes(line[i:], t.rest); k > 0 {
			i, t.rest = i+k, t.rest[k:]
			continue
		}
		i, t.rest = i+runeLen(line[i]), t.rest[runeLen(t.rest[0]):]
	}
	if len(t.buf)+i+len(t.rest) > flushAt {
		t.flush()
	}
	t.buf = append(t.buf, run[:i]...)
	if i == nl {
		t.buf = append(t.buf, t.rest...)
		t.rest = nil
	}
	return run[i:]
}

// singleBytes returns the largest k for which a[:k] and b[:k] contain only single-byte characters.
func singleBytes(a, b []byte) int {
	n := min(len(a), len(b))
	k := 0
	for n-k >= 8 && (binary.LittleEndian.Uint64(a[k:])|binary.LittleEndian.Uint64(b[k:]))&eachHigh == 0 {
		k += 8
	}
	for k < n && (a[k]|b[k]) < utf8.RuneSelf {
		k++
	}
	return k
}

// putRune adds one character. It must not be a newline while there is text after the cursor.
func (t *stream) putRune(c string) {
	if len(t.rest) > 0 {
		t.rest = t.rest[runeLen(t.rest[0]):]
	}
	if len(t.buf)+len(c) > flushAt {
		t.flush()
	}
	t.buf = append(t.buf, c...)
}

// runeLen returns the length in bytes of the UTF-8 character whose first byte is c.
func runeLen(c byte) int {
	switch {
	case c < 0x80:
		return 1
	case c < 0xe0:
		return 2
	case c < 0xf0:
		return 3
	}
	return 4
}

// erase applies the escape sequence seq if it is EL (erase in line, CSI K), so that nothing of a longer progress frame
// remains after a shorter one that clears it. Text left of the cursor is blanked only when the cursor moves back over it.
func (t *stream) erase(seq []byte) {
	if t.mode != Collapse || len(seq) > 4 || len(seq) < 3 || seq[len(seq)-1] != 'K' || seq[1] != '[' {
		return
	}
	how := byte('0')
	if len(seq) == 4 {
		how = seq[2]
	}
	if how == '0' || how == '2' {
		t.rest = nil
	}
	if how == '1' || how == '2' {
		t.findLine()
		t.erasedTo = 0
		if len(t.buf) > t.line {
			t.erasedTo = len(t.buf)
		}
		if len(t.rest) > 0 { // the character under the cursor is erased, too
			t.rest = t.rest[runeLen(t.rest[0])-1:]
			t.rest[0] = ' '
		}
	}
}

// applyErase applies a pending erasure left of the cursor.
func (t *stream) applyErase() {
	if t.erasedTo <= t.line {
		return
	}
	erased, after := t.buf[t.line:t.erasedTo], t.buf[t.erasedTo:]
	if len(after) == 0 && len(t.rest) == 0 {
		t.buf = t.buf[:t.line]
	} else {
		n := utf8.RuneCount(erased)
		for i := range erased[:n] {
			erased[i] = ' '
		}
		t.buf = append(t.buf[:t.line+n], after...)
	}
	t.seen, t.erasedTo = len(t.buf), 0
}

// partial returns a copy of the current line, or nil if it is empty.
func (t *stream) partial() []byte {
	if len(t.buf)+len(t.rest) == 0 {
		return nil
	}
	return slices.Concat(t.buf, t.rest)
}
