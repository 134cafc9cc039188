package vt

// csiDispatch executes a control sequence. The handlers clamp every parameter.
func (t *Terminal) csiDispatch(final byte) {
	s := &t.parser
	p := &s.params
	if final != 'm' || s.interN > 0 {
		t.joinable = false
	}
	switch {
	case s.interN > 1:
		t.unknown++
	case s.interN == 1:
		t.csiIntermediate(p, s.prefix, s.inter[0], final)
	case s.prefix != 0:
		t.csiPrivate(p, s.prefix, final)
	case p.colon != 0 && final != 'm':
		t.unknown++
	default:
		t.csiPlain(p, final)
	}
}

func (t *Terminal) csiPlain(p *params, final byte) {
	n := p.count(0)
	switch final {
	case '@':
		t.insertChars(n)
	case 'A':
		t.up(n)
	case 'B', 'e':
		t.down(n)
	case 'C', 'a':
		t.forward(n)
	case 'D':
		t.backward(n)
	case 'E':
		t.down(n)
		t.carriageReturn()
	case 'F':
		t.up(n)
		t.carriageReturn()
	case 'G', '`':
		t.address(n-1, t.rowInOrigin())
	case 'H', 'f':
		t.address(p.count(1)-1, n-1)
	case 'I':
		t.tabForward(n)
	case 'J':
		t.eraseDisplay(p.get(0, 0))
	case 'K':
		t.eraseLine(p.get(0, 0))
	case 'L':
		t.insertLines(n)
	case 'M':
		t.deleteLines(n)
	case 'P':
		t.deleteChars(n)
	case 'S':
		t.scrollUp(t.top, t.bottom, n)
	case 'T', '^':
		t.scrollDown(t.top, t.bottom, n)
	case 'X':
		t.eraseInRow(t.x, t.x+n)
	case 'Z':
		t.tabBackward(n)
	case 'b':
		t.repeat(n)
	case 'c':
		t.replyDA1()
	case 'd':
		t.address(t.columnInOrigin(), n-1)
	case 'g':
		t.clearTabs(p.get(0, 0))
	case 'h', 'l':
		t.setANSIModes(p, final == 'h')
	case 'm':
		t.sgr(p)
	case 'n':
		t.replyStatus(p.get(0, 0))
	case 'r':
		t.setScrollRegion(p)
	case 's':
		if t.modes&modeMargins != 0 {
			t.setMargins(p)
		} else {
			t.saveCursor()
		}
	case 't':
		t.windowOp(p)
	case 'u':
		t.restoreCursor()
	default:
		t.unknown++
	}
}

// rowInOrigin and columnInOrigin give the cursor as [Terminal.address] takes it.
func (t *Terminal) rowInOrigin() int {
	if t.modes&modeOrigin != 0 {
		return t.y - t.top
	}
	return t.y
}

func (t *Terminal) columnInOrigin() int {
	if t.modes&modeOrigin != 0 {
		return t.x - t.left
	}
	return t.x
}

func (t *Terminal) csiPrivate(p *params, prefix, final byte) {
	switch string([]byte{prefix, final}) {
	case "?h", "?l":
		t.setPrivateModes(p, final == 'h')
	case "?J":
		t.eraseDisplay(p.get(0, 0))
	case "?K":
		t.eraseLine(p.get(0, 0))
	case "?n":
		t.replyPrivateStatus(p.get(0, 0))
	case "?r":
		t.restoreModes(p)
	case "?s":
		t.saveModes(p)
	case "?W":
		if p.get(0, 0) == 5 {
			t.resetTabs()
		}
	case "?u":
		t.replyKitty()
	case ">u":
		t.scr.kitty.push(p.get(0, 0))
	case "<u":
		t.scr.kitty.pop(p.count(0))
	case "=u":
		t.scr.kitty.set(p.get(0, 0), p.get(1, 1))
	case ">c":
		t.reply("\x1b[>1;277;0c")
	case "=c":
		t.reply("\x1bP!|00000000\x1b\\")
	case ">q":
		t.reply("\x1bP>|pi\x1b\\")
	case ">m":
		t.setModifyKeys(p)
	case ">n":
		if p.get(0, 2) == 4 {
			t.modifyOtherKeys = 0
		}
	case "?m":
		t.replyModifyKeys(p)
	default:
		t.unknown++
	}
}

func (t *Terminal) csiIntermediate(p *params, prefix, inter, final byte) {
	if prefix != 0 && (prefix != '?' || inter != '$') {
		t.unknown++
		return
	}
	switch string([]byte{inter, final}) {
	case " @":
		t.shiftColumns(t.left, -p.count(0))
	case " A":
		t.shiftColumns(t.left, p.count(0))
	case " q":
		if n := p.get(0, 0); n <= 6 {
			t.shape = n
		}
	case "!p":
		t.softReset()
	case "$p":
		t.replyMode(p.get(0, 0), prefix == '?')
	case "'}":
		t.shiftColumns(t.x, p.count(0))
	case "'~":
		t.shiftColumns(t.x, -p.count(0))
	default:
		t.unknown++
	}
}

func (t *Terminal) clearTabs(how int) {
	switch how {
	case 0:
		t.tabs[t.x] = false
	case 3:
		clear(t.tabs)
	default:
		t.unknown++
	}
}

// setScrollRegion is DECSTBM.
func (t *Terminal) setScrollRegion(p *params) {
	top, bottom := p.count(0), p.get(1, 0)
	if bottom == 0 || bottom > t.rows {
		bottom = t.rows
	}
	if top >= bottom {
		return
	}
	t.top, t.bottom = top-1, bottom-1
	t.home()
}

// setMargins is DECSLRM.
func (t *Terminal) setMargins(p *params) {
	left, right := p.count(0), p.get(1, 0)
	if right == 0 || right > t.cols {
		right = t.cols
	}
	if left >= right {
		return
	}
	t.left, t.right = left-1, right-1
	t.home()
}

// windowOp is XTWINOPS, limited to size reports and the title stack. It never changes the user's window.
func (t *Terminal) windowOp(p *params) {
	switch p.get(0, 0) {
	case 18:
		t.replyf("\x1b[8;%d;%dt", t.rows, t.cols)
	case 19:
		t.replyf("\x1b[9;%d;%dt", t.rows, t.cols)
	case 22:
		if t.titles = append(t.titles, t.title); len(t.titles) > maxTitles {
			t.titles = t.titles[1:]
		}
	case 23:
		if n := len(t.titles) - 1; n >= 0 {
			t.title, t.titles = t.titles[n], t.titles[:n]
		}
	}
}

const maxTitles = 10
