package console

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"pi/internal/vt"
)

// frame is the visible state of an overlay, except the program's screen.
type frame struct {
	cols, rows     int // of the user's terminal
	command, state string
	escape         bool // Esc ends the program, else Ctrl-]
	ending, over   bool
	anew           bool // the screen's content is unknown
}

// painter encodes frames with as few bytes as show the changes. It belongs to the drawing goroutine; origin is read under
// the lock of the program's terminal.
type painter struct {
	profile Profile
	out     []byte

	cols, rows int // of the last frame
	top, foot  string
	seen       []seenRow
	view       spot // the program's cell in the box's upper left corner
	modes      mirrored
	cursor     vt.Cursor
	cursorAt   spot

	// State of the user's terminal: cursor position and style.
	at    spot
	known bool
	style vt.Style
}

// seenRow is a row of the box as it was drawn.
type seenRow struct {
	version uint64
	stale   bool // must be redrawn
	cells   []vt.Cell
}

// mirrored are the modes set on the user's terminal on the program's behalf.
type mirrored struct {
	mouse     vt.Mouse
	focus     bool
	keypad    bool
	wheel     bool
	kitty     int
	pushed    bool
	otherKeys int
	shape     int
}

// gapCells is the longest run of unchanged cells that is redrawn: moving over it costs as many bytes.
const gapCells = 6

// Bounds of the box: the largest screen of a program, and the border. A terminal that reports a larger size shows
// nothing beyond them.
const (
	maxBoxCols = 400 + 2
	maxBoxRows = 200 + 2
)

func (p *painter) origin() spot { return p.view }

// frame returns the bytes that turn the last frame into this one, or none if nothing changed. They are valid until
// the next call.
func (p *painter) frame(t *vt.Terminal, f frame) []byte {
	f.cols, f.rows = min(f.cols, maxBoxCols), min(f.rows, maxBoxRows)
	p.out = append(p.out[:0], beginFrame...)
	start := len(p.out)
	if f.anew || f.cols != p.cols || f.rows != p.rows {
		p.forget(f)
	}
	p.mirror(t.Modes(), f.over)
	p.border(f)
	p.scroll(t, f)
	for y := range p.seen {
		p.row(t, y)
	}
	if len(p.out) > start || p.moved(t, f) {
		p.place(t, f)
	}
	if len(p.out) == start {
		return nil
	}
	p.out = append(p.out, endFrame...)
	return p.out
}

// forget assumes an empty screen and the terminal's own modes.
func (p *painter) forget(f frame) {
	p.cols, p.rows, p.top, p.foot = f.cols, f.rows, "", ""
	p.seen = make([]seenRow, max(0, f.rows-2))
	p.style, p.known = vt.Style{}, false
	if f.anew {
		p.modes = mirrored{}
	}
	p.out = append(p.out, "\x1b[m\x1b[2J"...)
}

// mirror sets on the user's terminal the modes that the program set on its own.
func (p *painter) mirror(m vt.Modes, over bool) {
	want := mirrored{mouse: m.Mouse, focus: m.Focus, keypad: m.AppKeypad, wheel: m.AltScreen && m.AlternateScroll,
		kitty: m.KittyFlags, otherKeys: m.ModifyOtherKeys, pushed: p.modes.pushed, shape: p.modes.shape}
	if over {
		return // all modes are reset shortly
	}
	have := &p.modes
	if want.mouse != have.mouse {
		p.out = append(p.out, "\x1b[?9;1000;1002;1003l\x1b[?1006l"...)
		if want.mouse != vt.MouseNone {
			p.out = fmt.Appendf(p.out, "\x1b[?%d;1006h", want.mouse)
		}
	}
	p.onOff(want.focus, have.focus, "\x1b[?1004h", "\x1b[?1004l")
	p.onOff(want.keypad, have.keypad, "\x1b=", "\x1b>")
	p.onOff(want.wheel, have.wheel, "\x1b[?1007h", "\x1b[?1007l")
	if want.kitty != have.kitty {
		if !have.pushed {
			p.out = append(p.out, "\x1b[>0u"...)
			want.pushed = true
		}
		p.out = fmt.Appendf(p.out, "\x1b[=%d;1u", want.kitty)
	}
	if want.otherKeys != have.otherKeys {
		p.out = fmt.Appendf(p.out, "\x1b[>4;%dm", want.otherKeys)
	}
	p.modes = want
}

