package vt

// control carries out a C0 control; those that are not here do nothing, as on the VT500.
func (t *Terminal) control(b byte) {
	switch b {
	case '\b':
		t.backward(1)
	case '\t':
		t.tabForward(1)
	case '\n', '\v', '\f':
		t.lineFeed()
	case '\r':
		t.carriageReturn()
	case 0x0e:
		t.charsets.gl = 1
		return
	case 0x0f:
		t.charsets.gl = 0
		return
	default:
		return
	}
	t.joinable = false
}

// c1 carries out a C1 control, 0x80…0x9f, that came as a character.
func (t *Terminal) c1(b byte) {
	switch b {
	case 0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f, // DCS SOS CSI OSC PM APC
		0x84, 0x85, 0x88, 0x8d, 0x8e, 0x8f, 0x9a:
		t.enterEscape()
		t.step(b - 0x40)
	}
}

// escDispatch carries out an escape sequence of two bytes or more, without CSI and strings.
func (t *Terminal) escDispatch(final byte) {
	s := &t.parser
	t.joinable = false
	switch {
	case s.interN > 1:
		t.unknown++
		return
	case s.interN == 1:
		t.escIntermediate(s.inter[0], final)
		return
	}
	switch final {
	case '7':
		t.saveCursor()
	case '8':
		t.restoreCursor()
	case 'D':
		t.index()
	case 'E':
		t.carriageReturn()
		t.index()
	case 'H':
		t.tabs[t.x] = true
	case 'M':
		t.reverseIndex()
	case 'N', 'O':
		t.charsets.single = final - 'N' + 2
	case 'Z':
		t.replyDA1()
	case 'c':
		t.hardReset()
	case 'n', 'o':
		t.charsets.gl = final - 'n' + 2
	case '=':
		t.modes |= modeKeypad
	case '>':
		t.modes &^= modeKeypad
	case '6':
		t.backIndex()
	case '9':
		t.forwardIndex()
	case '\\', '|', '}', '~', 'F', 'l', 'm': // a stray ST; sets of GR and xterm's memory lock, which are not used
	default:
		t.unknown++
	}
}

func (t *Terminal) escIntermediate(inter, final byte) {
	switch inter {
	case '(', ')', '*', '+':
		if !t.charsets.designate(int(inter-'('), final) {
			t.unknown++
		}
	case '#':
		if final != '8' {
			t.unknown++
			return
		}
		t.align()
	case '%', ' ': // UTF-8 or not; 7-bit or 8-bit replies: neither changes anything
	default:
		t.unknown++
	}
}

// align is DECALN: the screen full of E, margins and cursor at their first places.
func (t *Terminal) align() {
	t.resetMargins()
	t.home()
	for _, r := range t.scr.rows {
		r.clear(Cell{Rune: 'E', Width: 1})
		t.changed(r)
	}
}

// hardReset is RIS. What was on the main screen stays in the transcript.
func (t *Terminal) hardReset() {
	t.leaveAlt(false)
	t.keepScreen()
	t.reset()
}

// softReset is DECSTR.
func (t *Terminal) softReset() {
	t.modes = t.modes&^(modeInsert|modeOrigin|modeAppCursor|modeKeypad|modeMargins|modeReverseWrap) | modeWrap | modeCursor
	t.resetMargins()
	t.pen = Style{}
	t.charsets = charsets{}
	t.scr.saved = saved{}
	t.shape = 0
	t.pending = false
}
