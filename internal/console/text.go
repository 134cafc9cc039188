package console

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"pi/internal/vt"
)

const tabStop = 8

// width returns the width, in columns, of text without control characters.
func width(s string) int { return displaywidth.String(s) }

// wrap cuts a line into visual rows of at most cols columns, tabs expanded, a character never split. An empty line is
// one empty row. A character wider than cols becomes a row of blanks, since nothing else fits. Control characters
// are shown in caret notation.
func wrap(line string, cols int) []string {
	if isPlain(line) {
		return wrapPlain(line, cols)
	}
	line = harmless(line)
	var rows []string
	var row strings.Builder
	col, at := 0, 0 // at is the column within the whole line, for tab stops
	flush := func() {
		rows = append(rows, row.String())
		row.Reset()
		col = 0
	}
	put := func(s string, w int) {
		if col+w > cols && col > 0 {
			flush()
		}
		if w > cols {
			s, w = strings.Repeat(" ", cols), cols
		}
		row.WriteString(s)
		col, at = col+w, at+w
	}
	for g := displaywidth.StringGraphemes(line); g.Next(); {
		s := g.Value()
		switch {
		case s == "\t":
			for n := tabStop - at%tabStop; n > 0; n-- {
				put(" ", 1)
			}
		case s[0] < ' ' || s[0] == 0x7f:
			put(caret(s[0]), 2)
		default:
			put(s, g.Width())
		}
	}
	flush()
	return rows
}

// caret returns a control character in caret notation: ^C.
func caret(c byte) string { return "^" + string(rune(c^0x40)) }

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

func wrapPlain(line string, cols int) []string {
	rows := make([]string, 0, 1+len(line)/cols)
	for len(line) > cols {
		rows = append(rows, line[:cols])
		line = line[cols:]
	}
	return append(rows, line)
}

// fit truncates s to cols columns and marks the cut with tail.
func fit(s string, cols int, tail string) string {
	if width(s) <= cols {
		return s
	}
	if cols < width(tail) {
		tail = ""
	}
	return displaywidth.TruncateString(s, cols, tail)
}

// lines splits text into lines. A final newline ends the last line and does not start another.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// trimBlank removes trailing blank lines, as a full-screen program leaves them.
func trimBlank(text string) string {
	n := len(strings.TrimRight(text, " \t\n"))
	if i := strings.IndexByte(text[n:], '\n'); i >= 0 {
		return text[:n+i]
	}
	return text
}

// end is the visible end of a text.
type end struct {
	rows   []string // visual rows
	hidden int      // lines of which no row is shown
	cut    bool     // there is more text before the rows
}

// lastRows returns the last n visual rows of text. It wraps only as much text as it needs.
func lastRows(text string, cols, n int) (e end) {
	if text == "" {
		return e
	}
	text = strings.TrimSuffix(text, "\n")
	at := len(text)
	for at >= 0 && len(e.rows) < n {
		stop := at
		at = strings.LastIndexByte(text[:stop], '\n')
		line := text[at+1 : stop]
		tail := tailOf(line, cols, n)
		e.rows = append(wrap(tail, cols), e.rows...)
		e.cut = at >= 0 || len(tail) < len(line)
	}
	if at >= 0 {
		e.hidden = strings.Count(text[:at], "\n") + 1
	}
	if over := len(e.rows) - n; over > 0 {
		e.rows, e.cut = e.rows[over:], true
	}
	return e
}

// longest returns a number of bytes larger than n rows can hold, with multi-byte characters and combining marks.
func longest(cols, n int) int { return 32 * cols * (n + 1) }

// tailOf removes the beginning of a line that is far longer than n rows.
func tailOf(line string, cols, n int) string {
	most := longest(cols, n)
	if len(line) <= most {
		return line
	}
	at := len(line) - most
	for at < len(line) && !utf8.RuneStart(line[at]) {
		at++
	}
	return line[at:]
}

// visible makes arbitrary bytes printable: invalid ones become U+FFFD, control characters except newline and tab are
// shown in caret notation, and so are bidirectional controls.
func visible(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for _, r := range harmless(s) {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			b.WriteString(caret(byte(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// harmless replaces invisible controls with U+FFFD: C1 controls, bytes that are not UTF-8 and
// could be taken for such controls, and bidirectional controls. C0 controls stay.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 && vt.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}
