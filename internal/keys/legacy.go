package keys

import "unicode/utf8"

// controlKeys maps the control bytes. A byte that two keys share is the key with its own keycap.
var controlKeys = [' ']stroke{
	0: {space, ctrl}, 1: {'a', ctrl}, 2: {'b', ctrl}, 3: {'c', ctrl}, 4: {'d', ctrl}, 5: {'e', ctrl}, 6: {'f', ctrl},
	7: {'g', ctrl}, '\b': {backspace, 0}, '\t': {tab, 0}, '\n': {enter, 0}, 11: {'k', ctrl}, 12: {'l', ctrl},
	'\r': {enter, 0}, 14: {'n', ctrl}, 15: {'o', ctrl}, 16: {'p', ctrl}, 17: {'q', ctrl}, 18: {'r', ctrl},
	19: {'s', ctrl}, 20: {'t', ctrl}, 21: {'u', ctrl}, 22: {'v', ctrl}, 23: {'w', ctrl}, 24: {'x', ctrl},
	25: {'y', ctrl}, 26: {'z', ctrl}, esc: {escape, 0}, 28: {'\\', ctrl}, 29: {']', ctrl}, 30: {'^', ctrl},
	31: {'_', ctrl},
}

// decodeByte decodes an ASCII byte.
func decodeByte(b byte) stroke {
	if b < ' ' {
		return controlKeys[b]
	}
	return stroke{code: code(b)} // backspace is 127 itself
}

// decodePlain decodes bytes without ESC: one byte, or one non-ASCII character.
func decodePlain(data []byte) (stroke, bool) {
	if data[0] < utf8.RuneSelf {
		return decodeByte(data[0]), len(data) == 1
	}
	r, n := utf8.DecodeRune(data)
	return stroke{code: code(r)}, n == len(data) && nameable(r)
}

// decodeMeta decodes a key after ESC, as terminals send it with alt. rest is one byte or one character.
func decodeMeta(rest []byte, kitty bool) (stroke, bool) {
	switch b := rest[0]; {
	case b == esc:
		return stroke{}, false // escape typed twice
	case b < ' ':
		return decodeMetaControl(b, kitty)
	case !kitty && b == 'B':
		return stroke{left, alt}, true
	case !kitty && b == 'F':
		return stroke{right, alt}, true
	case b >= 'A' && b <= 'Z':
		return stroke{code(b) + 'a' - 'A', shift | alt}, true
	}
	if s, ok := metaArrow(rest[0]); ok {
		return s, true
	}
	s, ok := decodePlain(rest)
	s.mods |= alt
	return s, ok
}

// decodeMetaControl decodes a control byte after ESC. Kitty mode reports these keys as CSI u, except the three that it
// leaves unchanged so that a shell stays usable after a crash.
func decodeMetaControl(b byte, kitty bool) (stroke, bool) {
	switch b {
	case '\t', '\r', '\b':
		return stroke{controlKeys[b].code, alt}, true
	case '\n':
		return stroke{'j', ctrl | alt}, !kitty
	}
	return stroke{controlKeys[b].code, ctrl | alt}, !kitty
}

// metaArrow decodes the letters after ESC that mean alt and an arrow: those of Terminal.app and of
// line editors' conventions.
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

// matchesAlias reports whether data, decoded as got, is also the key want: as a byte that two keys share, or as an
// upper-case letter, which is shift and the lower-case one.
func matchesAlias(data []byte, got, want stroke) bool {
	switch {
	case len(data) == 1:
		b := data[0]
		if b >= 'A' && b <= 'Z' {
			return want == stroke{got.code + 'a' - 'A', shift}
		}
		return want.mods == ctrl && sharedByte(b) == want.code && want.code != 0
	case len(data) == 2 && got.mods == shift|alt:
		return want == stroke{got.code - 'a' + 'A', alt}
	}
	return false
}

// sharedByte returns the key pressed with ctrl if controlKeys has another key for that byte, or 0.
func sharedByte(b byte) code {
	switch b {
	case 0:
		return '@'
	case '\b', '\t', '\n', '\r':
		return code(b) + 'a' - 1
	case esc:
		return '['
	case 0x1f:
		return '-'
	}
	return 0
}
