package console

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		line string
		cols int
		want []string
	}{
		{"", 10, []string{""}},
		{"abc", 3, []string{"abc"}},
		{"abcd", 3, []string{"abc", "d"}},
		{"漢字かな", 5, []string{"漢字", "かな"}},
		{"a漢", 2, []string{"a", "漢"}},
		{"漢", 1, []string{" "}},
		{"a\tb", 20, []string{"a       b"}},
		{"12345678\tb", 20, []string{"12345678        b"}},
		{"漢\tb", 20, []string{"漢      b"}},
		{"\tx", 5, []string{"     ", "   x"}},
		{"e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		{"👍🏽👨‍👩‍👧", 2, []string{"👍🏽", "👨‍👩‍👧"}},
		{"a\x1bb", 10, []string{"a^[b"}},
	} {
		if d := cmp.Diff(tt.want, wrap(tt.line, tt.cols)); d != "" {
			t.Errorf("wrap(%q, %d) (-want +got):\n%s", tt.line, tt.cols, d)
		}
	}
}

// anyText is made of what makes widths difficult.
func anyText(newline bool) *rapid.Generator[string] {
	parts := []string{"a", "bc", " ", "\t", "漢", "👍🏽", "e\u0301", "\u200b", "ｱ", "🇩🇪", "é", "long words without an end "}
	if newline {
		parts = append(parts, "\n", "\n\n")
	}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 60).Draw(t, "parts"), "")
	})
}

// No row is wider than the terminal, and the rows are the line.
func TestWrapKeepsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line, cols := anyText(false).Draw(t, "line"), rapid.IntRange(2, 40).Draw(t, "cols")
		rows := wrap(line, cols)
		for _, r := range rows {
			if displaywidth.String(r) > cols {
				t.Fatalf("row %q is wider than %d", r, cols)
			}
		}
		strip := func(s string) string { return strings.NewReplacer(" ", "", "\t", "").Replace(s) }
		if got := strip(strings.Join(rows, "")); got != strip(line) {
			t.Fatalf("%q becomes %q", line, got)
		}
	})
}

// The last rows of a text are those that the reference implementation returns.
func TestLastRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText(true).Draw(t, "text")
		cols, n := rapid.IntRange(2, 30).Draw(t, "cols"), rapid.IntRange(1, 12).Draw(t, "n")
		var all []string
		for _, l := range lines(text) {
			all = append(all, wrap(l, cols)...)
		}
		want := all[max(0, len(all)-n):]
		e := lastRows(text, cols, n)
		if !slices.Equal(e.rows, want) {
			t.Fatalf("got %q, want %q", e.rows, want)
		}
		if cut := len(all) > n; e.cut != cut {
			t.Fatalf("cut is %v, want %v", e.cut, cut)
		}
		shown := 0 // lines that the rows belong to
		for rows, all := 0, lines(text); rows < len(want); shown++ {
			rows += len(wrap(all[len(all)-1-shown], cols))
		}
		if hidden := len(lines(text)) - shown; e.hidden != hidden {
			t.Fatalf("%d lines are hidden, want %d", e.hidden, hidden)
		}
	})
}

func TestLastRowsOfOneEndlessLine(t *testing.T) {
	text := strings.Repeat("x", 50_000_000)
	e := lastRows(text, 80, 10)
	if len(e.rows) != 10 || !e.cut || e.hidden != 0 || e.rows[9] == "" {
		t.Errorf("%d rows, cut %v, hidden %d", len(e.rows), e.cut, e.hidden)
	}
	if got := (Profile{}).above(e.hidden, nil, "x", 80); got != "... the line's beginning (x shows all)\n" && got != "… the line's beginning (x shows all)\n" {
		t.Errorf("above: %q", got)
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain":            "plain",
		"a\x1b[31mb":       "a^[[31mb",
		"a\u0085b\u009b":   "a\uFFFDb\uFFFD",
		"a\xffb":           "a\uFFFDb",
		"a\u202eb\u2066":   "a\uFFFDb\uFFFD",
		"line\n\ttab漢\x7f": "line\n\ttab漢^?",
	} {
		if got := visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestElapsed(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.0s", 99 * time.Millisecond: "0.0s", 1250 * time.Millisecond: "1.2s", 9990 * time.Millisecond: "9.9s", 10 * time.Second: "10s",
		59_999 * time.Millisecond: "59s", time.Minute: "1m00s", 3599 * time.Second: "59m59s", time.Hour: "1h00m", 25*time.Hour + 61*time.Second: "25h01m",
	} {
		if got := elapsed(d); got != want {
			t.Errorf("elapsed(%v) = %q, want %q", d, got, want)
		}
	}
	if got := ticking(3_400 * time.Millisecond); got != "3s" {
		t.Errorf("ticking: %q", got)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0 lines", 1: "1 line", 999: "999 lines", 1000: "1,000 lines", 1234567: "1,234,567 lines"} {
		if got := count(n, "line"); got != want {
			t.Errorf("count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestProfile(t *testing.T) {
	for _, tt := range []struct {
		mode string
		env  []string
		tty  bool
		want Profile
	}{
		{"auto", []string{"TERM=xterm-256color"}, true, Profile{Color: Color256}},
		{"auto", []string{"TERM=xterm-256color", "COLORTERM=truecolor"}, true, Profile{Color: TrueColor}},
		{"auto", []string{"TERM=xterm"}, true, Profile{Color: Color16}},
		{"auto", []string{"TERM=xterm-kitty"}, true, Profile{Color: TrueColor}},
		{"auto", []string{"TERM=linux"}, true, Profile{Color: Color16, ASCII: true}},
		{"auto", []string{"TERM=xterm", "NO_COLOR=1"}, true, Profile{}},
		{"auto", []string{"TERM=xterm", "NO_COLOR="}, true, Profile{Color: Color16}},
		{"always", []string{"TERM=xterm", "NO_COLOR=1"}, true, Profile{Color: Color16}},
		{"always", nil, false, Profile{Color: Color16, Dumb: true}},
		{"never", []string{"TERM=xterm"}, true, Profile{}},
		{"auto", []string{"TERM=dumb"}, true, Profile{Dumb: true}},
		{"auto", nil, true, Profile{Dumb: true}},
		{"auto", []string{"TERM=xterm"}, false, Profile{Dumb: true}},
		{"auto", []string{"TERM=xterm", "LC_ALL=C"}, true, Profile{Color: Color16, ASCII: true}},
		{"auto", []string{"TERM=xterm", "LC_CTYPE=de_DE.UTF-8", "LANG=C"}, true, Profile{Color: Color16}},
		{"auto", []string{"TERM=xterm", "LANG=en_US.utf8"}, true, Profile{Color: Color16}},
	} {
		if got := NewProfile(tt.mode, tt.env, tt.tty); got != tt.want {
			t.Errorf("%s, %v, %v: %+v, want %+v", tt.mode, tt.env, tt.tty, got, tt.want)
		}
	}
}
