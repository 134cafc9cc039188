package keys

// The tables of legacy sequences hold sequences without parameters that terminals send by default. A zero
// entry means no key.

// csiKeys maps the final byte of CSI: the cursor keys of xterm, and rxvt's lower case for shift and a cursor key.
var csiKeys = [128]stroke{
	'A': {up, 0}, 'B': {down, 0}, 'C': {right, 0}, 'D': {left, 0}, 'E': {clearKey, 0}, 'F': {end, 0}, 'H': {home, 0},
	'a': {up, shift}, 'b': {down, shift}, 'c': {right, shift}, 'd': {left, shift}, 'e': {clearKey, shift},
}

// ss3Keys maps the final byte of SS3: application cursor mode, the VT100's f1 to f4, and rxvt's lower case for ctrl.
var ss3Keys = [128]stroke{
	'A': {up, 0}, 'B': {down, 0}, 'C': {right, 0}, 'D': {left, 0}, 'E': {clearKey, 0}, 'F': {end, 0}, 'H': {home, 0},
	'P': {f1, 0}, 'Q': {f1 - 1, 0}, 'R': {f1 - 2, 0}, 'S': {f1 - 3, 0},
	'a': {up, ctrl}, 'b': {down, ctrl}, 'c': {right, ctrl}, 'd': {left, ctrl}, 'e': {clearKey, ctrl},
}

// tildeKeys maps the number of a ~ sequence: the VT220's editing and function keys, with rxvt's home and end (7, 8),
// xterm's f1 to f5 (11 to 15), and the Linux console's f13 to f20 (25 to 34).
var tildeKeys = [35]code{
	1: home, 2: insert, 3: del, 4: end, 5: pageUp, 6: pageDown, 7: home, 8: end,
	11: f1, 12: f1 - 1, 13: f1 - 2, 14: f1 - 3, 15: f1 - 4, 17: f1 - 5, 18: f1 - 6, 19: f1 - 7, 20: f1 - 8, 21: f1 - 9,
	23: f1 - 10, 24: f1 - 11, 25: f1 - 12, 26: f1 - 13, 28: f1 - 14, 29: f1 - 15,
	31: f1 - 16, 32: f1 - 17, 33: f1 - 18, 34: f1 - 19,
}

// decodeClassic decodes the sequences of the tables, of the Linux console (CSI [), and of alt and an arrow (ESC and a
// letter).
func decodeClassic(data []byte) (stroke, bool) {
	switch {
	case len(data) < 2 || len(data) > 5 || data[0] != esc:
		return stroke{}, false
	case len(data) == 2:
		return metaArrow(data[1])
	case len(data) == 3:
		return classicLetter(data[1], data[2])
	case data[1] != '[':
		return stroke{}, false
	case data[2] == '[':
		return linuxKey(data[3:])
	}
	return classicNumber(data)
}

func classicLetter(introducer, b byte) (stroke, bool) {
	var s stroke
	switch {
	case b >= 128:
	case introducer == '[':
		s = csiKeys[b]
	case introducer == 'O':
		s = ss3Keys[b]
	}
	return s, s.code != 0
}

// linuxKey decodes the byte after CSI [: f1 to f5 of the Linux console, or the page keys of old putty.
func linuxKey(rest []byte) (stroke, bool) {
	switch {
	case len(rest) == 1 && rest[0] >= 'A' && rest[0] <= 'E':
		return stroke{code: f1 - code(rest[0]-'A')}, true
	case string(rest) == "5~":
		return stroke{code: pageUp}, true
	case string(rest) == "6~":
		return stroke{code: pageDown}, true
	}
	return stroke{}, false
}

// classicNumber decodes CSI, one or two digits without a leading zero, and ~ or rxvt's final byte for modifiers.
func classicNumber(data []byte) (stroke, bool) {
	n := data[2] - '0'
	if n-1 > 8 {
		return stroke{}, false
	}
	if len(data) == 5 {
		ones := data[3] - '0'
		if ones > 9 {
			return stroke{}, false
		}
		n = n*10 + ones
	}
	c := tildeCode(uint32(n))
	m, ok := rxvtMods(data[len(data)-1])
	if m != 0 && (n == 1 || n == 4) {
		return stroke{}, false // rxvt has 7 and 8 for home and end
	}
	return stroke{c, m}, ok && c != 0
}

// rxvtMods returns the modifiers that rxvt's final byte of a numbered key encodes.
func rxvtMods(final byte) (mods, bool) {
	switch final {
	case '~':
		return 0, true
	case '$':
		return shift, true
	case '^':
		return ctrl, true
	case '@':
		return shift | ctrl, true
	}
	return 0, false
}

// tildeCode returns the key of a ~ number, or 0.
func tildeCode(n uint32) code {
	if n < uint32(len(tildeKeys)) {
		return tildeKeys[n]
	}
	return 0
}

// cursorCode returns the key of the final byte that CSI 1 ; modifiers shares with SS3, or 0.
func cursorCode(b byte) code {
	if b >= 'A' && b <= 'S' {
		return ss3Keys[b].code
	}
	return 0
}
