package vt

// mode is a set of modes that are on.
type mode uint64

const (
	modeInsert  mode = 1 << iota // IRM
	modeNewLine                  // LNM
	modeAppCursor
	modeReverse
	modeOrigin
	modeWrap
	modeMouseX10
	modeBlink
	modeCursor
	modeReverseWrap
	modeKeypad
	modeBackspace
	modeMargins
	modeMouseButtons
	modeMouseDrag
	modeMouseMotion
	modeFocus
	modeMouseUTF8
	modeMouseSGR
	modeAlternateScroll
	modeMouseURXVT
	modeMousePixels
	modePaste
	modeSync

	mouseModes     = modeMouseX10 | modeMouseButtons | modeMouseDrag | modeMouseMotion
	mouseEncodings = modeMouseUTF8 | modeMouseSGR | modeMouseURXVT | modeMousePixels
)

// privateMode returns the bit of a DEC private mode, 0 for those without one.
func privateMode(n int) mode {
	switch n {
	case 1:
		return modeAppCursor
	case 5:
		return modeReverse
	case 6:
		return modeOrigin
	case 7:
		return modeWrap
	case 9:
		return modeMouseX10
	case 12:
		return modeBlink
	case 25:
		return modeCursor
	case 45:
		return modeReverseWrap
	case 66:
		return modeKeypad
	case 67:
		return modeBackspace
	case 69:
		return modeMargins
	case 1000:
		return modeMouseButtons
	case 1002:
		return modeMouseDrag
	case 1003:
		return modeMouseMotion
	case 1004:
		return modeFocus
	case 1005:
		return modeMouseUTF8
	case 1006:
		return modeMouseSGR
	case 1007:
		return modeAlternateScroll
	case 1015:
		return modeMouseURXVT
	case 1016:
		return modeMousePixels
	case 2004:
		return modePaste
	case 2026:
		return modeSync
	}
	return 0
}

// Modes are the modes that matter to a renderer and to an encoder of keys.
type Modes struct {
	AltScreen       bool // the alternate screen is active
	AppCursor       bool // DECCKM: arrows are sent as SS3
	AppKeypad       bool // DECNKM
	BackspaceBS     bool // DECBKM: Backspace sends BS, not DEL
	BracketedPaste  bool // 2004
	Focus           bool // 1004: focus changes are reported
	AlternateScroll bool // 1007: the wheel sends arrows on the alternate screen
	ReverseVideo    bool // DECSCNM
	Sync            bool // 2026: a frame is being drawn
	LineFeedNewLine bool // LNM: Return sends CR LF
	Mouse           Mouse
	MouseEncoding   MouseEncoding
	MouseSGR        bool // MouseEncoding is 1006
	KittyFlags      int  // of the Kitty keyboard protocol, for the active screen
	ModifyOtherKeys int  // xterm's, 0…2
}

// Mouse is the mouse tracking mode by its number; 0 means none.
type Mouse int

// The mouse modes.
const (
	MouseNone    Mouse = 0
	MouseX10     Mouse = 9    // presses
	MouseButtons Mouse = 1000 // presses and releases
	MouseDrag    Mouse = 1002 // and motion with a button
	MouseMotion  Mouse = 1003 // and all motion
)

// MouseEncoding is the mouse encoding by its mode number; 0 means three bytes after CSI M.
type MouseEncoding int

// Modes returns the current modes.
func (t *Terminal) Modes() Modes {
	on := func(m mode) bool { return t.modes&m != 0 }
	return Modes{
		AltScreen:       t.scr == &t.alt,
		AppCursor:       on(modeAppCursor),
		AppKeypad:       on(modeKeypad),
		BackspaceBS:     on(modeBackspace),
		BracketedPaste:  on(modePaste),
		Focus:           on(modeFocus),
		AlternateScroll: on(modeAlternateScroll),
		ReverseVideo:    on(modeReverse),
		Sync:            on(modeSync),
		LineFeedNewLine: on(modeNewLine),
		Mouse:           Mouse(t.firstSet(9, 1000, 1002, 1003)),
		MouseEncoding:   MouseEncoding(t.firstSet(1005, 1006, 1015, 1016)),
		MouseSGR:        on(modeMouseSGR),
		KittyFlags:      t.scr.kitty.flags,
		ModifyOtherKeys: t.modifyOtherKeys,
	}
}

