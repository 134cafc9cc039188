package keys

// decodeCSI decodes a CSI sequence of at least three bytes.
func decodeCSI(data []byte) (stroke, bool) {
	if len(data) <= 5 {
		if s, ok := decodeClassic(data); ok {
			return s, true
		}
	}
	switch final := data[len(data)-1]; {
	case len(data) == 3:
		return csiBare(final)
	case final == 'Z':
		return backTab(data)
	case final == '~':
		return decodeTilde(data)
	case final == 'u' || cursorCode(final) != 0:
		var k sequence
		if !k.parse(data) {
			return stroke{}, false
		}
		return k.stroke()
	case final >= '0' && final <= '9':
		return otherKey(data)
	}
	return stroke{}, false
}

// csiBare decodes CSI and a final byte beyond the legacy ones: f1 to f4 of terminals that use CSI for SS3. CSI R cannot
// be a cursor position report, which has two numbers.
func csiBare(final byte) (stroke, bool) {
	if final == 'Z' {
		return stroke{tab, shift}, true
	}
	c := cursorCode(final)
	return stroke{code: c}, c != 0
}

// backTab decodes CSI 1 ; modifiers Z, which is tab with shift and further modifiers.
func backTab(data []byte) (stroke, bool) {
	if len(data) < 6 || data[2] != '1' || data[3] != ';' {
		return stroke{}, false
	}
	field, event, i := modifiers(data[:len(data)-1], 4)
	m, ok := heldMods(field)
	return stroke{tab, m | shift}, ok && event != Release && i == len(data)-1
}

// decodeTilde decodes CSI … ~: modifyOtherKeys, or a numbered key, with modifiers or with leading zeros.
func decodeTilde(data []byte) (stroke, bool) {
	body := data[:len(data)-1]
	n, i := number(body, 2)
	if i < 0 {
		return stroke{}, false
	}
	if n == 27 {
		return otherKey(data)
	}
	field, event, i := lastModifiers(body, i)
	m, ok := heldMods(field)
	if !ok || event == Release || i != len(body) {
		return stroke{}, false
	}
	c := tildeCode(n)
	if n == 57427 { // the middle of the keypad, in Kitty's table of ~ keys
		c = clearKey
	}
	return stroke{c, m}, c != 0
}

// otherKey decodes xterm's modifyOtherKeys form, CSI 27 ; modifiers ; code ~. Some senders omit the ~.
func otherKey(data []byte) (stroke, bool) {
	if len(data) < 7 || string(data[2:5]) != "27;" {
		return stroke{}, false
	}
	if data[len(data)-1] == '~' {
		data = data[:len(data)-1]
	}
	field, i := number(data, 5)
	if i < 0 || field == 0 || !at(data, i, ';') {
		return stroke{}, false
	}
	n, i := number(data, i+1)
	m, ok := heldMods(field - 1)
	if !ok || i != len(data) {
		return stroke{}, false
	}
	c, ok := basicKey(n)
	if !ok {
		c, ok = character(n)
	}
	return stroke{c, m}, ok
}

// decodeSS3 decodes SS3 and a final byte: application cursor and application keypad mode.
func decodeSS3(data []byte) (stroke, bool) {
	if len(data) != 3 {
		return stroke{}, false
	}
	if s, ok := classicLetter('O', data[2]); ok {
		return s, true
	}
	switch b := data[2]; {
	case b == 'M':
		return stroke{code: enter}, true
	case b == 'I':
		return stroke{code: tab}, true
	case b == 'X':
		return stroke{code: '='}, true
	case b >= 'j' && b <= 'y': // the keypad's * to 9 lie 64 below
		return stroke{code: code(b - 64)}, true
	}
	return stroke{}, false
}
