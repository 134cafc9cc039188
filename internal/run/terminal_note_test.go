package run

import (
	"strings"
	"testing"

	"pi/internal/vt"
)

func TestFullScreenNote(t *testing.T) {
	for _, c := range []struct {
		s    vt.AltSummary
		cols int
		want string
	}{
		{vt.AltSummary{}, 120, "[full-screen program]"},
		{vt.AltSummary{Title: "a\x1b[31mb\u202ec", Line: "x\ty\u0085z"}, 120, "[full-screen program a [31mb c, last screen: x y z]"},
		{vt.AltSummary{Line: strings.Repeat("漢", 80)}, 120, "[full-screen program, last screen: " + strings.Repeat("漢", 41) + "…]"},
	} {
		if got := fullScreenNote(c.s, c.cols); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
