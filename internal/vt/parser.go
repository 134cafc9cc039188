package vt

import "unicode/utf8"

// The parser is Paul Williams' state machine for the VT500 (https://vt100.net/emu/dec_ansi_parser), with UTF-8 instead
// of 8-bit characters. C1 controls are taken as U+0080…U+009F; their bare bytes are not UTF-8, and so U+FFFD.
type parser struct {
	state state
	utf8  [utf8.UTFMax]byte // a character that is not complete
	utf8n int

	params params
	prefix byte // one of < = > ?, or 0
	inter  [2]byte
	interN int

	str      []byte // OSC or DCS text
	tooLong  bool
	dcsFinal byte
}

type state uint8

const (
	ground state = iota
	escape
	escapeIntermediate
	csiEntry
	csiParam
	csiIntermediate
	csiIgnore
	dcsEntry
	dcsParam
	dcsIntermediate
	dcsPassthrough
	dcsIgnore
	oscString
	otherString // SOS, PM, APC
	stringEnd   // ESC within a string; \ makes it ST
)

const maxString = 8 << 10 // bytes of an OSC or DCS string; longer strings are ignored

// Write interprets p, which the program wrote to its terminal. It always consumes all of p and returns a nil error.
// A UTF-8 character or control sequence may be split across calls.
func (t *Terminal) Write(p []byte) (int, error) {
	for i := 0; i < len(p); {
		if t.parser.state != ground {
			t.step(p[i])
			i++
			continue
		}
		if t.parser.utf8n > 0 {
			i += t.continueRune(p[i])
			continue
		}
		i += t.ground(p[i:])
	}
	return len(p), nil
}

// ground takes text or one control of p and returns the number of bytes.
func (t *Terminal) ground(p []byte) int {
	b := p[0]
	switch {
	case b == 0x1b:
		t.enterEscape()
		return 1
	case b < 0x20:
		t.control(b)
		return 1
	case b < 0x7f:
		n := 1
		for n < len(p) && p[n]-0x20 < 0x7f-0x20 {
			n++
		}
		t.printASCII(p[:n])
		return n
	case b == 0x7f:
		return 1
	}
	r, n := utf8.DecodeRune(p)
	if r == utf8.RuneError && n == 1 {
		return t.invalid(p)
	}
	t.printRune(r)
	return n
}

// invalid handles invalid UTF-8 at the start of p. A truncated character prints one U+FFFD; if it is at the end of p, it
// is kept until the next bytes arrive.
func (t *Terminal) invalid(p []byte) int {
	n := 1
	for n < len(p) && !utf8.FullRune(p[:n]) && !utf8.FullRune(p[:n+1]) {
		n++
	}
	if n == len(p) && !utf8.FullRune(p) {
		t.parser.utf8n = copy(t.parser.utf8[:], p)
		return n
	}
	t.printRune(utf8.RuneError)
	return n
}

// continueRune adds b to an incomplete UTF-8 character and returns the number of bytes consumed: 0 if b does not
// continue the character.
func (t *Terminal) continueRune(b byte) int {
	s := &t.parser
	s.utf8[s.utf8n] = b
	all := s.utf8[:s.utf8n+1]
	if !utf8.FullRune(all) {
		s.utf8n++
		return 1
	}
	s.utf8n = 0
	r, n := utf8.DecodeRune(all)
	if r == utf8.RuneError && n == 1 {
		t.printRune(utf8.RuneError)
		return 0
	}
	t.printRune(r)
	return 1
}

func (t *Terminal) enterEscape() {
	t.parser.state, t.parser.interN, t.parser.prefix = escape, 0, 0
}

func (t *Terminal) enterSequence(s state) {
	t.parser.state, t.parser.interN, t.parser.prefix = s, 0, 0
	t.parser.params.clear()
}

func (t *Terminal) enterString(s state) {
	t.parser.state, t.parser.str, t.parser.tooLong = s, t.parser.str[:0], false
}