func (p *painter) onOff(want, have bool, on, off string) {
	switch {
	case want && !have:
		p.out = append(p.out, on...)
	case have && !want:
		p.out = append(p.out, off...)
	}
}

// border draws the changed parts of the box.
func (p *painter) border(f frame) {
	if f.cols < 4 || f.rows < 3 {
		return
	}
	sides := p.top == ""
	if top := p.header(f); top != p.top {
		p.top = top
		p.line(0, top)
	}
	if foot := p.footer(f); foot != p.foot {
		p.foot = foot
		p.line(f.rows-1, foot)
	}
	if !sides {
		return
	}
	side := p.profile.dim(p.profile.glyph("│", "|"))
	for y := 1; y < f.rows-1; y++ {
		p.line(y, side)
		p.move(spot{y, f.cols - 1})
		p.out = append(p.out, side...)
	}
	p.known = false
}

// line draws text with its SGR at the beginning of a row, starting from the default rendition.
func (p *painter) line(y int, s string) {
	p.move(spot{y, 0})
	p.setStyle(vt.Style{})
	p.out = append(p.out, s...)
	p.known = false
}

// header: ┌─ ● vim notes.txt ──── [running 12s] ─┐
func (p *painter) header(f frame) string {
	pr := p.profile
	mark := pr.running()
	if f.over {
		if mark = pr.bad(); f.state == "exit 0" {
			mark = pr.good()
		}
	}
	lead, state := 1, "["+f.state+"]"
	if f.cols-9-len(state) < shortName {
		lead = 0
	}
	state = fit(state, max(0, f.cols-5), "")
	fixed := 4 + 4*lead + len(state) // corners, icon, a blank behind it; dash and blank on both sides
	name := fit(oneLine(visible(strings.TrimSpace(f.command))), max(0, f.cols-fixed-1), pr.ellipsis())
	dash, fill := pr.glyph("─", "-"), f.cols-fixed-width(name)
	gap := strings.Repeat(" ", max(0, fill))
	if fill >= 4 {
		gap = " " + pr.dim(strings.Repeat(dash, fill-2)) + " "
	}
	edge, blank := strings.Repeat(dash, lead), strings.Repeat(" ", lead)
	return pr.dim(pr.glyph("┌", "+")+edge) + blank + mark + " " + pr.bold(name) + gap + state + blank + pr.dim(edge+pr.glyph("┐", "+"))
}

// shortName is the number of columns of the command that take precedence over ornaments.
const shortName = 8

// footer: └─ Esc ends it · Ctrl-C goes to the command ──┘
func (p *painter) footer(f frame) string {
	pr := p.profile
	var parts []string
	switch {
	case f.over:
	case f.ending && f.escape:
		parts = []string{"ending" + pr.ellipsis(), "Esc kills now"}
	case f.ending:
		parts = []string{"ending" + pr.ellipsis(), "Ctrl-] kills now"}
	case f.escape:
		parts = []string{"Esc ends it", "all other keys go to the command"}
	default:
		parts = []string{"Ctrl-] ends it", "Esc and all other keys go to the command"}
	}
	text := ""
	if len(parts) > 0 && f.cols >= 8 {
		text = fit(pr.flow(parts, f.cols-6)[0], f.cols-6, "")
	}
	dash := pr.glyph("─", "-")
	if text == "" {
		return pr.dim(pr.glyph("└", "+") + strings.Repeat(dash, f.cols-2) + pr.glyph("┘", "+"))
	}
	fill := f.cols - 5 - width(text)
	return pr.dim(pr.glyph("└", "+")+dash) + " " + text + " " + pr.dim(strings.Repeat(dash, fill)+pr.glyph("┘", "+"))
}

// scroll chooses the visible part of a program's screen that is larger than the box: the
// one with the cursor.
func (p *painter) scroll(t *vt.Terminal, f frame) {
	cols, rows := t.Size()
	c := t.Cursor()
	view := spot{row: follow(p.view.row, c.Y, f.rows-2, rows), col: follow(p.view.col, c.X, f.cols-2, cols)}
	if view != p.view {
		p.view = view
		for i := range p.seen {
			p.seen[i].stale = true
		}
	}
}

// follow moves a window of n of total cells no further than needed to show cell at.
func follow(from, at, n, total int) int {
	n = max(1, n)
	from = min(max(from, at-n+1), at)
	return max(0, min(from, total-n))
}

