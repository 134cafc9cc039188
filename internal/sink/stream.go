package sink

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

const (
	// maxLine is the maximum size in bytes of the part of the current line that a carriage return can go back to.
	maxLine = 32 << 10
	// flushAt is the size in bytes at which buffered text is committed without waiting for the end of a write.
	flushAt = 2 * maxLine
	// directMin is the minimum length in bytes of a run of plain text that is committed directly from the caller's
	// slice, without a copy.
	directMin = 1 << 10
	// gatherMax is the length in bytes of a run of plain text that is copied before its full length is determined.
	gatherMax = 256
)

// replacement is U+FFFD, which replaces each byte that is not part of a valid UTF-8 character.
const replacement = "\uFFFD"

// stream sanitises the bytes of one stream. It buffers text in buf and commits it at the end of each write; in Collapse
// mode it keeps the current line back, since a carriage return may still change it.
type stream struct {
	out     *collector
	id      Stream
	mode    CarriageReturn
	maxLine int

	pending []byte // an incomplete sequence or character at the end of the last write, at most maxSequence bytes
	scanned int    // bytes of a pending escape sequence that have been examined
	skipLF  bool   // Newline mode: the last byte was a carriage return and has become a newline

	buf      []byte // clean text; buf[line:] is the current line up to the cursor
	line     int    // start of the current line in buf, as of the last findLine
	seen     int    // buf[:seen] has been searched for newlines
	erasedTo int    // buf[line:erasedTo] was erased, to be blanked by applyErase; 0 means nothing was
	restBuf  []byte // backing array of rest, which is at its end
	rest     []byte // the current line from the cursor on, after a carriage return
}

// write processes the next bytes of the stream.
func (t *stream) write(p []byte) {
	if len(t.pending) > 0 {
		p = p[t.resume(p):]
	}
	if len(p) > 0 {
		n := t.scan(&scanner{b: p}, len(p))
		t.pending = append(t.pending, p[n:]...)
	}
	t.flush()
}

// resume completes the pending sequence or character and returns how many bytes of p it used.
func (t *stream) resume(p []byte) int {
	h, k := len(t.pending), min(len(p), maxSequence)
	t.pending = append(t.pending, p[:k]...)
	n := t.scan(&scanner{b: t.pending}, h)
	if n < h { // still incomplete: p is too short
		t.pending = t.pending[:copy(t.pending, t.pending[n:])]
		return k
	}
	t.pending = t.pending[:0]
	return n - h
}

// scan processes the sequences, characters and runs of text that begin in s.b[:stop] and returns their length in bytes;
// it is less than stop when the last one is incomplete.
func (t *stream) scan(s *scanner, stop int) int {
	i, from := 0, t.scanned
	t.scanned = 0
	for i < stop {
		b := s.b[i:]
		c, n := b[0], 0
		switch {
		case c == esc:
			if n = csi(b); n == 0 {
				if n, t.scanned = s.escape(i, from); n == 0 {
					return i
				}
			}
			if from = 0; b[n-1] == 'K' {
				t.erase(b[:n])
			}
		case t.skipLF && c == '\n':
			n, t.skipLF = 1, false
		case isPlainASCII(c):
			n = t.gather(b)
			if m := plain(b[n:]); m > 0 { // a long run, or the end of b is near
				t.put(b[n : n+m])
				n += m
			}
			t.skipLF = false
		case c < utf8.RuneSelf:
			if n, t.skipLF = 1, false; c == '\r' {
				n = t.carriageReturn(b)
			}
		default:
			if n = t.nonASCII(b, s.final); n == 0 {
				return i
			}
			t.skipLF = false
		}
		i += n
	}
	return i
}

// nonASCII processes input whose first byte is not ASCII: text, a C1 control or invalid bytes. It returns the number of
// bytes processed, or 0 when b is the beginning of a character that may still be completed.
func (t *stream) nonASCII(b []byte, final bool) int {
	n := 0
	for n < len(b) && neverLeads(b[n]) {
		t.putRune(replacement)
		n++
	}
	if n > 0 {
		return n
	}
	if n = multibyte(b); n > 0 {
		n += plain(b[n:])
		t.put(b[:n])
		return n
	}
	switch {
	case b[0] == 0xc2 && len(b) > 1 && b[1] >= 0x80 && b[1] <= 0x9f: // C1 controls
		return 2
	case !final && len(b) < utf8.UTFMax && !utf8.FullRune(b):
		return 0
	}
	t.putRune(replacement)
	return 1
}

// neverLeads reports whether c cannot be the first byte of a multi-byte UTF-8 character.
func neverLeads(c byte) bool {
	return c >= 0x80 && c < 0xc2 || c > 0xf4
}

