package keys

// decodeClassic names the sequences without parameters that one terminal or the other has always sent: xterm and the
// VT220 for CSI, SS3 and the ~ numbers, rxvt for lower-case letters, $ and ^, the Linux console for CSI [, and the
// ESC letters of alt and an arrow.
func decodeClassic(data []byte) (stroke, bool) {
	switch {
	case len(data) < 2 || len(data) > 5 || data[0] != esc:
		return stroke{}, false
	case len(data) == 2:
		return metaArrow(data[1])
	case data[1] == 'O' && len(data) == 3:
		return ss3Letter(data[2])
	case data[1] != '[':
		return stroke{}, false
	}
	switch len(data) {
	case 3:
		return csiLetter(data[2])
	case 4:
		if data[2] == '[' {
			return linuxLetter(data[3])
		}
		return editKey(data[2]-'0', data[3])
	}
	if data[2] == '[' {
		if data[4] == '~' && (data[3] == '5' || data[3] == '6') { // old putty
			return editKey(data[3]-'0', '~')
		}
		return stroke{}, false
	}
	return rxvtFunction(data)
}

// cursorLetter names the final byte that CSI, SS3 and the Kitty letter form share.
func cursorLetter(b byte) (code, bool) {
	switch b {
	case 'A', 'B', 'C', 'D':
		return up - code(b-'A'), true
	case 'E':
		return clearKey, true
	case 'F':
		return end, true
	case 'H':
		return home, true
	case 'P', 'Q', 'R', 'S':
		return f1 - code(b-'P'), true
	}
	return 0, false
}

// csiLetter names CSI and a letter: upper case for the cursor keys, lower case for rxvt's shift and a cursor key.
func csiLetter(b byte) (stroke, bool) {
	if c, ok := cursorLetter(b); ok && c > f1 {
		return stroke{code: c}, true
	}
	c, ok := rxvtLetter(b)
	return stroke{c, shift}, ok
}

// ss3Letter names SS3 and a letter: application cursor mode, and rxvt's lower-case arrows for ctrl.
func ss3Letter(b byte) (stroke, bool) {
	if c, ok := cursorLetter(b); ok {
		return stroke{code: c}, true
	}
	c, ok := rxvtLetter(b)
	return stroke{c, ctrl}, ok
}

func rxvtLetter(b byte) (code, bool) {
	switch b {
	case 'a', 'b', 'c', 'd':
		return up - code(b-'a'), true
	case 'e':
		return clearKey, true
	}
	return 0, false
}

// linuxLetter names CSI [ and a letter, f1 to f5 of the Linux console.
func linuxLetter(b byte) (stroke, bool) {
	return stroke{code: f1 - code(b-'A')}, b >= 'A' && b <= 'E'
}

// editKey names the editing keypad: a digit, and ~ or rxvt's sign of the modifiers.
func editKey(digit, final byte) (stroke, bool) {
	if digit > 9 {
		return stroke{}, false
	}
	c, ok := tildeCode(uint32(digit))
	m, known := rxvtMods(final)
	if m != 0 && (digit == 1 || digit == 4) {
		return stroke{}, false // rxvt has 7 and 8 for home and end
	}
	return stroke{c, m}, ok && known
}

// rxvtFunction names CSI, two digits and a final: f1 and up of rxvt and the VT220.
func rxvtFunction(data []byte) (stroke, bool) {
	tens, ones := data[2]-'0', data[3]-'0'
	m, known := rxvtMods(data[4])
	if tens == 0 || tens > 9 || ones > 9 || !known {
		return stroke{}, false
	}
	c, ok := tildeCode(uint32(tens)*10 + uint32(ones))
	return stroke{c, m}, ok
}

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

// tildeCode names the number of a ~ sequence. Beyond f12 it follows the VT220 and the Linux console.
func tildeCode(n uint32) (code, bool) {
	switch {
	case n >= 11 && n <= 15:
		return f1 - code(n-11), true
	case n >= 17 && n <= 21:
		return f1 - 5 - code(n-17), true
	case n >= 23 && n <= 26:
		return f1 - 10 - code(n-23), true
	case n == 28 || n == 29:
		return f1 - 14 - code(n-28), true
	case n >= 31 && n <= 34:
		return f1 - 16 - code(n-31), true
	}
	switch n {
	case 1, 7:
		return home, true
	case 2:
		return insert, true
	case 3:
		return del, true
	case 4, 8:
		return end, true
	case 5:
		return pageUp, true
	case 6:
		return pageDown, true
	}
	return 0, false
}
