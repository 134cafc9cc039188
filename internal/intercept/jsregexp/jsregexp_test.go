package jsregexp

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// recorded holds the results of JavaScript's RegExp, written by testdata/record.js.
type recorded struct {
	Texts []string
	Rows  []struct {
		Pattern, Flags string
		Matches        *string // a 0 or 1 for each text; nil: RegExp rejects the pattern
	}
}

func load(t testing.TB) recorded {
	b, err := os.ReadFile("testdata/javascript.json")
	if err != nil {
		t.Fatal(err)
	}
	var r recorded
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMatchAsJavaScript(t *testing.T) {
	r := load(t)
	for _, row := range r.Rows {
		re, err := Compile(row.Pattern, row.Flags)
		if (err != nil) != (row.Matches == nil) {
			t.Errorf("/%s/%s: error %v, want one: %v", row.Pattern, row.Flags, err, row.Matches == nil)
			continue
		}
		if err != nil {
			continue
		}
		for i, text := range r.Texts {
			got, err := re.Match(text)
			if want := (*row.Matches)[i] == '1'; got != want || err != nil {
				t.Errorf("/%s/%s on %q: %v %v, want %v", row.Pattern, row.Flags, text, got, err, want)
			}
		}
	}
}

func TestLinear(t *testing.T) {
	for pattern, linear := range map[string]bool{
		`^\s*(cat|head)\s+[^|]`: true, `(?<name>a)`: true, `a{1000}`: true,
		`a(?=b)`: false, `(?<!a)b`: false, `(a)\1`: false, `a{1001}`: false,
	} {
		re, err := Compile(pattern, "")
		if err != nil {
			t.Fatal(err)
		}
		if re.Linear() != linear {
			t.Errorf("/%s/ is linear: %v, want %v", pattern, re.Linear(), linear)
		}
	}
}

func TestMatchTimeout(t *testing.T) {
	re, err := Compile(`^(?=a)(a+)+$`, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := re.Match(strings.Repeat("a", 60) + "b"); !errors.Is(err, ErrTimeout) {
		t.Errorf("got %v, want %v", err, ErrTimeout)
	}
}

func TestCompileErrors(t *testing.T) {
	for _, c := range []struct{ pattern, flags, want string }{
		{"(", "", "unterminated group"},
		{")", "", "unmatched ')'"},
		{"*", "", "nothing to repeat"},
		{"[", "", "unterminated class"},
		{"[b-a]", "", "range out of order in a class"},
		{"a{2,1}", "", "numbers out of order in a quantifier"},
		{"a", "gg", `duplicate flag 'g'`},
		{"a", "x", `unknown flag 'x'`},
		{"a", "v", `flag 'v' is not supported`},
		{`\ud83d`, "", "half a surrogate pair is not supported"},
		{strings.Repeat("a", maxPattern+1), "", "pattern is longer than 10000 bytes"},
	} {
		if _, err := Compile(c.pattern, c.flags); err == nil || err.Error() != c.want {
			t.Errorf("/%.20s/%s: %v, want %q", c.pattern, c.flags, err, c.want)
		}
	}
}

// An escaped text matches itself.
func TestPropertyLiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 30, -1).Draw(t, "text")
		var pattern strings.Builder
		for _, r := range text {
			if strings.ContainsRune(`^$\.*+?()[]{}|/`, r) {
				pattern.WriteByte('\\')
			}
			pattern.WriteRune(r)
		}
		re, err := Compile("^"+pattern.String()+"$", "u")
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := re.Match(text); !ok || err != nil {
			t.Fatalf("%q does not match itself: %v", text, err)
		}
	})
}

func FuzzCompile(f *testing.F) {
	for _, row := range load(f).Rows {
		f.Add(row.Pattern, row.Flags)
	}
	f.Fuzz(func(t *testing.T, pattern, flags string) {
		re, err := Compile(pattern, flags)
		if err != nil {
			return
		}
		_, _ = re.Match("cat a\nb")
	})
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(`^\s*(?:cat|head|tail|less|more)\s+[^|]`, ""); err != nil {
			b.Fatal(err)
		}
	}
}
