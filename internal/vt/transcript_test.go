package vt_test

import (
	"fmt"
	"strings"
	"testing"

	"pi/internal/vt"
)

// transcriptTests are what the transcript of a screen of 10×4 says.
var transcriptTests = []struct{ name, in, want string }{
	{"nothing", "", ""},
	{"blanks", "  \r\n \r\n", ""},
	{"lines", "one\r\ntwo  \r\n\r\nthree", "one\ntwo\n\nthree\n"},
	{"scrolled lines", "1\r\n2\r\n\r\n4\r\n5\r\n6\r\n7\r\n", "1\n2\n\n4\n5\n6\n7\n"},
	{"leading blanks", "  x\r\n\r\n    y", "  x\n\n    y\n"},
	{"soft wrap", "abcdefghijklmnop\r\nx", "abcdefghijklmnop\nx\n"},
	{"soft wrap, scrolled", "abcdefghijklmnop\r\n2\r\n3\r\n4\r\n5\r\n6", "abcdefghijklmnop\n2\n3\n4\n5\n6\n"},
	{"soft wrap, scrolled in part", "abcdefghijklmnop\r\n2\r\n3\r\n4", "abcdefghijklmnop\n2\n3\n4\n"},
	{"soft wrap of blanks", "ab        cd        ef", "ab        cd        ef\n"},
	{"soft wrap of a wide character", "abcdefghi日本", "abcdefghi日本\n"},
	{"soft wrap, and a full line after", "abcdefghij\r\nabcdefghij\r\nx", "abcdefghij\nabcdefghij\nx\n"},
	{"soft wrap, then rewritten", "abcdefghijk\x1b[A\rABCDEFGHIJ\r\nx", "ABCDEFGHIJ\nx\n"},
	{"soft wrap, then erased", "abcdefghijk\x1b[A\rABC\x1b[K\r\nx", "ABC\nx\n"},
	{"progress", "10%\r50%\r100%\r\ndone", "100%\ndone\n"},
	{"progress in rows", "a 1\r\nb 1\r\n\x1b[2A\x1b[Ka 2\r\n\x1b[Kb 2\r\n", "a 2\nb 2\n"},
	{"backspaces", "abc\b\b\bxy", "xyc\n"},
	{"colours", "\x1b[31mred\x1b[m \x1b[44m   \x1b[m", "red\n"},
	{"tabs", "a\tb", "a       b\n"},
	{"cluster", "e\u0301👨‍👩‍👧\r\n\n\n\n\n", "e\u0301👨‍👩‍👧\n"},
	{"alternate screen", "a\r\n\x1b[?1049hFULL\r\n\n\n\n\n\n\x1b[?1049lb", "a\nb\n"},
	{"alternate screen at the end", "a\r\n\x1b[?1049hFULL", "a\n"},
	{"cleared screen", "a\r\nb\x1b[H\x1b[2Jc", "a\nb\nc\n"},
	{"cleared from home", "a\r\nb\x1b[H\x1b[Jc", "a\nb\nc\n"},
	{"cleared below", "a\r\nb\r\nc\x1b[2H\x1b[Jd", "a\nd\n"},
	{"cleared while a line goes on", "abcdefghijkl\x1b[2J\x1b[Hx", "abcdefghijkl\nx\n"},
	{"reset", "a\x1bcb", "a\nb\n"},
	{"scroll region at the top", "1\r\n2\r\n3\r\n4\x1b[1;3r\x1b[3H\n5\x1b[r\x1b[4H", "1\n2\n3\n5\n4\n"},
	{"scroll region below", "1\r\n2\r\n3\r\n4\x1b[2;4r\x1b[4H\n5", "1\n3\n4\n5\n"},
	{"SU", "1\r\n2\x1b[S", "1\n2\n"},
	{"DL", "1\r\n2\x1b[H\x1b[M", "2\n"},
	{"DECALN is no text", "\x1b#8\n\n\n\nx", "\n\n\n\nx\n"},
}

