package keyview

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func TestUnescape(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		offset   int // of the error, -1 for none
	}{
		{`abc`, "abc", -1},
		{`\e[A`, "\x1b[A", -1},
		{`\E\a\b\f\n\r\t\v\\\'\"`, "\x1b\a\b\f\n\r\t\v\\'\"", -1},
		{`\x1b\x1\xffg`, "\x1b\x01\xffg", -1},
		{`\033[A\0\77`, "\x1b[A\x00?", -1},
		{`\u00e9\U0001f600\u41`, "é😀A", -1},
		{`é`, "é", -1},
		{`ab\`, "", 2},
		{`\q`, "", 0},
		{`a\xg`, "", 1},
		{`\u`, "", 0},
		{`\ud800`, "", 0},
		{`\Uffffffff`, "", 0},
		{`\777`, "", 0},
		{`\8`, "", 0},
	} {
		got, err := Unescape(tt.in)
		checkSpelling(t, tt.in, got, err, tt.want, tt.offset)
	}
}

func TestParseHex(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		offset   int
	}{
		{"", "", -1},
		{"1b5b41", "\x1b[A", -1},
		{" 1B 5b\t41\r\n", "\x1b[A", -1},
		{"1b5", "", 2},
		{"1 b", "", 1},
		{"0x1b", "", 1},
		{"1bé", "", 2},
	} {
		got, err := ParseHex(tt.in)
		checkSpelling(t, tt.in, got, err, tt.want, tt.offset)
	}
}

func checkSpelling(t *testing.T, in string, got []byte, err error, want string, offset int) {
	t.Helper()
	var bad *SyntaxError
	switch {
	case errors.As(err, &bad) && bad.Offset != offset, err != nil && bad == nil, err == nil && offset >= 0:
		t.Errorf("%q: error %v, want one at %d", in, err, offset)
	case string(got) != want:
		t.Errorf("%q: %q, want %q", in, got, want)
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[A":       `\e[A`,
		"a\\é日":        `a\\é日`,
		"\x00\x7f\xff": `\x00\x7f\xff`,
		"\u200b\u009b": `\u200b\u009b`,
		"e\u0301":      `e\u0301`,
		"\U000e0001":   `\U000e0001`,
	} {
		if got := Escape([]byte(in)); got != want {
			t.Errorf("Escape(%q) = %s, want %s", in, got, want)
		}
	}
}

// FuzzSpelling reads back what it spells.
func FuzzSpelling(f *testing.F) {
	f.Add([]byte("\x1b[A\x00é\xff\\'\"\u200b"))
	f.Fuzz(func(t *testing.T, data []byte) { checkRoundTrip(t, data) })
}

func TestSpellingRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRoundTrip(t, rapid.SliceOf(rapid.Byte()).Draw(t, "data")) })
}

func checkRoundTrip(t interface {
	Fatalf(string, ...any)
}, data []byte) {
	if got, err := Unescape(Escape(data)); err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%q is spelled %s, which reads %q, %v", data, Escape(data), got, err)
	}
}