// gather copies the common mixture of short runs of ASCII text, colour changes and CRLF to buf, and returns the number
// of bytes processed. It stops at anything else, at a long run, which is better committed without a copy, and near the
// end of b. It does nothing while there is text after the cursor.
func (t *stream) gather(b []byte) int {
	const near = 18 // bytes that csi needs
	if len(b) < near || len(t.rest) > 0 {
		return 0
	}
	if len(t.buf) > flushAt-maxLine {
		t.flush()
	}
	b = b[:min(len(b), flushAt)]
	t.buf = slices.Grow(t.buf, len(b)+8)
	dst := t.buf[:cap(t.buf)]
	d, i, run := len(t.buf), 0, 0
	for len(b)-i >= near {
		w := binary.LittleEndian.Uint64(b[i:])
		binary.LittleEndian.PutUint64(dst[d:], w) // bytes past the run are overwritten later
		m := special(w)
		if m == 0 {
			i, d = i+8, d+8
			if run++; run == gatherMax/8 {
				break
			}
			continue
		}
		k := bits.TrailingZeros64(m) >> 3
		i, d, run = i+k, d+k, 0
		if len(b)-i < near {
			break
		}
		if b[i] == '\r' && b[i+1] == '\n' && t.erasedTo == 0 {
			dst[d] = '\n'
			i, d = i+2, d+1
			continue
		}
		if b[i] != esc {
			break
		}
		n := csi(b[i:])
		if n == 0 || b[i+n-1] == 'K' {
			break
		}
		i += n
	}
	t.buf = dst[:d]
	return i
}

// carriageReturn handles the carriage return at b[0] and returns the number of bytes processed.
func (t *stream) carriageReturn(b []byte) int {
	switch t.mode {
	case Strip:
		return 1
	case Newline:
		t.putRune("\n")
		t.skipLF = true
		return 1
	}
	if len(b) > 1 && b[1] == '\n' && t.erasedTo == 0 {
		t.put(b[1:2]) // the same result as moving the cursor and then ending the line, without moving any text
		return 2
	}
	t.home()
	return 1
}

// put adds clean text at the cursor.
func (t *stream) put(run []byte) {
	if len(t.rest) > 0 {
		if run = t.overwrite(run); len(run) == 0 {
			return
		}
	}
	if len(run) >= directMin {
		t.putLong(run)
		return
	}
	if len(t.buf)+len(run) > flushAt {
		t.flush()
	}
	t.buf = append(t.buf, run...)
}

// putLong commits the complete lines of a long run without copying them.
func (t *stream) putLong(run []byte) {
	if t.mode != Collapse {
		t.flush()
		t.out.commit(t.id, run)
		return
	}
	if nl := bytes.IndexByte(run, '\n'); nl >= 0 {
		t.flush()
		if len(t.buf) > 0 {
			t.putLine(run[:nl])
			t.buf = append(t.buf, '\n')
			t.flush()
			run = run[nl+1:]
		}
		end := bytes.LastIndexByte(run, '\n') + 1
		t.out.commit(t.id, run[:end])
		run = run[end:]
	}
	t.putLine(run)
}

// putLine adds a run without newlines to the current line. It commits what exceeds maxLine, in the same blocks as
// findLine.
func (t *stream) putLine(run []byte) {
	t.flush()
	if len(t.buf) > 0 && len(t.buf)+len(run) > t.maxLine {
		n := runeStart(run, t.maxLine-len(t.buf))
		t.buf = append(t.buf, run[:n]...)
		t.line, t.seen = len(t.buf), len(t.buf)
		t.flush()
		run = run[n:]
	}
	n := 0
	for len(run)-n > t.maxLine {
		n = runeStart(run, n+t.maxLine)
	}
	t.out.commit(t.id, run[:n])
	t.buf = append(t.buf, run[n:]...)
}

// runeStart returns the largest index not above i at which a character of the valid UTF-8 text p begins.
func runeStart(p []byte, i int) int {
	for i > 0 && i < len(p) && !utf8.RuneStart(p[i]) {
		i--
	}
	return i
}

// findLine determines where the current line begins.
func (t *stream) findLine() {
	if t.mode != Collapse {
		t.line = len(t.buf)
		return
	}
	if nl := bytes.LastIndexByte(t.buf[t.seen:], '\n'); nl >= 0 {
		t.line = t.seen + nl + 1
	}
	t.seen = len(t.buf)
	for len(t.buf)-t.line > t.maxLine {
		t.line = runeStart(t.buf, t.line+t.maxLine)
	}
	if t.erasedTo <= t.line {
		t.erasedTo = 0
	}
}

// flush commits all but the current line.
func (t *stream) flush() {
	t.findLine()
	if t.line == 0 {
		return
	}
	t.out.commit(t.id, t.buf[:t.line])
	t.buf = t.buf[:copy(t.buf, t.buf[t.line:])]
	t.erasedTo = max(t.erasedTo-t.line, 0)
	t.line, t.seen = 0, len(t.buf)
}

// finish commits everything at the end of the stream.
func (t *stream) finish() {
	t.scan(&scanner{b: t.pending, final: true}, len(t.pending))
	t.pending = nil
	t.flush()
	t.buf = append(t.buf, t.rest...)
	t.out.commit(t.id, t.buf)
	t.buf, t.rest, t.restBuf = nil, nil, nil
}