// TestTranscripts holds Text and Scrolled to the same.
func TestTranscripts(t *testing.T) {
	for _, tt := range transcriptTests {
		for _, scrollback := range []int{0, 100} {
			t.Run(fmt.Sprintf("%s, scrollback %d", tt.name, scrollback), func(t *testing.T) {
				var scrolled strings.Builder
				term := vt.New(vt.Options{Cols: 10, Rows: 4, Scrollback: scrollback, Scrolled: func(line []byte) { fmt.Fprintf(&scrolled, "%s\n", line) }})
				fmt.Fprint(term, tt.in)
				if got := term.Text(); scrollback > 0 && got != tt.want {
					t.Errorf("%q\nText %q\nwant %q", tt.in, got, tt.want)
				}
				term.Finish()
				term.Finish()
				fmt.Fprint(term, "\r\n\n\n\n\n\n\nlater")
				if got := strings.TrimRight(scrolled.String(), "\n"); got != strings.TrimRight(tt.want, "\n") {
					t.Errorf("%q\nScrolled %q\nwant     %q", tt.in, got, tt.want)
				}
			})
		}
	}
}

func TestEraseScrollback(t *testing.T) {
	term := vt.New(vt.Options{Cols: 10, Rows: 2, Scrollback: 10})
	fmt.Fprint(term, "1\r\n2\r\n3\x1b[3J")
	if got := term.Text(); got != "2\n3\n" || term.Lines() != 0 {
		t.Errorf("%q and %d rows are left", got, term.Lines())
	}
}

func TestEndlessLine(t *testing.T) {
	var pieces []int
	total := 0
	term := vt.New(vt.Options{Scrolled: func(line []byte) { pieces = append(pieces, len(line)); total += len(line) }})
	const size = 5 << 20
	fmt.Fprint(term, strings.Repeat("x", size))
	term.Finish()
	if total != size || len(pieces) < 5 || len(pieces) > 6 {
		t.Errorf("%d bytes in pieces of %v", total, pieces)
	}
}

func TestScrollbackKeepsStyles(t *testing.T) {
	term := vt.New(vt.Options{Cols: 10, Rows: 2, Scrollback: 10})
	fmt.Fprint(term, "a\x1b[31m日\x1b[1me\u0301\x1b[m b\x1b[44m \x1b[m  \r\n\x1b[7mall\r\n\n\n")
	red := vt.Style{FG: vt.Palette(1)}
	bold := vt.Style{FG: vt.Palette(1), Attr: vt.Bold}
	want := []struct {
		text  string
		width uint8
		style vt.Style
	}{
		{"a", 1, vt.Style{}},
		{"日", 2, red},
		{"", 0, red},
		{"e\u0301", 1, bold},
		{" ", 1, vt.Style{}},
		{"b", 1, vt.Style{}},
		{" ", 1, vt.Style{BG: vt.Palette(4)}},
	}
	row := term.ScrollbackRow(0)
	if len(row) != len(want) {
		t.Fatalf("%d cells, want %d: %+v", len(row), len(want), row)
	}
	for i, w := range want {
		if c := row[i]; string(term.AppendCell(nil, c)) != w.text || c.Width != w.width || c.Style != w.style {
			t.Errorf("cell %d is %+v (%q), want %+v", i, c, term.AppendCell(nil, c), w)
		}
	}
	if row := term.ScrollbackRow(1); len(row) != 3 || row[2].Style.Attr != vt.Inverse {
		t.Errorf("row 1: %+v", row)
	}
}

func TestAltSummary(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want vt.AltSummary
	}{
		{"plain", vt.AltSummary{}},
		{"\x1b]2;vim\a\x1b[?1049h\x1b[2;5H~ notes.txt ~\x1b[?1049l", vt.AltSummary{Uses: 1, Title: "vim", Line: "~ notes.txt ~"}},
		{"\x1b[?1049h┌───┐\r\n│ OK │\r\n└───┘", vt.AltSummary{Uses: 1, Shown: true, Line: "OK"}},
		{"\x1b[?1049hone\x1b[?1049l\x1b[?1049h----\x1b[?1049l", vt.AltSummary{Uses: 2, Line: "one"}},
		{"\x1b[?1047hone\x1b[?1047l", vt.AltSummary{Uses: 1, Line: "one"}},
		{"\x1b[?47hone\x1bc", vt.AltSummary{Uses: 1, Line: "one"}},
	} {
		term := vt.New(vt.Options{})
		fmt.Fprint(term, tt.in)
		if got := term.AltSummary(); got != tt.want {
			t.Errorf("%q: %+v, want %+v", tt.in, got, tt.want)
		}
	}
}
