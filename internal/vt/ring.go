package vt

import (
	"slices"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// ring is the scrollback: rows that scrolled off the main screen, as text and runs of styles, which take a tenth of the
// memory of cells. Slots are reused with their memory.
type ring struct {
	rows  []oldRow
	max   int
	first int // of rows, the oldest
	n     int
	bytes int // memory held by the rows
}

// ringRowBytes is the memory that a row may take on average before old ones are dropped.
const ringRowBytes = 1 << 10

// oldRow is a row as text. A cluster of several code points, and any text whose width is not evident,
// is preceded by marker, width and length.
type oldRow struct {
	text   []byte
	runs   []run
	wraps  bool // the line goes on in the next row
	marked bool // text has markers
}

const marker = 0x01

const runBytes = 20

func (r *oldRow) size() int { return cap(r.text) + runBytes*cap(r.runs) }

func (g *ring) init(rows int) { g.max = min(max(rows, 0), 1<<20) }

func (g *ring) clear() { *g = ring{max: g.max} }

// at returns row i; 0 is the oldest.
func (g *ring) at(i int) *oldRow { return &g.rows[(g.first+i)%len(g.rows)] }

// next returns the slot for a new row, reusing an old one's memory. Call done afterwards.
func (g *ring) next() *oldRow {
	switch {
	case g.n < len(g.rows):
		g.n++
	case g.n < g.max:
		g.grow()
		g.n++
	default:
		g.first = (g.first + 1) % len(g.rows)
	}
	r := g.at(g.n - 1)
	g.bytes -= r.size()
	r.text, r.runs, r.wraps, r.marked = r.text[:0], r.runs[:0], false, false
	return r
}

func (g *ring) grow() {
	rows := make([]oldRow, min(max(2*len(g.rows), 64), g.max))
	n := copy(rows, g.rows[g.first:])
	copy(rows[n:], g.rows[:g.first])
	g.rows, g.first = rows, 0
}

// done counts the memory of the row from next, and drops the oldest rows if the total is too large.
func (g *ring) done(r *oldRow) {
	g.bytes += r.size()
	for g.bytes > g.max*ringRowBytes && g.n > 1 {
		old := g.at(0)
		g.bytes -= old.size()
		*old = oldRow{}
		g.first = (g.first + 1) % len(g.rows)
		g.n--
	}
}

// pack stores the row's text in old.
func (t *Terminal) pack(old *oldRow, r *row) {
	end := r.textEnd()
	old.wraps = r.wrapAt > 0
	if r.simple {
		old.text = append(old.text, r.text[:end]...)
		old.addRuns(r.runs, end)
		return
	}
	cells := r.cells[:end]
	if r.ascii {
		old.text = appendASCII(old.text, cells)
	} else {
		t.packText(old, cells)
	}
	for x := 0; x < end; {
		from := x
		for x++; x < end && cells[x].Style == cells[from].Style; x++ {
		}
		old.runs = append(old.runs, run{cells[from].Style, int32(x - from)})
	}
}

// addRuns copies the runs of the first n cells; none when all are plain.
func (o *oldRow) addRuns(runs []run, n int) {
	if len(runs) == 1 && runs[0].style == (Style{}) {
		return
	}
	for _, r := range runs {
		r.n = min(r.n, int32(n))
		if n -= int(r.n); r.n > 0 {
			o.runs = append(o.runs, r)
		}
	}
}

// textEnd returns the number of cells that count as the row's text: without trailing blanks and fill, whether
// a colour or the E of DECALN: a few bytes can fill the screen with it again and again.
func (r *row) textEnd() int {
	if r.simple {
		return r.simpleEnd()
	}
	end := r.used
	for end > r.wrapAt && r.cells[end-1].Rune == ' ' && r.cells[end-1].Style == (Style{}) && r.cells[end-1].Width == 1 {
		end--
	}
	return end
}

func (r *row) simpleEnd() int {
	end := r.used
	for i := len(r.runs) - 1; i >= 0 && r.runs[i].style == (Style{}); i-- {
		start := end - int(r.runs[i].n)
		for end > max(start, r.wrapAt) && r.text[end-1] == ' ' {
			end--
		}
		if end > start {
			break
		}
	}
	return end
}

func appendASCII(dst []byte, cells []Cell) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(cells))[:n+len(cells)]
	out := dst[n:]
	for i := range cells {
		out[i] = byte(cells[i].Rune)
	}
	return dst
}

func (t *Terminal) packText(old *oldRow, cells []Cell) {
	for _, c := range cells {
		switch {
		case c.Width == 0:
		case c.Rune < 0:
			s := t.clusters.text(c.Rune)
			old.text = append(append(old.text, marker, c.Width, byte(len(s))), s...)
			old.marked = true
		default:
			old.text = utf8.AppendRune(old.text, c.Rune)
		}
	}
}

// appendPlain appends the text of the row without markers.
func (r *oldRow) appendPlain(dst []byte) []byte {
	if !r.marked {
		return append(dst, r.text...)
	}
	for rest := r.text; len(rest) > 0; {
		n := 1
		if rest[0] == marker {
			n = int(rest[2])
			rest = rest[3:]
		}
		dst = append(dst, rest[:n]...)
		rest = rest[n:]
	}
	return dst
}

// Lines returns the number of rows in the scrollback.
func (t *Terminal) Lines() int { return t.ring.n }

// ScrollbackRow returns the cells of row i of the scrollback; 0 is the oldest, Lines()-1 the one above the screen. There
// are as many as the row has text, which may be more or fewer than the screen has columns. They are valid until the
// next call or Write.
func (t *Terminal) ScrollbackRow(i int) []Cell {
	old := t.ring.at(i)
	cells := t.cellRow[:0]
	for rest := old.text; len(rest) > 0; {
		c := Cell{Width: 1}
		n := 0
		if rest[0] == marker {
			n = 3 + int(rest[2])
			c.Rune, c.Width = t.cluster(rest[3:n]), rest[1]
		} else {
			c.Rune, n = utf8.DecodeRune(rest)
			if c.Rune >= 0x80 && c.Rune != 0xad {
				c.Width = uint8(displaywidth.Rune(c.Rune))
			}
		}
		if cells = append(cells, c); c.Width == 2 {
			cells = append(cells, Cell{Rune: ' '})
		}
		rest = rest[n:]
	}
	x := 0
	for _, r := range old.runs {
		for range r.n {
			if x < len(cells) {
				cells[x].Style = r.style
				x++
			}
		}
	}
	t.cellRow = cells
	return cells
}
