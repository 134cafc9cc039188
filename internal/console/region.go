package console

import (
	"fmt"
	"io"
	"strings"
)

// A region is a block of rows at the end of the screen's content, redrawn in place. Rows above it are never
// touched.
type region struct {
	out  io.Writer
	rows []row
	cols int // of the terminal when it was drawn
	at   spot
	err  error
}

// row is text with its SGR, and its width in columns.
type row struct {
	text string
	cols int
}

// spot is a position in a region, from 0.
type spot struct{ row, col int }

// plainRow is a row without SGR.
func plainRow(s string) row { return row{s, width(s)} }

// draw shows rows, each at most cols wide and fewer than the terminal has. It leaves the cursor below
// them.
func (g *region) draw(rows []row, cols int) {
	g.drawAt(append(rows[:len(rows):len(rows)], row{}), cols, spot{len(rows), 0})
}

// drawAt shows rows and leaves the cursor at a position within them.
func (g *region) drawAt(rows []row, cols int, at spot) {
	var b strings.Builder
	b.WriteString(beginFrame)
	g.home(&b, cols)
	keep := g.rows
	if cols != g.cols {
		keep = nil
		b.WriteString("\x1b[J")
	}
	for i, r := range rows {
		if i > 0 {
			b.WriteString("\r\n")
		}
		if i >= len(keep) || keep[i] != r {
			b.WriteString("\x1b[K" + r.text)
		}
	}
	if len(rows) < len(keep) {
		b.WriteString("\r\n\x1b[J\x1b[A") // the new line does not scroll: there was one
	}
	b.WriteByte('\r')
	if up := len(rows) - 1 - at.row; up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	if at.col > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", at.col)
	}
	b.WriteString(endFrame)
	g.rows, g.cols, g.at = append([]row(nil), rows...), cols, at
	g.write(b.String())
}

// home moves to the region's first row. A terminal that became narrower has wrapped its rows.
func (g *region) home(b *strings.Builder, cols int) {
	up := g.at.row
	if cols < g.cols {
		up = g.at.col / cols
		for _, r := range g.rows[:min(g.at.row, len(g.rows))] {
			up += max(1, (r.cols+cols-1)/cols)
		}
	}
	b.WriteByte('\r')
	if up > 0 {
		fmt.Fprintf(b, "\x1b[%dA", up)
	}
}

// clear erases the region row by row: some terminals take erasing from the first row of the screen
// for clearing the screen, and keep a copy of it in their scrollback.
func (g *region) clear(cols int) {
	if len(g.rows) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(beginFrame)
	g.home(&b, cols)
	n := len(g.rows)
	b.WriteString("\x1b[K" + strings.Repeat("\r\n\x1b[K", n-1) + "\x1b[J\r")
	if n > 1 {
		fmt.Fprintf(&b, "\x1b[%dA", n-1)
	}
	b.WriteString(endFrame)
	g.forget()
	g.write(b.String())
}

// forget leaves the region in place; the next one begins at the cursor.
func (g *region) forget() { g.rows, g.at = nil, spot{} }

func (g *region) write(s string) {
	if g.err == nil {
		_, g.err = io.WriteString(g.out, s)
	}
}
