package vt

// moveTo puts the cursor into a cell of the screen; coordinates outside are clamped.
func (t *Terminal) moveTo(x, y int) {
	t.x, t.y = min(max(x, 0), t.cols-1), min(max(y, 0), t.rows-1)
	t.pending, t.joinable = false, false
}

// address is CUP with coordinates from 0, in origin mode relative to the margins and within them.
func (t *Terminal) address(x, y int) {
	if t.modes&modeOrigin == 0 {
		t.moveTo(x, y)
		return
	}
	t.moveTo(min(t.left+max(x, 0), t.right), min(t.top+max(y, 0), t.bottom))
}

func (t *Terminal) home() {
	if t.modes&modeOrigin != 0 {
		t.moveTo(t.left, t.top)
		return
	}
	t.moveTo(0, 0)
}

// up is CUU. The top margin stops the cursor if it starts at or below that margin.
func (t *Terminal) up(n int) {
	limit := 0
	if t.y >= t.top {
		limit = t.top
	}
	t.moveTo(t.x, max(t.y-n, limit))
}

func (t *Terminal) down(n int) {
	limit := t.rows - 1
	if t.y <= t.bottom {
		limit = t.bottom
	}
	t.moveTo(t.x, min(t.y+n, limit))
}

func (t *Terminal) forward(n int) {
	t.moveTo(min(t.x+n, t.rightEdge()-1), t.y)
}

// backward is CUB. With reverse wraparound and autowrap it continues at the end of the row above.
func (t *Terminal) backward(n int) {
	limit := 0
	if t.x >= t.left {
		limit = t.left
	}
	const both = modeReverseWrap | modeWrap
	if t.modes&both == both {
		if t.pending {
			n--
		}
		for n > t.x-limit && t.y > 0 && n > 0 {
			n -= t.x - limit + 1
			t.moveTo(t.cols-1, t.y-1)
			if limit > 0 {
				t.x = t.right
			}
		}
	}
	t.moveTo(max(t.x-n, limit), t.y)
}

func (t *Terminal) carriageReturn() {
	if t.x >= t.left {
		t.moveTo(t.left, t.y)
		return
	}
	t.moveTo(0, t.y)
}

// lineFeed is LF, and with LNM a carriage return too.
func (t *Terminal) lineFeed() {
	if t.modes&modeNewLine != 0 {
		t.carriageReturn()
	}
	t.index()
}

// index is IND: it moves down one row, or scrolls the scroll region at its bottom margin.
func (t *Terminal) index() {
	t.pending = false
	switch {
	case t.y == t.bottom:
		if t.x >= t.left && t.x <= t.right {
			t.scrollUp(t.top, t.bottom, 1)
		}
	case t.y < t.rows-1:
		t.y++
	}
}

func (t *Terminal) reverseIndex() {
	t.pending = false
	switch {
	case t.y == t.top:
		if t.x >= t.left && t.x <= t.right {
			t.scrollDown(t.top, t.bottom, 1)
		}
	case t.y > 0:
		t.y--
	}
}

// forwardIndex is DECFI: right one column, and at the right margin the region shifts left.
func (t *Terminal) forwardIndex() {
	switch {
	case t.x == t.right:
		t.shiftColumns(t.left, -1)
	case t.x < t.cols-1:
		t.moveTo(t.x+1, t.y)
	}
}

// backIndex is DECBI.
func (t *Terminal) backIndex() {
	switch {
	case t.x == t.left:
		t.shiftColumns(t.left, 1)
	case t.x > 0:
		t.moveTo(t.x-1, t.y)
	}
}

func (t *Terminal) resetTabs() {
	t.tabs = make([]bool, t.cols)
	for x := 0; x < t.cols; x += 8 {
		t.tabs[x] = true
	}
}

// tabForward is CHT: it moves to the nth next tab stop, or to the right edge.
func (t *Terminal) tabForward(n int) {
	edge := t.rightEdge() - 1
	x := t.x
	for ; n > 0 && x < edge; n-- {
		for x++; x < edge && !t.tabs[x]; x++ {
		}
	}
	if x != t.x {
		t.moveTo(x, t.y)
	}
}

func (t *Terminal) tabBackward(n int) {
	limit := 0
	if t.modes&modeOrigin != 0 && t.x >= t.left {
		limit = t.left
	}
	x := t.x
	for ; n > 0 && x > limit; n-- {
		for x--; x > limit && !t.tabs[x]; x-- {
		}
	}
	t.moveTo(x, t.y)
}

// saveCursor is DECSC.
func (t *Terminal) saveCursor() {
	t.scr.saved = saved{set: true, x: t.x, y: t.y, pending: t.pending, pen: t.pen, charsets: t.charsets, modes: t.modes & modeOrigin}
}

// restoreCursor is DECRC. If nothing was saved, it homes the cursor and resets the rendition and character sets.
func (t *Terminal) restoreCursor() {
	s := &t.scr.saved
	t.modes = t.modes&^modeOrigin | s.modes
	t.pen, t.charsets = s.pen, s.charsets
	t.moveTo(s.x, s.y)
	t.pending = s.pending && t.x == t.cols-1
}
