package sink

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

const (
	// maxLine bounds the part of the current line that a carriage return can still go back to, in bytes.
	maxLine = 32 << 10
	// flushAt is the size of the gathered text that is committed without waiting for the end of a write.
	flushAt = 2 * maxLine
	// directMin is the length of a run of plain text from which on it is committed from the caller's slice, without
	// a copy.
	directMin = 1 << 10
	// gatherMax is the length of a run of plain text that is copied before its full length is looked for.
	gatherMax = 256
)

// replacement is U+FFFD, which stands for each byte that is not part of a UTF-8 character.
const replacement = "\uFFFD"

// stream cleans one stream's bytes. Its text gathers in buf and is committed at the end of each write, in Collapse mode
// up to the current line, which a carriage return may still change.
type stream struct {
	out     *collector
	id      Stream
	mode    CarriageReturn
	maxLine int

	held    []byte // an incomplete sequence or character at the end of the last write, at most maxSequence bytes
	scanned int    // how much of a held escape sequence has been looked at
	skipLF  bool   // Newline mode: the last byte was a carriage return, already a newline

	buf  []byte // clean text; from line on the current line, up to the cursor
	line int    // where the current line begins in buf, as of the last settle
	seen int    // buf[:seen] has been searched for newlines
	wipe int    // the cursor's place in buf when the current line was erased to its left, 0 = never
	back []byte // holds rest at its end
	rest []byte // what stands on the current line from the cursor on, after a carriage return
}

// write takes the next bytes of the stream.
func (t *stream) write(p []byte) {
	if len(t.held) > 0 {
		p = p[t.bridge(p):]
	}
	if len(p) > 0 {
		n := t.scan(&scanner{b: p}, len(p))
		t.held = append(t.held, p[n:]...)
	}
	t.flush()
}

// bridge completes what the last write left incomplete and returns how many bytes of p that took.
func (t *stream) bridge(p []byte) int {
	h, k := len(t.held), min(len(p), maxSequence)
	t.held = append(t.held, p[:k]...)
	n := t.scan(&scanner{b: t.held}, h)
	if n < h { // still incomplete: p was too short to tell
		t.held = t.held[:copy(t.held, t.held[n:])]
		return k
	}
	t.held = t.held[:0]
	return n - h
}

// scan takes the sequences, characters and runs of text that begin in s.b[:stop] and returns how many bytes those were;
// less than stop when the last is incomplete.
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
			if m := plain(b[n:]); m > 0 { // a long run, or too near the end
				t.put(b[n : n+m])
				n += m
			}
			t.skipLF = false
		case c < utf8.RuneSelf:
			if n, t.skipLF = 1, false; c == '\r' {
				n = t.carriageReturn(b)
			}
		default:
			if n = t.high(b, s.final); n == 0 {
				return i
			}
			t.skipLF = false
		}
		i += n
	}
	return i
}

// high takes what begins with a byte that is not ASCII: text, a C1 control or invalid bytes. It returns 0 when b is the
// beginning of a character that may still be completed.
func (t *stream) high(b []byte, final bool) int {
	n := 0
	for n < len(b) && neverFirst(b[n]) {
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

// neverFirst reports whether no character begins with c.
func neverFirst(c byte) bool {
	return c >= 0x80 && c < 0xc2 || c > 0xf4
}

// gather takes the usual mixture of short runs of ASCII text, colour changes and CRLF, and returns how many bytes that
// was. It stops before anything else, before a long run, which is better not copied, and near the end of b. While
// something stands after the cursor it takes nothing.
func (t *stream) gather(b []byte) int {
	const near = 18 // what csi wants to see
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
		binary.LittleEndian.PutUint64(dst[d:], w) // what is too much of it will be overwritten
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
		if b[i] == '\r' && b[i+1] == '\n' && t.wipe == 0 {
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

// carriageReturn applies the rule for the carriage return at b[0] and returns how many bytes it took.
func (t *stream) carriageReturn(b []byte) int {
	switch t.mode {
	case Strip:
		return 1
	case Newline:
		t.putRune("\n")
		t.skipLF = true
		return 1
	}
	if len(b) > 1 && b[1] == '\n' && t.wipe == 0 {
		t.put(b[1:2]) // the same as returning and then ending the line, without moving it
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

// putLong commits the whole lines of a long run from where it stands.
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

// putLine adds a run without newlines to the current line. What no longer fits maxLine is committed, in the blocks that
// settle would make.
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

// runeStart returns the largest index up to i where a character of the valid text p begins.
func runeStart(p []byte, i int) int {
	for i > 0 && i < len(p) && !utf8.RuneStart(p[i]) {
		i--
	}
	return i
}

// settle finds out where the current line begins.
func (t *stream) settle() {
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
	if t.wipe <= t.line {
		t.wipe = 0
	}
}

// flush commits all but the current line.
func (t *stream) flush() {
	t.settle()
	if t.line == 0 {
		return
	}
	t.out.commit(t.id, t.buf[:t.line])
	t.buf = t.buf[:copy(t.buf, t.buf[t.line:])]
	t.wipe = max(t.wipe-t.line, 0)
	t.line, t.seen = 0, len(t.buf)
}

// finish commits everything: the stream has ended.
func (t *stream) finish() {
	t.scan(&scanner{b: t.held, final: true}, len(t.held))
	t.held = nil
	t.flush()
	t.buf = append(t.buf, t.rest...)
	t.out.commit(t.id, t.buf)
	t.buf, t.rest, t.back = nil, nil, nil
}
