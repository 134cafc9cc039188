package vt

import "slices"

// screen is the main or the alternate screen. They share cursor, margins and modes, as in xterm.
type screen struct {
	rows  []*row
	saved saved
	kitty kittyFlags
}

// saved is the state saved by DECSC.
type saved struct {
	set      bool
	x, y     int
	pending  bool
	pen      Style
	charsets charsets
	modes    mode // of which origin mode counts
}

func (s *screen) init(cols, rows int) {
	s.rows = make([]*row, rows)
	for i := range s.rows {
		s.rows[i] = newRow(cols)
	}
}

// cell returns the erased cell: blank, with the current background colour (bce).
func (t *Terminal) cell() Cell { return blank(t.pen.BG) }

func (t *Terminal) clearRows(rows []*row) {
	for _, r := range rows {
		r.clear(blank(0))
		t.changed(r)
	}
}

// fullWidth reports whether the left and right margins span the whole screen.
func (t *Terminal) fullWidth() bool { return t.left == 0 && t.right == t.cols-1 }

// scrollUp moves the rows top…bottom up by n. Rows that leave the top of the main screen go to the scrollback.
func (t *Terminal) scrollUp(top, bottom, n int) {
	t.scrollUpRows(top, bottom, n, top == 0 && t.scr == &t.main)
}

// scrollUpWithin is scrollUp without the scrollback, for deleting lines.
func (t *Terminal) scrollUpWithin(top, bottom, n int) { t.scrollUpRows(top, bottom, n, false) }

func (t *Terminal) scrollUpRows(top, bottom, n int, keep bool) {
	n = min(n, bottom-top+1)
	if n <= 0 {
		return
	}
	if !t.fullWidth() {
		t.scrollBlock(top, bottom, n)
		return
	}
	rows := t.scr.rows[top : bottom+1]
	fill := t.cell()
	if n == 1 {
		r := rows[0]
		if keep {
			t.leave(r)
		}
		copy(rows, rows[1:])
		rows[len(rows)-1] = r
		r.clear(fill)
		t.changed(r)
		return
	}
	if keep {
		for _, r := range rows[:n] {
			t.leave(r)
		}
	}
	rotate(rows, n)
	for _, r := range rows[len(rows)-n:] {
		r.clear(fill)
		t.changed(r)
	}
}

// scrollDown moves the rows top…bottom down by n.
func (t *Terminal) scrollDown(top, bottom, n int) {
	n = min(n, bottom-top+1)
	if n <= 0 {
		return
	}
	if !t.fullWidth() {
		t.scrollBlock(top, bottom, -n)
		return
	}
	rows := t.scr.rows[top : bottom+1]
	rotate(rows, len(rows)-n)
	fill := t.cell()
	for _, r := range rows[:n] {
		r.clear(fill)
		t.changed(r)
	}
	if top > 0 {
		t.scr.rows[top-1].wrapAt = 0 // the next row is not its continuation now
	}
}

// rotate moves the first n rows after the others.
func rotate(rows []*row, n int) {
	slices.Reverse(rows[:n])
	slices.Reverse(rows[n:])
	slices.Reverse(rows)
}

// scrollBlock moves the cells between the margins up by n rows, or down when n is negative.
func (t *Terminal) scrollBlock(top, bottom, n int) {
	fill := t.cell()
	step, from, to := 1, top, bottom+1
	if n < 0 {
		step, from, to = -1, bottom, top-1
	}
	for y := from; y != to; y += step {
		dst := t.scr.rows[y]
		dst.materialise(t.cols)
		dst.cut(t.left)
		dst.cut(t.right + 1)
		if src := y + n; src >= top && src <= bottom {
			t.copyBlock(dst, t.scr.rows[src])
		} else {
			dst.fillCells(t.left, t.right+1, fill)
		}
		dst.wrapAt = 0
		t.changed(dst)
	}
}

func (t *Terminal) copyBlock(dst, src *row) {
	src.materialise(t.cols)
	src.cut(t.left)
	src.cut(t.right + 1)
	copy(dst.cells[t.left:t.right+1], src.cells[t.left:t.right+1])
	dst.ascii = dst.ascii && src.ascii
}

// Resize changes the size of the screen in cells, clamped to 1…1000. It does not reflow: programs redraw when
// they are notified. Rows keep the text that no longer fits, for the transcript and a later wider screen. A shorter screen first
// loses empty rows below the cursor, then rows at the top, which scroll off; a taller one grows at the bottom.
func (t *Terminal) Resize(cols, rows int) {
	cols, rows = min(max(cols, 1), maxCols), min(max(rows, 1), maxRows)
	if cols == t.cols && rows == t.rows {
		return
	}
	shown := t.scr
	for _, s := range []*screen{&t.main, &t.alt} {
		y := t.y
		if s != shown {
			y = min(s.saved.y, t.rows-1)
		}
		t.scr = s
		moved := t.resizeScreen(s, cols, rows, y)
		s.saved.x, s.saved.y = min(s.saved.x, cols-1), min(max(s.saved.y-moved, 0), rows-1)
		if s == shown {
			t.y = min(y-moved, rows-1)
		}
	}
	t.scr = shown
	for x := t.cols; x < cols; x++ {
		if x >= len(t.tabs) {
			t.tabs = append(t.tabs, x%8 == 0)
		}
	}
	t.cols, t.rows = cols, rows
	t.x, t.pending, t.joinable = min(t.x, cols-1), false, false
	if !t.marginsAllowed() {
		t.modes &^= modeMargins
	}
	t.resetMargins()
}

// resizeScreen returns the number of rows that scrolled off the top. It keeps row y, which has the cursor.
func (t *Terminal) resizeScreen(s *screen, cols, rows, y int) (moved int) {
	last := len(s.rows) - 1
	for ; last >= rows && last > y && s.rows[last].empty(); last-- {
	}
	moved = min(max(last+1-rows, 0), y)
	if s == &t.main {
		for _, r := range s.rows[:moved] {
			t.leave(r)
		}
	}
	kept := append([]*row(nil), s.rows[moved:min(last+1, moved+rows)]...)
	for len(kept) < rows {
		kept = append(kept, newRow(cols))
	}
	for _, r := range kept {
		r.widen(cols)
		t.changed(r)
	}
	s.rows = kept
	return moved
}

// empty reports whether the row contains only spaces.
func (r *row) empty() bool {
	if r.fill.Rune != ' ' {
		return false
	}
	r.expand()
	for i := r.used - 1; i >= 0; i-- {
		if r.cells[i].Rune != ' ' {
			return false
		}
	}
	return true
}
