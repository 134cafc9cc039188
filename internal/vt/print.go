package vt

import "github.com/clipperhouse/displaywidth"

// rightEdge returns the column after the last one available to text in the cursor's row.
func (t *Terminal) rightEdge() int {
	if t.x <= t.right {
		return t.right + 1
	}
	return t.cols
}

// printASCII prints a run of 0x20…0x7e.
func (t *Terminal) printASCII(p []byte) {
	if t.modes&modeInsert != 0 || t.charsets.current() != charsetASCII || t.charsets.single != 0 {
		for _, b := range p {
			t.printRune(rune(b))
		}
		return
	}
	for len(p) > 0 {
		if t.pending {
			t.wrapLine(t.cols)
		}
		line, edge := t.scr.rows[t.y], t.rightEdge()
		n := min(len(p), edge-t.x)
		line.putASCII(t.x, p[:n], t.pen)
		t.changed(line)
		t.lastText = Cell{Style: t.pen, Rune: rune(p[n-1]), Width: 1}
		t.advance(n)
		if p = p[n:]; t.modes&modeWrap == 0 && len(p) > 0 {
			p = p[len(p)-1:] // the others are overwritten in the last column
		}
	}
	t.joinable = true
}

// printRune prints one character of the current character set.
func (t *Terminal) printRune(r rune) {
	if r < 0x80 {
		r = t.charsets.current().translate(byte(r))
		t.charsets.single = 0
	}
	if r >= 0x80 && r < 0xa0 {
		t.c1(byte(r))
		return
	}
	if t.join(r) {
		return
	}
	width := displaywidth.Rune(r)
	if r == 0xad { // soft hyphen: a terminal shows it
		width = 1
	}
	if width > 0 && width <= t.cols {
		t.putCell(Cell{Style: t.pen, Rune: r, Width: uint8(width)})
	}
}

// putCell prints a character at the cursor and moves it.
func (t *Terminal) putCell(c Cell) {
	if t.pending {
		t.wrapLine(t.cols)
	}
	edge := t.rightEdge()
	if c.Width == 2 && t.x+1 >= edge {
		if t.modes&modeWrap == 0 || t.x == 0 || edge-t.left < 2 {
			return
		}
		t.wrapLine(t.x)
		if edge = t.rightEdge(); t.x+1 >= edge {
			return
		}
	}
	line := t.scr.rows[t.y]
	if t.modes&modeInsert != 0 {
		line.insert(t.x, edge, int(c.Width), t.cell())
	}
	line.put(t.x, c)
	t.changed(line)
	t.lastText, t.joinable = c, true
	t.advance(int(c.Width))
}

// advance moves the cursor past n printed columns.
func (t *Terminal) advance(n int) {
	edge := t.rightEdge()
	t.x += n
	if t.x >= edge {
		t.x, t.pending = edge-1, true
		if edge == t.cols {
			t.scr.rows[t.y].wrapAt = 0
		}
	}
}

// wrapLine continues in the next row if autowrap is on, else in the last column. The row has n cells of text.
func (t *Terminal) wrapLine(n int) {
	t.pending = false
	if t.modes&modeWrap == 0 {
		return
	}
	if t.fullWidth() {
		t.scr.rows[t.y].wrapAt = n
	}
	if t.x <= t.right {
		t.x = t.left
	} else {
		t.x = 0
	}
	t.index()
}
