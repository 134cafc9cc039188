package vt

import "bytes"

// eraseDisplay is ED. Clearing the whole main screen first moves its text to the scrollback, as tmux does, so that
// nothing is lost from the transcript.
func (t *Terminal) eraseDisplay(how int) {
	c := t.cell()
	t.pending = false
	switch how {
	case 0:
		if t.x == 0 && t.y == 0 {
			t.keepScreen()
		}
		t.eraseInRow(t.x, t.cols)
		t.eraseRows(t.y+1, t.rows, c)
	case 1:
		t.eraseRows(0, t.y, c)
		t.eraseInRow(0, t.x+1)
	case 2:
		t.keepScreen()
		t.eraseRows(0, t.rows, c)
	case 3:
		t.ring.clear()
	default:
		t.unknown++
	}
}

func (t *Terminal) eraseRows(from, to int, c Cell) {
	for _, r := range t.scr.rows[from:to] {
		r.erase(0, t.cols, t.cols, c)
		t.changed(r)
	}
}

// eraseInRow erases the columns a ≤ x < b of the cursor's row.
func (t *Terminal) eraseInRow(a, b int) {
	r := t.scr.rows[t.y]
	r.erase(a, min(b, t.cols), t.cols, t.cell())
	t.changed(r)
	t.pending = false
}

// eraseLine is EL.
func (t *Terminal) eraseLine(how int) {
	switch how {
	case 0:
		t.eraseInRow(t.x, t.cols)
	case 1:
		t.eraseInRow(0, t.x+1)
	case 2:
		t.eraseInRow(0, t.cols)
	default:
		t.unknown++
	}
}

// inMargins reports whether the cursor is between the left and right margins, where inserting and deleting work.
func (t *Terminal) inMargins() bool { return t.x >= t.left && t.x <= t.right }

func (t *Terminal) insertChars(n int) {
	if t.inMargins() {
		r := t.scr.rows[t.y]
		r.insert(t.x, t.right+1, n, t.cell())
		t.changed(r)
	}
	t.pending = false
}

func (t *Terminal) deleteChars(n int) {
	if t.inMargins() {
		r := t.scr.rows[t.y]
		r.remove(t.x, t.right+1, n, t.cell())
		t.changed(r)
	}
	t.pending = false
}

// insertLines is IL, deleteLines is DL; both leave the cursor at the left margin.
func (t *Terminal) insertLines(n int) {
	if t.inMargins() && t.y >= t.top && t.y <= t.bottom {
		t.scrollDown(t.y, t.bottom, n)
		t.moveTo(t.left, t.y)
	}
}

func (t *Terminal) deleteLines(n int) {
	if t.inMargins() && t.y >= t.top && t.y <= t.bottom {
		t.scrollUpWithin(t.y, t.bottom, n)
		t.moveTo(t.left, t.y)
	}
}

// shiftColumns shifts the columns from x to the right margin, in every row of the scroll region, right by n, or left by
// -n if n is negative.
func (t *Terminal) shiftColumns(x, n int) {
	if !t.inMargins() || t.y < t.top || t.y > t.bottom || !t.marginsAllowed() {
		return
	}
	for _, r := range t.scr.rows[t.top : t.bottom+1] {
		if n > 0 {
			r.insert(x, t.right+1, n, t.cell())
		} else {
			r.remove(x, t.right+1, -n, t.cell())
		}
		t.changed(r)
	}
	t.pending = false
}

// repeat is REP: the last character again, at most a row of it.
func (t *Terminal) repeat(n int) {
	c := t.lastText
	if c.Width == 0 {
		return
	}
	c.Style = t.pen
	if c.Rune >= 0x20 && c.Rune < 0x7f && t.charsets == (charsets{}) {
		t.printASCII(bytes.Repeat([]byte{byte(c.Rune)}, min(n, t.cols)))
		return
	}
	for range min(n, t.cols) {
		t.putCell(c)
	}
}