// row draws the changed cells of row y of the box.
func (p *painter) row(t *vt.Terminal, y int) {
	_, rows := t.Size()
	var cells []vt.Cell
	version := uint64(0) // no row of a terminal has this version
	if at := y + p.view.row; at < rows {
		version = t.RowVersion(at) + 1
		cells = t.Row(at)
	}
	seen := &p.seen[y]
	n := max(0, p.cols-2)
	switch {
	case seen.cells == nil: // the screen was cleared
		seen.cells = make([]vt.Cell, n)
		for i := range seen.cells {
			seen.cells[i] = vt.Cell{Rune: ' ', Width: 1}
		}
	case seen.version == version && !seen.stale:
		return
	}
	seen.version, seen.stale = version, false
	for x := 0; x < n; x++ {
		c := p.cell(cells, x, n)
		if c == seen.cells[x] && c.Rune >= 0 {
			continue
		}
		to := p.changedUntil(cells, seen.cells, x, n)
		for x > 0 && p.cell(cells, x, n).Width == 0 {
			x-- // a wide character begins before
		}
		p.move(spot{y + 1, x + 1})
		for ; x < to; x++ {
			c := p.cell(cells, x, n)
			seen.cells[x] = c
			p.put(t, c)
		}
		x--
	}
}

// changedUntil returns the end of a run of changed cells that begins at x.
func (p *painter) changedUntil(cells, seen []vt.Cell, x, n int) int {
	to := x + 1
	for i := x + 1; i < n && i < to+gapCells; i++ {
		if c := p.cell(cells, i, n); c != seen[i] || c.Rune < 0 {
			to = i + 1
		}
	}
	for to < n && p.cell(cells, to, n).Width == 0 {
		to++
	}
	return to
}

// cell returns the visible cell at column x of the box, which has n columns. A wide character cut by the edge is a
// blank.
func (p *painter) cell(cells []vt.Cell, x, n int) vt.Cell {
	i := x + p.view.col
	if i >= len(cells) {
		return vt.Cell{Rune: ' ', Width: 1}
	}
	c := cells[i]
	if c.Width == 2 && x == n-1 || c.Width == 0 && x == 0 {
		return vt.Cell{Rune: ' ', Width: 1, Style: c.Style}
	}
	return c
}

// put draws one cell at the cursor.
func (p *painter) put(t *vt.Terminal, c vt.Cell) {
	if c.Width == 0 {
		return
	}
	p.setStyle(c.Style)
	switch {
	case c.Rune < 0:
		p.out = t.AppendCell(p.out, c)
	case c.Rune < ' ':
		p.out = append(p.out, ' ')
	default:
		p.out = utf8.AppendRune(p.out, c.Rune)
	}
	p.at.col += int(c.Width)
	if c.Rune < 0 || c.Rune >= 0x2190 && c.Width == 1 || c.Rune >= 0x1f000 {
		at := p.at
		p.known = false // terminals disagree about the width
		p.move(at)
	}
}

// move moves the cursor to a position on the user's screen.
func (p *painter) move(to spot) {
	if p.known && p.at == to {
		return
	}
	p.out = append(p.out, "\x1b["...)
	p.out = strconv.AppendInt(p.out, int64(to.row+1), 10)
	p.out = append(p.out, ';')
	p.out = strconv.AppendInt(p.out, int64(to.col+1), 10)
	p.out = append(p.out, 'H')
	p.at, p.known = to, true
}

// moved reports whether the cursor differs from the one drawn.
func (p *painter) moved(t *vt.Terminal, f frame) bool {
	c := t.Cursor()
	return c != p.cursor || p.cursorAt != p.spotOf(c)
}

func (p *painter) spotOf(c vt.Cursor) spot { return spot{c.Y - p.view.row + 1, c.X - p.view.col + 1} }

// place shows the program's cursor.
func (p *painter) place(t *vt.Terminal, f frame) {
	c := t.Cursor()
	at := p.spotOf(c)
	p.cursor, p.cursorAt = c, at
	at.col = min(at.col, f.cols-2)
	if !c.Visible || f.over || at.row < 1 || at.row > f.rows-2 || at.col < 1 {
		p.out = append(p.out, "\x1b[?25l"...)
		return
	}
	p.setStyle(vt.Style{})
	p.move(at)
	if c.Shape != p.modes.shape {
		p.out = fmt.Appendf(p.out, "\x1b[%d q", c.Shape)
		p.modes.shape = c.Shape
	}
	p.out = append(p.out, "\x1b[?25h"...)
}
