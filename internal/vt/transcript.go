package vt

import (
	"bytes"
	"strings"
	"unicode"
)

const maxLine = 1 << 20 // bytes of a logical line; longer ones are delivered in pieces

// leave handles a row that scrolls off the main screen.
func (t *Terminal) leave(r *row) {
	wanted := t.opts.Scrolled != nil && !t.finished
	if t.ring.max > 0 {
		old := t.ring.next()
		t.pack(old, r)
		t.ring.done(old)
		switch {
		case wanted && len(t.line) == 0 && r.wrapAt == 0 && !old.marked:
			t.opts.Scrolled(bytes.TrimRight(old.text, " "))
		case wanted:
			t.appendLine(old.appendPlain, r.wrapAt > 0)
		}
		return
	}
	if wanted {
		t.appendLine(func(dst []byte) []byte { return t.appendRow(dst, r) }, r.wrapAt > 0)
	}
}

// appendLine adds a row to the logical line and delivers the line when it is complete.
func (t *Terminal) appendLine(text func([]byte) []byte, wraps bool) {
	t.line = text(t.line)
	if !wraps || len(t.line) >= maxLine {
		t.flushLine()
	}
}

func (t *Terminal) flushLine() {
	t.opts.Scrolled(bytes.TrimRight(t.line, " "))
	t.line = t.line[:0]
}

// appendRow appends the text of a row of a screen.
func (t *Terminal) appendRow(dst []byte, r *row) []byte {
	end := r.textEnd()
	if r.simple {
		return append(dst, r.text[:end]...)
	}
	cells := r.cells[:end]
	if r.ascii {
		return appendASCII(dst, cells)
	}
	for _, c := range cells {
		dst = t.AppendCell(dst, c)
	}
	return dst
}

// keepScreen moves the text of the main screen to the scrollback before it is cleared.
func (t *Terminal) keepScreen() {
	if t.scr != &t.main {
		return
	}
	rows := t.main.rows[:t.usedRows()]
	if len(rows) == 0 {
		return
	}
	for _, r := range rows {
		t.leave(r)
	}
	if len(t.line) > 0 {
		t.flushLine()
	}
	if t.ring.n > 0 {
		t.ring.at(t.ring.n - 1).wraps = false
	}
}

// usedRows returns the number of rows of the main screen without the empty ones at the end.
func (t *Terminal) usedRows() int {
	n := len(t.main.rows)
	for n > 0 && t.main.rows[n-1].textEnd() == 0 {
		n--
	}
	return n
}

// Finish delivers the text still on the main screen to Scrolled, without the alternate screen. Call it at the end of the
// program; later writes no longer reach Scrolled. A second call does nothing.
func (t *Terminal) Finish() {
	if t.finished || t.opts.Scrolled == nil {
		return
	}
	for _, r := range t.main.rows[:t.usedRows()] {
		t.appendLine(func(dst []byte) []byte { return t.appendRow(dst, r) }, r.wrapAt > 0)
	}
	if len(t.line) > 0 {
		t.flushLine()
	}
	t.finished = true
}

// Text returns the plain transcript: the scrollback and the main screen. Soft-wrapped rows are
// joined; trailing blanks of lines and trailing empty lines are cut. Each line ends with a newline, so it is "" when
// there is no text.
func (t *Terminal) Text() string {
	var out []byte
	add := func(text func([]byte) []byte, wraps bool) {
		if out = text(out); !wraps {
			out = append(bytes.TrimRight(out, " "), '\n')
		}
	}
	for i := range t.ring.n {
		old := t.ring.at(i)
		add(old.appendPlain, old.wraps)
	}
	for _, r := range t.main.rows[:t.usedRows()] {
		add(func(dst []byte) []byte { return t.appendRow(dst, r) }, r.wrapAt > 0)
	}
	out = bytes.TrimRight(out, " \n")
	if len(out) > 0 {
		out = append(out, '\n')
	}
	return string(out)
}

// ScreenText returns the rows of the active screen, without trailing blanks.
func (t *Terminal) ScreenText() []string {
	lines := make([]string, len(t.scr.rows))
	var text []byte
	for y := range lines {
		text = text[:0]
		for _, c := range t.Row(y) {
			text = t.AppendCell(text, c)
		}
		lines[y] = string(bytes.TrimRight(text, " "))
	}
	return lines
}

// AltSummary describes the use of the alternate screen, whose content is not in the transcript.
type AltSummary struct {
	Uses  int    // how often the alternate screen was entered
	Shown bool   // the alternate screen is active now
	Title string // the last window title
	Line  string // the first row with letters or digits of the last alternate screen, trimmed; "" if it had none
}

// AltSummary returns how the program used the alternate screen, with one line of its last content.
func (t *Terminal) AltSummary() AltSummary {
	if t.scr == &t.alt {
		t.noteAlt()
	}
	return AltSummary{Uses: t.altUses, Shown: t.scr == &t.alt, Title: t.title, Line: t.lastAlt}
}

// Bounds of the search for a meaningful row, so that switching to and fro stays cheap.
const (
	noteRows  = 60
	noteCells = 300
)

// noteAlt records the first row of the alternate screen with letters or digits, if any.
func (t *Terminal) noteAlt() {
	for _, r := range t.alt.rows[:min(len(t.alt.rows), noteRows)] {
		r.expand()
		cells := r.cells[:min(r.used, t.cols, noteCells)]
		meaningful := false
		for _, c := range cells {
			meaningful = meaningful || unicode.IsLetter(c.Rune) || unicode.IsDigit(c.Rune)
		}
		if !meaningful {
			continue
		}
		var text []byte
		for _, c := range cells {
			text = t.AppendCell(text, c)
		}
		t.lastAlt = strings.TrimFunc(string(text), func(r rune) bool {
			return r == ' ' || r >= 0x2500 && r < 0x25a0 // box drawing
		})
		return
	}
}
