package vt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pi/internal/vt"
)

func TestResize(t *testing.T) {
	const four = "one\r\ntwo\r\nthree\r\nfour"
	for _, tt := range []struct {
		name       string
		in         string // on 10×4
		cols, rows int
		then       string
		want       string
		x, y       int
		text       string // the transcript; "": as the screen
	}{
		{name: "lower: the top scrolls away", in: four, cols: 10, rows: 2, want: "three|four", x: 4, y: 1, text: "one\ntwo\nthree\nfour\n"},
		{name: "lower: empty rows at the bottom go first", in: "one\r\ntwo", cols: 10, rows: 2, want: "one|two", x: 3, y: 1},
		{name: "lower: the cursor's row stays", in: four + "\x1b[2;2H", cols: 10, rows: 2, want: "one|two"[:0] + "two|three", x: 1, y: 0, text: "one\ntwo\nthree\n"},
		{name: "lower: one row", in: four, cols: 10, rows: 1, want: "four", x: 4, text: "one\ntwo\nthree\nfour\n"},
		{name: "higher: rows at the bottom", in: four, cols: 10, rows: 6, then: "\r\nX", want: "one|two|three|four|X", x: 1, y: 4},
		{name: "narrower and wide again", in: "abcdefghi", cols: 4, rows: 4, then: "\x1b[3Gx", want: "abxd", x: 3, text: "abxdefghi\n"},
		{name: "narrower: text is kept", in: "abcdefghi\r\nx", cols: 4, rows: 4, want: "abcd|x", x: 1, y: 1, text: "abcdefghi\nx\n"},
		{name: "narrower: erasing erases all", in: "abcdefghi", cols: 4, rows: 4, then: "\r\x1b[Kx", want: "x", x: 1},
		{name: "wider: soft wraps stay joined", in: "abcdefghijkl", cols: 20, rows: 4, want: "abcdefghij|kl", x: 2, y: 1, text: "abcdefghijkl\n"},
		{name: "wider: tabs", in: "", cols: 30, rows: 4, then: "\t\t\tx", want: "                        x", x: 25},
		{name: "the region is reset", in: four + "\x1b[2;3r\x1b[4H", cols: 10, rows: 5, then: "\x1b[5H\nx", want: "two|three|four||x", x: 1, y: 4, text: "one\ntwo\nthree\nfour\n\nx\n"},
		{name: "pending wrap", in: "abcdefghij", cols: 12, rows: 4, then: "x", want: "abcdefghix", x: 10},
		{name: "half of a wide character", in: "日本語", cols: 5, rows: 4, want: "日本語"[:6], x: 4, text: "日本語\n"},
		{name: "saved cursor", in: four + "\x1b7\x1b[H\x1b[4H", cols: 10, rows: 2, then: "\x1b8x", want: "three|fourx", x: 5, y: 1, text: "one\ntwo\nthree\nfourx\n"},
		{name: "main screen below the alternate", in: four + "\x1b[?1049hA", cols: 10, rows: 2, then: "\x1b[?1049lx", want: "three|fourx", x: 5, y: 1, text: "one\ntwo\nthree\nfourx\n"},
		{name: "clamped", in: "a", cols: -5, rows: 0, want: "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			term := vt.New(vt.Options{Cols: 10, Rows: 4, Scrollback: 10})
			fmt.Fprint(term, tt.in)
			term.Resize(tt.cols, tt.rows)
			fmt.Fprint(term, tt.then)
			if got := dump(term); got != tt.want {
				t.Errorf("screen %q, want %q", got, tt.want)
			}
			if c := term.Cursor(); c.X != tt.x || c.Y != tt.y {
				t.Errorf("cursor at %d,%d, want %d,%d", c.X, c.Y, tt.x, tt.y)
			}
			text := tt.text
			if text == "" && tt.want != "" {
				text = strings.ReplaceAll(tt.want, "|", "\n") + "\n"
			}
			if got := term.Text(); got != text {
				t.Errorf("text %q, want %q", got, text)
			}
			if bad := term.Check(); bad != "" {
				t.Error(bad)
			}
		})
	}
}

// TestRowVersion holds the versions to what a renderer needs: a row whose cells differ has another version.
func TestRowVersion(t *testing.T) {
	term := vt.New(vt.Options{Cols: 20, Rows: 6})
	cells := func() (rows [][]vt.Cell, versions []uint64) {
		for y := range 6 {
			rows = append(rows, slices.Clone(term.Row(y)))
			versions = append(versions, term.RowVersion(y))
		}
		return rows, versions
	}
	before, versions := cells()
	for _, tt := range append(screenTests, screenTests...) {
		for i := range len(tt.in) {
			fmt.Fprint(term, tt.in[i:i+1])
			after, now := cells()
			for y := range after {
				if !slices.Equal(after[y], before[y]) && now[y] == versions[y] {
					t.Fatalf("%s: row %d changed, its version did not", tt.name, y)
				}
			}
			before, versions = after, now
		}
	}
	fmt.Fprint(term, "\x1bcx\x1b[3;3H\x1b[31m\x1b[?25l")
	if _, now := cells(); now[1] == versions[1] {
		t.Error("RIS changes all")
	}
	_, versions = cells()
	fmt.Fprint(term, "y")
	if _, now := cells(); now[0] != versions[0] || now[2] == versions[2] || now[3] != versions[3] {
		t.Errorf("one row changed: %v, then %v", versions, now)
	}
}
