package vt

import "slices"

// A row stores cells up to the last one written; the cells after it equal the fill. So clearing a
// row or the whole screen does not touch cells.
//
// Most rows are ASCII written from left to right that scrolls away before anybody reads its cells. Such a row is
// simple: it stores bytes and runs of styles, and creates cells only on demand.
type row struct {
	cells   []Cell // at least as many as the screen has columns; only cells[:used] are set, and none of a simple row
	used    int
	fill    Cell
	version uint64

	// wrapAt is the number of cells of text here if the line continues in the next row, else 0. It is smaller than
	// the row if a wide character did not fit.
	wrapAt int

	simple bool
	text   []byte // of a simple row: used bytes
	runs   []run  // and their styles

	ascii bool // of the others: cells[:used] are printable ASCII; when false, they may still be
}

// run is a number of cells of one style.
type run struct {
	style Style
	n     int32
}

const maxRuns = 40 // of a simple row

func newRow(cols int) *row {
	r := &row{cells: make([]Cell, cols)}
	r.clear(blank(0))
	return r
}

func (r *row) clear(fill Cell) {
	r.used, r.fill, r.wrapAt = 0, fill, 0
	r.simple, r.text, r.runs = true, r.text[:0], r.runs[:0]
}

// expand converts a simple row to cells.
func (r *row) expand() {
	if !r.simple {
		return
	}
	r.simple, r.ascii = false, true
	x := 0
	for _, run := range r.runs {
		for _, b := range r.text[x : x+int(run.n)] {
			r.cells[x] = Cell{Style: run.style, Rune: rune(b), Width: 1}
			x++
		}
	}
}

// widen allocates cols cells.
func (r *row) widen(cols int) {
	if len(r.cells) < cols {
		cells := make([]Cell, cols)
		copy(cells, r.cells)
		r.cells = cells
	}
}

// materialise converts the row to cells and fills it up to n.
func (r *row) materialise(n int) {
	r.expand()
	for ; r.used < n; r.used++ {
		r.cells[r.used] = r.fill
	}
}

// putASCII writes printable ASCII at x.
func (r *row) putASCII(x int, text []byte, s Style) {
	if r.simple && x >= r.used && len(r.runs) < maxRuns-1 {
		if x > r.used {
			r.pad(x)
		}
		r.extend(s, len(text))
		r.text = append(r.text, text...)
		r.used = x + len(text)
		return
	}
	r.materialise(x)
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

// extend appends n cells of style s to the runs of a simple row.
func (r *row) extend(s Style, n int) {
	if last := len(r.runs) - 1; last >= 0 && r.runs[last].style == s {
		r.runs[last].n += int32(n)
		return
	}
	r.runs = append(r.runs, run{s, int32(n)})
}

// pad fills a simple row up to x.
func (r *row) pad(x int) {
	n := x - r.used
	r.extend(r.fill.Style, n)
	r.text = slices.Grow(r.text, n)
	for range n {
		r.text = append(r.text, byte(r.fill.Rune))
	}
}

// put writes one character of width 1 or 2 at x.
func (r *row) put(x int, c Cell) {
	r.materialise(x)
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

// cut blanks a wide character that crosses the boundary left of x, so that its halves are not separated.
func (r *row) cut(x int) {
	if !r.simple && !r.ascii && x > 0 && x < r.used && r.cells[x].Width == 0 {
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
		if r.fill == c {
			r.truncate(a)
			return
		}
		r.materialise(0)
		r.used = min(r.used, cols)
	}
	r.materialise(cols)
	r.cut(a)
	r.cut(b)
	r.fillCells(a, b, c)
}

// truncate drops the cells after the first n.
func (r *row) truncate(n int) {
	if n >= r.used {
		return
	}
	r.expand()
	r.cut(n)
	r.used = n
}

// fillCells writes c from a up to b, which are set already.
func (r *row) fillCells(a, b int, c Cell) {
	for i := a; i < b; i++ {
		r.cells[i] = c
	}
	r.ascii = r.ascii && c.Rune < 0x80
}

// insert shifts the cells x ≤ i < end right by n and fills the gap; cells shifted past end are lost.
func (r *row) insert(x, end, n int, c Cell) {
	if r.used <= end && r.fill == c { // the rest of the row is what comes in
		if r.wrapAt = 0; r.used <= x {
			return
		}
		end = min(end, r.used+n)
	}
	r.materialise(end)
	n = min(n, end-x)
	r.cut(x)
	r.cut(end)
	r.cut(end - n) // what is behind is pushed out
	copy(r.cells[x+n:end], r.cells[x:end-n])
	r.fillCells(x, x+n, c)
	r.wrapAt = 0
}

// remove shifts the cells after x left by n and fills the end.
func (r *row) remove(x, end, n int, c Cell) {
	if r.used <= end && r.fill == c { // the rest of the row is what comes in
		if r.wrapAt = 0; r.used <= x {
			return
		}
		end = r.used
	}
	r.materialise(end)
	n = min(n, end-x)
	r.cut(x)
	r.cut(end)
	r.cut(x + n)
	copy(r.cells[x:end-n], r.cells[x+n:end])
	r.fillCells(end-n, end, c)
	r.wrapAt = 0
}
