package sink

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// maxSequence is the maximum length of an escape sequence in bytes, ESC included. Longer ones are not treated as
// escape sequences.
const maxSequence = 4096

const esc = 0x1b

// csi is the fast path for common control sequences such as colour changes. It returns the length of the sequence at
// the start of b, which begins with ESC, if it has at most fifteen parameter bytes and no intermediate bytes; otherwise
// it returns 0 and the caller uses escape. It examines eight bytes at a time.
func csi(b []byte) int {
	if len(b) < 18 || b[1] != '[' {
		return 0
	}
	n := 2
	w := binary.LittleEndian.Uint64(b[2:])
	m := w & eachTop2 // parameter bytes have neither of the top two bits set, final bytes have the lower one
	if m == 0 {
		if (w^eachParam)&eachTop4 != 0 {
			return 0
		}
		n = 10
		w = binary.LittleEndian.Uint64(b[10:])
		if m = w & eachTop2; m == 0 {
			return 0
		}
	}
	final := bits.TrailingZeros64(m) &^ 7 // in bits
	if (w^eachParam)&eachTop4&(1<<final-1) != 0 || byte(w>>final) >= 0x7f {
		return 0
	}
	return n + final>>3 + 1
}

// scanner finds the sequences in b, from left to right.
type scanner struct {
	b     []byte
	final bool // the stream ends after b
	// No ST begins before st and there is no BEL before bel, counted from the first control string on. Each byte is
	// thus searched once, even when many strings are unterminated.
	st, bel int
}

// escape returns the number of bytes from b[i], an ESC, that are not text. When more bytes are needed to decide, n is 0
// and scanned is the number of bytes examined; pass it as from in the next call for the same sequence.
//
// It recognises the forms of ECMA-48: ESC and a final byte, optionally with intermediate bytes in between; control
// sequences (CSI); and the control strings OSC, DCS, SOS, PM and APC. An invalid sequence ends before the first invalid
// byte, so that no newline and no text after it is lost. A control string ends with ST, an OSC also with BEL; for a
// string without an end within maxSequence bytes, at most its first line is removed.
func (s *scanner) escape(i, from int) (n, scanned int) {
	b := s.b[i:min(len(s.b), i+maxSequence)]
	if len(b) < 2 {
		return s.atEnd(1), 1
	}
	switch c := b[1]; {
	case c == '[':
		return s.controlSequence(b, from)
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		return s.controlString(i, from)
	case c >= 0x20 && c <= 0x2f:
		return s.intermediates(b, from)
	case c >= 0x30 && c <= 0x7e:
		return 2, 0
	}
	return 1, 0 // a control character, another ESC or a non-ASCII character: remove only the ESC
}

// atEnd returns n at the end of the stream, else 0.
func (s *scanner) atEnd(n int) int {
	if s.final {
		return n
	}
	return 0
}

// intermediates handles ESC, intermediate bytes and a final byte. Without a final byte the intermediate bytes are text.
func (s *scanner) intermediates(b []byte, from int) (n, scanned int) {
	i := max(from, 2)
	for i < len(b) && b[i] >= 0x20 && b[i] <= 0x2f {
		i++
	}
	switch {
	case i == maxSequence:
		return 1, 0
	case i == len(b):
		return s.atEnd(1), i
	case b[i] >= 0x30 && b[i] <= 0x7e:
		return i + 1, 0
	}
	return 1, 0
}

// controlSequence handles CSI, parameter bytes, intermediate bytes and a final byte.
func (s *scanner) controlSequence(b []byte, from int) (n, scanned int) {
	i := max(from, 2)
	if i == 2 || b[i-1] >= 0x30 {
		for i < len(b) && b[i] >= 0x30 && b[i] <= 0x3f {
			i++
		}
	}
	for i < len(b) && b[i] >= 0x20 && b[i] <= 0x2f {
		i++
	}
	switch {
	case i == maxSequence:
		return i, 0
	case i == len(b):
		return s.atEnd(i), i
	case b[i] >= 0x40 && b[i] <= 0x7e:
		return i + 1, 0
	}
	return i, 0
}

// controlString handles OSC, DCS, SOS, PM and APC.
func (s *scanner) controlString(i, from int) (n, scanned int) {
	end := min(len(s.b), i+maxSequence)
	start := i + max(from-1, 2) // an ESC at the end of the scanned bytes may begin an ST
	if stop := s.stringEnd(start, end, s.b[i+1] == ']'); stop > 0 {
		return stop - i, 0
	}
	if end-i < maxSequence && !s.final {
		return 0, end - i
	}
	if nl := bytes.IndexByte(s.b[i:end], '\n'); nl >= 0 {
		return nl, 0
	}
	return end - i, 0
}

// stringEnd returns the index after the first string terminator in b[start:end], or 0 if there is none.
func (s *scanner) stringEnd(start, end int, osc bool) int {
	if osc {
		s.bel = max(s.bel, start)
		if s.bel < end {
			s.bel = absIndex(s.bel, end, bytes.IndexByte(s.b[s.bel:end], '\a'))
		}
	}
	s.st = max(s.st, start)
	if s.st < end-1 {
		s.st = absIndex(s.st, end-1, indexST(s.b[s.st:end]))
	}
	switch {
	case osc && s.bel < end && s.bel < s.st:
		return s.bel + 1
	case s.st < end-1:
		return s.st + 2
	case osc && s.bel < end:
		return s.bel + 1
	}
	return 0
}

// absIndex converts an index relative to from into an absolute one; a negative index becomes end.
func absIndex(from, end, i int) int {
	if i < 0 {
		return end
	}
	return from + i
}

// indexST returns the index of the first ST (ESC \) in b, or -1 if there is none.
func indexST(b []byte) int {
	for i := 0; ; i++ {
		k := bytes.IndexByte(b[i:], esc)
		if i += k; k < 0 || i+1 == len(b) {
			return -1
		}
		if b[i+1] == '\\' {
			return i
		}
	}
}
