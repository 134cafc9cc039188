package sink

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// The current line is a gap buffer: buf[line:] stands before the cursor, rest after it. A carriage return moves what
// stands before the cursor over to rest, writing takes characters out of rest: each costs the new bytes alone, however
// long the line. A column is a character (rune), whatever its width.

// home moves the cursor to the first column that is still held.
func (t *stream) home() {
	t.settle()
	t.blank()
	left := t.buf[t.line:]
	if len(left)+len(t.rest) > t.maxLine {
		t.line = len(t.buf) // what is to the left can no longer be held
		return
	}
	if len(left) == 0 {
		return
	}
	if t.back == nil {
		t.back = make([]byte, t.maxLine)
	}
	at := len(t.back) - len(t.rest) - len(left)
	copy(t.back[at:], left)
	t.rest = t.back[at:]
	t.buf = t.buf[:t.line]
	t.seen = t.line
}

// overwrite puts run over what stands after the cursor. It returns the part of run that follows once the line's end is
// reached.
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

// singleBytes returns how many bytes at the start of both a and b are characters of one byte.
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

// putRune adds one character, no newline while something stands after the cursor.
func (t *stream) putRune(c string) {
	if len(t.rest) > 0 {
		t.rest = t.rest[runeLen(t.rest[0]):]
	}
	if len(t.buf)+len(c) > flushAt {
		t.flush()
	}
	t.buf = append(t.buf, c...)
}

// runeLen returns the length of the character of valid UTF-8 that begins with c.
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

// erase acts on the escape sequence seq if it erases in the line (EL, CSI K), so that a shorter frame which clears the
// longer one before it leaves nothing behind. What is to the left of the cursor is blanked only when the cursor goes
// back over it.
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
		t.settle()
		t.wipe = 0
		if len(t.buf) > t.line {
			t.wipe = len(t.buf)
		}
		if len(t.rest) > 0 { // the character under the cursor goes, too
			t.rest = t.rest[runeLen(t.rest[0])-1:]
			t.rest[0] = ' '
		}
	}
}

// blank carries out an erasure to the left of the cursor.
func (t *stream) blank() {
	if t.wipe <= t.line {
		return
	}
	erased, after := t.buf[t.line:t.wipe], t.buf[t.wipe:]
	if len(after) == 0 && len(t.rest) == 0 {
		t.buf = t.buf[:t.line]
	} else {
		n := utf8.RuneCount(erased)
		for i := range erased[:n] {
			erased[i] = ' '
		}
		t.buf = append(t.buf[:t.line+n], after...)
	}
	t.seen, t.wipe = len(t.buf), 0
}

// partial returns a copy of the current line as it stands, nil if it is empty.
func (t *stream) partial() []byte {
	if len(t.buf)+len(t.rest) == 0 {
		return nil
	}
	return slices.Concat(t.buf, t.rest)
}
