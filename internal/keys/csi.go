package keys

// decodeCSI names a CSI sequence.
func decodeCSI(data []byte) (stroke, bool) {
	if s, ok := decodeClassic(data); ok {
		return s, true
	}
	switch final := data[len(data)-1]; {
	case len(data) == 3:
		return csiBare(final)
	case final == 'Z':
		return backTab(data)
	case final == 'u' || final == '~' || final <= 'S' && final >= 'A':
		if k, ok := parseKitty(data); ok {
			return k.stroke()
		}
		if final != '~' {
			return stroke{}, false
		}
		if s, ok := otherKey(data); ok {
			return s, true
		}
		return farTilde(data)
	case final >= '0' && final <= '9':
		return otherKey(data)
	}
	return stroke{}, false
}

// csiBare names CSI and a final byte beyond the classic ones: f1 to f4 of terminals that use CSI for SS3. CSI R cannot
// be a cursor position report, which has two numbers.
func csiBare(final byte) (stroke, bool) {
	if final == 'Z' {
		return stroke{tab, shift}, true
	}
	c, ok := cursorLetter(final)
	return stroke{code: c}, ok
}

// backTab names CSI 1 ; modifiers Z, which is tab with shift and further modifiers.
func backTab(data []byte) (stroke, bool) {
	field, ok := oneSemicolon(data)
	if !ok {
		return stroke{}, false
	}
	m, ok := heldMods(field)
	return stroke{tab, m | shift}, ok
}

// oneSemicolon reads CSI 1 ; modifiers and a final byte, and gives the modifiers less one.
func oneSemicolon(data []byte) (uint32, bool) {
	p := params{data: data[:len(data)-1], at: 2}
	one, ok := p.number()
	if !ok || one != 1 || !p.eat(';') {
		return 0, false
	}
	field, ok := p.number()
	return field - 1, ok && field != 0 && p.done()
}

// otherKey names xterm's modifyOtherKeys form, CSI 27 ; modifiers ; code ~. Some senders leave the ~ out.
func otherKey(data []byte) (stroke, bool) {
	if len(data) < 7 || data[2] != '2' || data[3] != '7' || data[4] != ';' {
		return stroke{}, false
	}
	if data[len(data)-1] == '~' {
		data = data[:len(data)-1]
	}
	p := params{data: data, at: 5}
	field, ok := p.number()
	if !ok || field == 0 || !p.eat(';') {
		return stroke{}, false
	}
	n, ok := p.number()
	if !ok || !p.done() {
		return stroke{}, false
	}
	m, ok := heldMods(field - 1)
	if !ok {
		return stroke{}, false
	}
	c, ok := basicKey(n)
	if !ok {
		c, ok = character(n)
	}
	return stroke{c, m}, ok
}

// farTilde names ~ sequences that the Kitty parser leaves out: f13 to f20 with modifiers, and the middle of the keypad.
func farTilde(data []byte) (stroke, bool) {
	p := params{data: data[:len(data)-1], at: 2}
	n, ok := p.number()
	if !ok || n < 25 {
		return stroke{}, false
	}
	field, event, ok := p.lastModifiers()
	if !ok || event == Release || !p.done() {
		return stroke{}, false
	}
	m, ok := heldMods(field)
	if !ok {
		return stroke{}, false
	}
	if n == 57427 {
		return stroke{clearKey, m}, true
	}
	c, ok := tildeCode(n)
	return stroke{c, m}, ok
}

// decodeSS3 names SS3 and a final byte: application cursor and application keypad mode.
func decodeSS3(data []byte) (stroke, bool) {
	if len(data) != 3 {
		return stroke{}, false
	}
	if s, ok := ss3Letter(data[2]); ok {
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
