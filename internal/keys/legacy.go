package keys

import "unicode/utf8"

// decodePlain names bytes without ESC: a control byte or one character.
func decodePlain(data []byte) (stroke, bool) {
	if len(data) == 1 {
		return decodeByte(data[0])
	}
	r, n := utf8.DecodeRune(data)
	if data[0] < utf8.RuneSelf || n != len(data) || !nameable(r) {
		return stroke{}, false
	}
	return stroke{code: code(r)}, true
}

// decodeByte names an ASCII byte. Control bytes that two keys share are the key that has its own cap.
func decodeByte(b byte) (stroke, bool) {
	switch {
	case b > 0x20 && b < 0x7f:
		return stroke{code: code(b)}, true
	case b >= utf8.RuneSelf:
		return stroke{}, false
	}
	switch b {
	case '\t', '\r', esc, ' ', 0x7f:
		return stroke{code: code(b)}, true
	case '\n':
		return stroke{code: enter}, true
	case '\b':
		return stroke{code: backspace}, true
	case 0:
		return stroke{space, ctrl}, true
	}
	return stroke{controlled(b), ctrl}, true
}

// controlled gives the character that ctrl turns into the control byte b: 1 to 26 are letters, 28 to 31 symbols.
func controlled(b byte) code {
	if b <= 26 {
		return code(b + 'a' - 1)
	}
	return code(b + '@')
}

// decodeMeta names a key behind ESC, as terminals send it with alt held. rest is one byte or one character.
func decodeMeta(rest []byte, kitty bool) (stroke, bool) {
	b := rest[0]
	switch {
	case b == esc:
		return stroke{}, false // escape typed twice
	case b >= utf8.RuneSelf:
		s, ok := decodePlain(rest)
		return stroke{s.code, alt}, ok
	case b < ' ':
		return decodeMetaControl(b, kitty)
	}
	if s, ok := metaArrow(b); ok {
		return s, true
	}
	switch {
	case b == 'B' && !kitty:
		return stroke{left, alt}, true
	case b == 'F' && !kitty:
		return stroke{right, alt}, true
	case b >= 'A' && b <= 'Z':
		return stroke{code(b) + 'a' - 'A', shift | alt}, true
	}
	return stroke{code(b), alt}, true
}

// decodeMetaControl names a control byte behind ESC. Kitty mode reports these keys as CSI u, but for the three that it
// leaves alone so that a shell stays usable after a crash.
func decodeMetaControl(b byte, kitty bool) (stroke, bool) {
	switch b {
	case '\t', '\r':
		return stroke{code(b), alt}, true
	case '\b':
		return stroke{backspace, alt}, true
	case 0:
		return stroke{space, ctrl | alt}, !kitty
	}
	return stroke{controlled(b), ctrl | alt}, !kitty
}

// metaArrow names what Terminal.app and readline's habits make of alt and an arrow.
func metaArrow(b byte) (stroke, bool) {
	switch b {
	case 'b':
		return stroke{left, alt}, true
	case 'f':
		return stroke{right, alt}, true
	case 'p':
		return stroke{up, alt}, true
	case 'n':
		return stroke{down, alt}, true
	}
	return stroke{}, false
}

// matchesAlias tells whether data, as a byte that two keys share or as an upper-case letter, is also the key want.
func matchesAlias(data []byte, want stroke) bool {
	var meta mods
	if len(data) == 2 && data[0] == esc {
		meta, data = alt, data[1:]
	}
	if len(data) == 1 {
		return isAlias(data[0], want.code, want.mods, meta)
	}
	return false
}

func isAlias(b byte, want code, held, meta mods) bool {
	if b >= 'A' && b <= 'Z' {
		if meta != 0 {
			return want == code(b) && held == alt
		}
		return want == code(b)+'a'-'A' && held == shift
	}
	if held != ctrl || meta != 0 {
		return false
	}
	switch b {
	case 0:
		return want == '@'
	case '\b', '\t', '\n', '\r':
		return want == controlled(b)
	case esc:
		return want == '['
	case 0x1f:
		return want == '-'
	}
	return false
}
