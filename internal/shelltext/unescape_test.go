package shelltext

import "testing"

func TestUnescape(t *testing.T) {
	for _, c := range []struct{ text, bare, quoted string }{
		{"", "", ""},
		{"plain", "plain", "plain"},
		{`c\d`, "cd", `c\d`},
		{`a\ b\\c`, `a b\c`, `a\ b\c`},
		{`\$x\"\` + "`", `$x"` + "`", `$x"` + "`"},
		{"c\\\nd", "cd", "cd"},
		{`end\`, `end\`, `end\`},
	} {
		if got := Unescape(c.text, ""); got != c.bare {
			t.Errorf("%q outside of quotes: %q, want %q", c.text, got, c.bare)
		}
		if got := Unescape(c.text, DoubleQuoted); got != c.quoted {
			t.Errorf("%q in double quotes: %q, want %q", c.text, got, c.quoted)
		}
	}
}
