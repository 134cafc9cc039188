package vt_test

import (
	"testing"

	"pi/internal/vt"
)

func TestReplaceControls(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		"a b é 漢 ☃":               "a b é 漢 ☃",
		"a\tb\nc\rd\x1b[31me\x7f": "a b c d [31me ",
		"\u009b31m":               " 31m",
		"a\u202eb\u2066c\u200f":   "a b c\u200f",
		"a\u2028b\u2029":          "a b ",
	} {
		if got := vt.ReplaceControls(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