// step processes one byte in any state except ground.
func (t *Terminal) step(b byte) {
	s := &t.parser
	switch s.state {
	case oscString, otherString, dcsPassthrough, dcsIgnore:
		t.stringByte(b)
		return
	case stringEnd:
		if b == '\\' {
			s.state = ground
			return
		}
		t.enterEscape()
		t.step(b)
		return
	}
	switch {
	case b == 0x1b:
		t.enterEscape()
	case b == 0x18 || b == 0x1a: // CAN, SUB
		s.state = ground
	case b < 0x20:
		if s.state < dcsEntry {
			t.control(b)
		}
	case b == 0x7f:
	case b >= 0x80: // not of a sequence: it ends here, and the text goes on
		s.state = ground
		t.ground([]byte{b})
	default:
		t.sequenceByte(b)
	}
}

// sequenceByte processes a byte 0x20…0x7e of an escape sequence, a control sequence (CSI) or the header of a DCS.
func (t *Terminal) sequenceByte(b byte) {
	s := &t.parser
	switch s.state {
	case escape:
		t.escapeByte(b)
	case escapeIntermediate:
		if b < 0x30 {
			s.collect(b)
			return
		}
		s.state = ground
		t.escDispatch(b)
	case csiEntry, csiParam, csiIntermediate:
		t.headByte(b, csiEntry)
	case csiIgnore:
		if b >= 0x40 {
			s.state = ground
			t.unknown++
		}
	case dcsEntry, dcsParam, dcsIntermediate:
		t.headByte(b, dcsEntry)
	}
}

func (s *parser) collect(b byte) {
	if s.interN < len(s.inter) {
		s.inter[s.interN] = b
	}
	s.interN++
}

func (t *Terminal) escapeByte(b byte) {
	s := &t.parser
	switch {
	case b < 0x30:
		s.collect(b)
		s.state = escapeIntermediate
	case b == '[':
		t.enterSequence(csiEntry)
	case b == ']':
		t.enterString(oscString)
	case b == 'P':
		t.enterSequence(dcsEntry)
	case b == 'X' || b == '^' || b == '_':
		t.enterString(otherString)
	default:
		s.state = ground
		t.escDispatch(b)
	}
}

// headByte processes a private prefix, parameter, intermediate or final byte of a CSI or DCS. kind is csiEntry or
// dcsEntry; the param and intermediate states follow each in the same order.
func (t *Terminal) headByte(b byte, kind state) {
	s := &t.parser
	param, intermediate, ignore := kind+1, kind+2, csiIgnore
	if kind == dcsEntry {
		ignore = dcsIgnore
	}
	switch {
	case b < 0x30:
		s.collect(b)
		s.state = intermediate
	case b < 0x40:
		switch {
		case s.state == intermediate || b >= 0x3c && s.state != kind:
			s.state = ignore
		case b >= 0x3c:
			s.prefix, s.state = b, param
		default:
			s.params.add(b)
			s.state = param
		}
	case kind == csiEntry:
		s.state = ground
		t.csiDispatch(b)
	default:
		t.enterString(dcsPassthrough)
		s.dcsFinal = b
	}
	if s.state == dcsIgnore {
		t.enterString(dcsIgnore)
	}
}

// stringByte processes a byte of an OSC, DCS, SOS, PM or APC string.
func (t *Terminal) stringByte(b byte) {
	s := &t.parser
	switch {
	case b == 0x1b:
		t.endString()
		s.state = stringEnd
	case b == 0x18 || b == 0x1a:
		s.state = ground
	case b == 0x07 && s.state == oscString:
		t.endString()
		s.state = ground
	case b == 0x9c && len(s.str) > 0 && s.str[len(s.str)-1] == 0xc2: // U+009C, ST
		s.str = s.str[:len(s.str)-1]
		t.endString()
		s.state = ground
	case s.state == otherString || s.state == dcsIgnore:
		s.str = append(s.str[:0], b) // only to find U+009C
	case b < 0x20 && s.state == oscString:
	case len(s.str) >= maxString:
		s.tooLong = true
		s.str[len(s.str)-1] = b
	default:
		s.str = append(s.str, b)
	}
}

func (t *Terminal) endString() {
	s := &t.parser
	if s.tooLong {
		return
	}
	switch s.state {
	case oscString:
		t.oscDispatch(s.str)
	case dcsPassthrough:
		t.dcsDispatch(s.dcsFinal, s.str)
	}
}
