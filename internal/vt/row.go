package vt

// A row is filled from the left as far as something was written; what lies behind stands for the fill. So clearing a
// row, or the whole screen, does not touch its cells.
type row struct {
	cells   []Cell // at least as many as the screen has columns; only cells[:used] are set
	used    int
	fill    Cell
	version uint64

	// wrapAt is, when the line goes on in the next row, the number of cells of its text here; else 0. It is smaller than
	// the row when a wide character did not fit.
	wrapAt int

	// What is known of cells[:used]; when false, it may still be so.
	ascii   bool // printable ASCII only
	uniform bool // all of this style
	style   Style
}

func newRow(cols int) *row {
	r := &row{cells: make([]Cell, cols)}
	r.clear(blank(0))
	return r
}

func (r *row) clear(fill Cell) {
	r.used, r.fill, r.wrapAt, r.ascii, r.uniform = 0, fill, 0, true, true
}

// widen makes room for cols cells.
func (r *row) widen(cols int) {
	if len(r.cells) < cols {
		cells := make([]Cell, cols)
		copy(cells, r.cells[:r.used])
		r.cells = cells
	}
}

// materialise sets the cells up to n.
func (r *row) materialise(n int) {
	if n <= r.used {
		return
	}
	r.noteStyle(r.fill.Style)
	for i := r.used; i < n; i++ {
		r.cells[i] = r.fill
	}
	r.used = n
}

// noteStyle keeps style and uniform true before cells of style s are written.
func (r *row) noteStyle(s Style) {
	if r.used == 0 {
		r.style, r.uniform, r.ascii = s, true, true
	} else if r.style != s {
		r.uniform = false
	}
}

// ensure materialises up to x and prepares for writing n cells of style s there.
func (r *row) ensure(x int) {
	if x > r.used {
		r.materialise(x)
	}
}

// putASCII writes printable ASCII at x.
func (r *row) putASCII(x int, text []byte, s Style) {
	r.ensure(x)
	r.noteStyle(s)
	end := x + len(text)
	r.cut(x)
	r.cut(end)
	cells := r.cells[x:end]
	for i, b := range text[:len(cells)] {
		c := &cells[i]
		c.Style, c.Rune, c.Width = s, rune(b), 1
	}
	r.used = max(r.used, end)
}

// put writes one character of width 1 or 2 at x.
func (r *row) put(x int, c Cell) {
	r.ensure(x)
	r.noteStyle(c.Style)
	end := x + int(c.Width)
	r.cut(x)
	r.cut(end)
	r.cells[x] = c
	if c.Width == 2 {
		r.cells[x+1] = Cell{Style: c.Style, Rune: ' '}
	}
	r.used = max(r.used, end)
	r.ascii = r.ascii && c.Rune < 0x80 && c.Rune >= 0
}

// cut blanks a wide character that reaches over the border left of x, so that its halves are not parted.
func (r *row) cut(x int) {
	if !r.ascii && x > 0 && x < r.used && r.cells[x].Width == 0 {
		r.blankCell(x - 1)
		r.blankCell(x)
	}
}

func (r *row) blankCell(x int) {
	r.cells[x].Rune, r.cells[x].Width = ' ', 1
}

// erase fills the cells from a up to b, of cols that are visible, with c.
func (r *row) erase(a, b, cols int, c Cell) {
	if b >= cols {
		b, r.wrapAt = cols, 0
		if a == 0 {
			r.clear(c)
			return
		}
		if a >= r.used && r.fill == c {
			return
		}
		if r.fill == c {
			r.cut(a)
			r.used = a
			return
		}
		r.used = min(r.used, cols)
	}
	r.materialise(cols)
	r.cut(a)
	r.cut(b)
	r.fillCells(a, b, c)
}

// fillCells writes c from a up to b, which are set already.
func (r *row) fillCells(a, b int, c Cell) {
	r.noteStyle(c.Style)
	for i := a; i < b; i++ {
		r.cells[i] = c
	}
	r.ascii = r.ascii && c.Rune < 0x80
}

// insert shifts the cells from x up to end, exclusive, right by n and fills the gap; what is pushed out is lost.
func (r *row) insert(x, end, n int, c Cell) {
	r.materialise(end)
	n = min(n, end-x)
	r.cut(x)
	r.cut(end)
	r.cut(end - n) // what is behind is pushed out
	copy(r.cells[x+n:end], r.cells[x:end-n])
	r.fillCells(x, x+n, c)
	r.wrapAt = 0
}

// remove shifts the cells behind x left by n, and fills at the end.
func (r *row) remove(x, end, n int, c Cell) {
	r.materialise(end)
	n = min(n, end-x)
	r.cut(x)
	r.cut(end)
	r.cut(x + n)
	copy(r.cells[x:end-n], r.cells[x+n:end])
	r.fillCells(end-n, end, c)
	r.wrapAt = 0
}