// firstSet returns the first of the private modes in numbers that is set, 0 if none is.
func (t *Terminal) firstSet(numbers ...int) int {
	for _, n := range numbers {
		if t.modes&privateMode(n) != 0 {
			return n
		}
	}
	return 0
}

func (t *Terminal) setANSIModes(p *params, on bool) {
	for i := range p.n {
		switch p.get(i, 0) {
		case 4:
			t.set(modeInsert, on)
		case 20:
			t.set(modeNewLine, on)
		case 2, 12: // keyboard lock, local echo: not ours
		default:
			t.unknown++
		}
	}
}

func (t *Terminal) setPrivateModes(p *params, on bool) {
	for i := range p.n {
		t.setPrivateMode(p.get(i, 0), on)
	}
}

func (t *Terminal) set(m mode, on bool) {
	if on {
		t.modes |= m
	} else {
		t.modes &^= m
	}
}

func (t *Terminal) setPrivateMode(n int, on bool) {
	m := privateMode(n)
	switch n {
	case 6:
		t.set(m, on)
		t.home()
		return
	case 9, 1000, 1002, 1003:
		t.modes &^= mouseModes
	case 1005, 1006, 1015, 1016:
		t.modes &^= mouseEncodings
	case 7:
		t.pending = false
	case 47, 1047, 1049:
		t.switchScreen(n, on)
		return
	case 1048:
		if on {
			t.saveCursor()
		} else {
			t.restoreCursor()
		}
		return
	case 69:
		t.setMarginMode(on)
		return
	case 5:
		t.changeAll()
	}
	if m == 0 && !ignoredMode(n) {
		t.unknown++
	}
	t.set(m, on)
}

// ignoredMode reports whether a mode has no effect here although programs set it: 132 columns, smooth scrolling, key
// repeat, National charsets, the scroll bar, meta keys, grapheme clusters (always on).
func ignoredMode(n int) bool {
	switch n {
	case 3, 4, 8, 40, 42, 1034, 1036, 1039, 2027:
		return true
	}
	return false
}

// maxMarginCells is the largest screen on which left and right margins can be set and columns shifted.
// Both move cells one by one: on a giant screen a few bytes would cause much work.
const maxMarginCells = 1 << 14

func (t *Terminal) marginsAllowed() bool { return t.cols*t.rows <= maxMarginCells }

// setMarginMode sets DECLRMM.
func (t *Terminal) setMarginMode(on bool) {
	t.set(modeMargins, on && t.marginsAllowed())
	t.left, t.right = 0, t.cols-1
}

// changeAll marks every row as changed.
func (t *Terminal) changeAll() {
	for _, r := range t.scr.rows {
		t.changed(r)
	}
}

// saveModes and restoreModes implement XTSAVE and XTRESTORE.
func (t *Terminal) saveModes(p *params) {
	for i := range p.n {
		m := privateMode(p.get(i, 0))
		t.savedMode = t.savedMode&^m | t.modes&m
	}
}

func (t *Terminal) restoreModes(p *params) {
	for i := range p.n {
		if m := privateMode(p.get(i, 0)); m != 0 && m != modeMargins {
			t.setPrivateMode(p.get(i, 0), t.savedMode&m != 0)
		}
	}
}

// switchScreen implements modes 47, 1047 and 1049 as xterm does: 1047 clears the alternate screen on leaving it,
// 1049 on entering it, and also saves the cursor.
func (t *Terminal) switchScreen(n int, on bool) {
	if on == (t.scr == &t.alt) {
		if n == 1049 && !on {
			t.restoreCursor()
		}
		return
	}
	if !on {
		t.leaveAlt(n == 1047)
		if n == 1049 {
			t.restoreCursor()
		}
		return
	}
	if n == 1049 {
		t.saveCursor()
	}
	t.scr = &t.alt
	t.altUses++
	if n == 1049 {
		t.eraseRows(0, t.rows, t.cell())
	}
	t.changeAll()
}

// leaveAlt switches to the main screen.
func (t *Terminal) leaveAlt(wipe bool) {
	if t.scr != &t.alt {
		return
	}
	t.noteAlt()
	if wipe {
		t.eraseRows(0, t.rows, t.cell())
	}
	t.scr = &t.main
	t.changeAll()
}
