// Package vt is a terminal emulator. It reads the bytes that a program writes to its terminal and maintains a screen of
// cells, a scrollback, and the replies to the program's queries.
//
// It does no I/O, starts no goroutine and never blocks. Write accepts any bytes and never fails; its time and memory are
// bounded by the length of the input and the size of the screen. Splitting the input differently never changes the
// result. docs/internals/emulator.md lists what is emulated and the sources.
//
// A Terminal is not safe for concurrent use; the caller must lock it.
package vt

import "slices"

// Maximum screen size, in cells. Larger requests are clamped.
const (
	maxCols = 1000
	maxRows = 1000
)

// Options configure a new [Terminal]. The zero value is a screen of 80 columns and 24 rows without scrollback.
type Options struct {
	// Cols and Rows are the size in cells, clamped to 1…1000; 0: 80 and 24.
	Cols, Rows int

	// Scrollback is the number of rows kept after they scroll off the main screen; 0 means none. Their memory
	// is bounded too: extreme rows (long clusters, a style for each cell) are dropped sooner.
	Scrollback int

	// Scrolled, if not nil, receives every logical line of the main screen once it has scrolled off and can
	// no longer change: soft-wrapped rows are joined, trailing blanks cut, no newline. The bytes are UTF-8 and valid
	// only during the call, which must not use the Terminal. A line longer than 1 MiB is delivered in pieces.
	Scrolled func(line []byte)

	// Foreground and Background answer a program that asks for the default colours (OSC 10 and 11); when they are not
	// RGB colours: light grey on black.
	Foreground, Background Color
}

// Terminal is the emulator. Create one with [New].
type Terminal struct {
	opts       Options
	cols, rows int

	main, alt screen
	scr       *screen // the active one
	ring      ring
	clusters  clusterTable

	pen       Style // current graphic rendition
	x, y      int
	pending   bool // pending wrap: the last column was filled, so the next character wraps first
	joinable  bool // the cell before the cursor was printed last; a combining character may extend it
	lastText  Cell // for REP; Width 0: nothing printed yet
	charsets  charsets
	modes     mode
	savedMode mode // XTSAVE

	top, bottom int // scroll region, inclusive rows
	left, right int // margins, inclusive columns
	tabs        []bool

	shape           int // DECSCUSR, 0…6
	modifyOtherKeys int
	title           string
	titles          []string

	parser  parser
	replies replies
	clock   uint64 // grows with every change of a row
	unknown int    // sequences that were not recognised, for tests

	line     []byte // the rows of a logical line that have left the screen, for Scrolled
	finished bool
	lastAlt  string // first meaningful line of the alternate screen when it was left
	altUses  int
	cellText []byte // scratch: one cluster
	cellRow  []Cell // scratch: ScrollbackRow
}

// New creates a Terminal.
func New(o Options) *Terminal {
	if o.Cols == 0 {
		o.Cols = 80
	}
	if o.Rows == 0 {
		o.Rows = 24
	}
	t := &Terminal{opts: o}
	t.cols, t.rows = min(max(o.Cols, 1), maxCols), min(max(o.Rows, 1), maxRows)
	t.ring.init(o.Scrollback)
	t.main.init(t.cols, t.rows)
	t.alt.init(t.cols, t.rows)
	t.scr = &t.main
	t.reset()
	return t
}

// Size returns the size of the screen in cells.
func (t *Terminal) Size() (cols, rows int) { return t.cols, t.rows }

// Title returns the window title that the program set (OSC 0 and 2), without control characters; "" when none.
func (t *Terminal) Title() string { return t.title }

// Row returns the cells of row y of the screen that is shown, from 0 at the top to one less than its rows; there are as many as the screen
// has columns. They are valid until the next Write or Resize and must not be changed.
func (t *Terminal) Row(y int) []Cell {
	r := t.scr.rows[y]
	r.materialise(t.cols)
	cells := r.cells[:t.cols]
	if last := t.cols - 1; cells[last].Width == 2 { // the screen became narrower
		cells = slices.Clone(cells)
		cells[last].Rune, cells[last].Width = ' ', 1
	}
	return cells
}

// RowVersion changes whenever the cells of row y of the active screen may have changed, also because another row
// moved there or the active screen changed. Two rows never have the same version.
func (t *Terminal) RowVersion(y int) uint64 { return t.scr.rows[y].version }

// Cursor is the position of the next character and the cursor's appearance.
type Cursor struct {
	X, Y    int // cells from the upper left corner, from 0
	Visible bool
	Shape   int // as in DECSCUSR: 0 the terminal's own; 1, 2 block; 3, 4 underline; 5, 6 bar; odd ones blink
}

// Cursor returns the cursor of the active screen.
func (t *Terminal) Cursor() Cursor {
	return Cursor{X: t.x, Y: t.y, Visible: t.modes&modeCursor != 0, Shape: t.shape}
}

// changed marks r as changed.
func (t *Terminal) changed(r *row) {
	t.clock++
	r.version = t.clock
}

// reset restores the power-on state (RIS) and clears both screens.
func (t *Terminal) reset() {
	t.pen = Style{}
	t.x, t.y, t.pending, t.joinable, t.lastText = 0, 0, false, false, Cell{}
	t.charsets = charsets{}
	t.modes = modeWrap | modeCursor
	t.savedMode = t.modes
	t.shape, t.modifyOtherKeys = 0, 0
	t.title, t.titles = "", nil
	t.resetMargins()
	t.resetTabs()
	t.scr = &t.main
	for _, s := range []*screen{&t.main, &t.alt} {
		s.saved = saved{}
		s.kitty = kittyFlags{}
		t.clearRows(s.rows)
	}
}

func (t *Terminal) resetMargins() {
	t.top, t.bottom, t.left, t.right = 0, t.rows-1, 0, t.cols-1
}
