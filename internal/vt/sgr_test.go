package vt_test

import (
	"fmt"
	"testing"

	"pi/internal/vt"
)

// sgrTests are what SGR makes of the style of the next character, and how DECRQSS reports it.
var sgrTests = []struct {
	in, report string
	want       vt.Style
	unknown    bool
}{
	{in: "", report: "0"},
	{in: "1", report: "0;1", want: vt.Style{Attr: vt.Bold}},
	{in: "1;2;3;5;7;8;9;53", report: "0;1;2;3;5;7;8;9;53", want: vt.Style{Attr: vt.Bold | vt.Faint | vt.Italic | vt.Blink | vt.Inverse | vt.Conceal | vt.Strike | vt.Overline}},
	{in: "1;2;3;5;7;8;9;53;22;23;25;27;28;29;55", report: "0"},
	{in: "1;0", report: "0"},
	{in: "1;", report: "0"},
	{in: "4", report: "0;4", want: underlined(vt.SingleUnderline)},
	{in: "4:0", report: "0"},
	{in: "4:3", report: "0;4:3", want: underlined(vt.CurlyUnderline)},
	{in: "4:5", report: "0;4:5", want: underlined(vt.DashedUnderline)},
	{in: "4:99", report: "0;4:5", want: underlined(vt.DashedUnderline)},
	{in: "21", report: "0;4:2", want: underlined(vt.DoubleUnderline)},
	{in: "4:3;24", report: "0"},
	{in: "31;42", report: "0;31;42", want: vt.Style{FG: vt.Palette(1), BG: vt.Palette(2)}},
	{in: "91;102", report: "0;91;102", want: vt.Style{FG: vt.Palette(9), BG: vt.Palette(10)}},
	{in: "31;42;39;49", report: "0"},
	{in: "38;5;200", report: "0;38:5:200", want: vt.Style{FG: vt.Palette(200)}},
	{in: "48:5:200", report: "0;48:5:200", want: vt.Style{BG: vt.Palette(200)}},
	{in: "38;2;1;2;3", report: "0;38:2::1:2:3", want: vt.Style{FG: vt.RGB(1, 2, 3)}},
	{in: "38:2:1:2:3", report: "0;38:2::1:2:3", want: vt.Style{FG: vt.RGB(1, 2, 3)}},
	{in: "38:2::1:2:3", report: "0;38:2::1:2:3", want: vt.Style{FG: vt.RGB(1, 2, 3)}},
	{in: "38:2:0:1:2:3:0:1", report: "0;38:2::1:2:3", want: vt.Style{FG: vt.RGB(1, 2, 3)}},
	{in: "38;2;1;2;3;1", report: "0;1;38:2::1:2:3", want: vt.Style{FG: vt.RGB(1, 2, 3), Attr: vt.Bold}},
	{in: "38;2;;;", report: "0;38:2::0:0:0", want: vt.Style{FG: vt.RGB(0, 0, 0)}},
	{in: "58;5;9", report: "0;58:5:9", want: vt.Style{UL: vt.Palette(9)}},
	{in: "58:2::9:8:7;4", report: "0;4;58:2::9:8:7", want: vt.Style{UL: vt.RGB(9, 8, 7), Attr: underlined(vt.SingleUnderline).Attr}},
	{in: "58:5:9;59", report: "0"},
	{in: "38;5;256", report: "0", unknown: true},
	{in: "38;2;1;2;999;1", report: "0;1", want: vt.Style{Attr: vt.Bold}, unknown: true},
	{in: "38;2;1", report: "0", unknown: true},
	{in: "38;7;1", report: "0;1", want: vt.Style{Attr: vt.Bold}, unknown: true},
	{in: "38", report: "0", unknown: true},
	{in: "38:5", report: "0", unknown: true},
	{in: "77;1", report: "0;1", want: vt.Style{Attr: vt.Bold}, unknown: true},
}

func underlined(u vt.Underline) vt.Style { return vt.Style{Attr: vt.Attr(u) << 8} }

func TestSGR(t *testing.T) {
	for _, tt := range sgrTests {
		t.Run(tt.in, func(t *testing.T) {
			term := vt.New(vt.Options{})
			fmt.Fprintf(term, "\x1b[%smx\x1bP$qm\x1b\\", tt.in)
			c := term.Row(0)[0]
			if c.Style != tt.want || c.Rune != 'x' {
				t.Errorf("style %+v of %q, want %+v", c.Style, c.Rune, tt.want)
			}
			if got := string(term.Replies()); got != "\x1bP1$r"+tt.report+"m\x1b\\" {
				t.Errorf("DECRQSS gives %q, want %q", got, tt.report)
			}
			if got := term.Unknown() > 0; got != tt.unknown {
				t.Errorf("unknown: %v, want %v", got, tt.unknown)
			}
		})
	}
}

// TestReportIsStyle feeds the report of DECRQSS back.
func TestReportIsStyle(t *testing.T) {
	for _, tt := range sgrTests {
		term := vt.New(vt.Options{})
		fmt.Fprintf(term, "\x1b[%smx", tt.report)
		if c := term.Row(0)[0]; c.Style != tt.want || term.Unknown() > 0 {
			t.Errorf("%q makes %+v, want %+v", tt.report, c.Style, tt.want)
		}
	}
}

// TestErasedColour is bce: what is erased, inserted or scrolled in has the background of the pen.
func TestErasedColour(t *testing.T) {
	red := vt.Style{BG: vt.Palette(1)}
	for _, in := range []string{"\x1b[2J", "\x1b[J", "\x1b[K", "\x1b[5X", "\x1b[3@", "\x1b[80P", "\x1b[L", "\x1b[T", "\x1b[30S", "\x1b[M\x1b[24d\n\x1b[H\x1b[M\x1b[30S"} {
		term := vt.New(vt.Options{})
		fmt.Fprintf(term, "text\r\x1b[1;41m%s", in)
		if c := term.Row(0)[2]; c.Style != red || c.Rune != ' ' || c.Width != 1 {
			t.Errorf("%q leaves %+v", in, c)
		}
	}
}
