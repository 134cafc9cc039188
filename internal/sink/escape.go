package sink

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// maxSequence is the most that one escape sequence may swallow, in bytes from its ESC on. What is longer was none.
const maxSequence = 4096

const esc = 0x1b

// csi returns the length of the control sequence at the start of b, which begins with ESC, if it has at most fifteen
// parameter bytes and no intermediate ones, as every usual colour change; 0 where escape has to look. It takes eight
// bytes at once.
func csi(b []byte) int {
	if len(b) < 18 || b[1] != '[' {
		return 0
	}
	n := 2
	w := binary.LittleEndian.Uint64(b[2:])
	m := w & eachTop2 // parameter bytes have neither of the two bits, final bytes have the lower
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
	final bool // no more bytes will come after b
	// No ST begins before st and no BEL stands before bel, from the first string on: each byte is searched once,
	// however many strings turn out to have no end.
	st, bel int
}

// escape returns how many bytes from b[i], an ESC, are not text. When more bytes are needed to tell, n is 0 and scanned
// is how many of them have been looked at: the from of the next call for the same sequence.
//
// The forms are those of ECMA-48: ESC and a final byte, with intermediate bytes before it; control sequences (CSI);
// and the strings OSC, DCS, SOS, PM and APC. A broken sequence ends before the byte that breaks it, so neither a
// newline nor text is lost after it. A string runs to ST, an OSC to BEL too; one that does not end within maxSequence
// bytes loses at most its first line.
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
	return 1, 0 // a control, another ESC or a character: only the ESC goes
}

// atEnd returns n when no more bytes will come, else 0.
func (s *scanner) atEnd(n int) int {
	if s.final {
		return n
	}
	return 0
}

// intermediates handles ESC, intermediate bytes, final byte. Without a final byte they are text.
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

// controlSequence handles CSI: parameter bytes, intermediate bytes, final byte.
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
	start := i + max(from-1, 2) // an ESC at the end of what was scanned may begin ST
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

// stringEnd returns the index after the first terminator in b[start:end], 0 if there is none.
func (s *scanner) stringEnd(start, end int, osc bool) int {
	if osc {
		s.bel = max(s.bel, start)
		if s.bel < end {
			s.bel = next(s.bel, end, bytes.IndexByte(s.b[s.bel:end], '\a'))
		}
	}
	s.st = max(s.st, start)
	if s.st < end-1 {
		s.st = next(s.st, end-1, indexST(s.b[s.st:end]))
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

// next turns an index relative to from into an absolute one, end where there is none.
func next(from, end, i int) int {
	if i < 0 {
		return end
	}
	return from + i
}

// indexST returns the index of the first ST (ESC \) in b, -1 if there is none.
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
