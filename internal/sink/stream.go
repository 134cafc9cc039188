package sink

import (
	"bytes"
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
		if b[0] == esc {
			n := csi(b)
			if n == 0 {
				if n, t.scanned = s.escape(i, from); n == 0 {
					return i
				}
			}
			t.erase(b[:n])
			i, from = i+n, 0
			continue
		}
		if t.skipLF {
			t.skipLF = false
			if b[0] == '\n' {
				i++
				continue
			}
		}
		if n := plain(b); n > 0 {
			t.put(b[:n])
			i += n
			continue
		}
		n := t.odd(b, s.final)
		if n == 0 {
			return i
		}
		i += n
	}
	return i
}

// odd takes what is neither text nor an escape sequence: a carriage return, a control, an invalid byte. It returns 0
// when b is the beginning of a character that may still be completed.
func (t *stream) odd(b []byte, final bool) int {
	switch c := b[0]; {
	case c == '\r':
		return t.carriageReturn(b)
	case c < utf8.RuneSelf:
		return 1
	case !final && !utf8.FullRune(b):
		return 0
	case c == 0xc2 && len(b) > 1 && b[1] >= 0x80 && b[1] <= 0x9f: // C1 controls
		return 2
	}
	t.putRune(replacement)
	return 1
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
