package shelltext

import (
	"fmt"
	"runtime/metrics"
	"strings"
	"testing"

	"pi/internal/testmain"
)

// nestings are the openings through which the parser recurses.
var nestings = []string{
	"(", "$(", "{ ", "((", "[[ (", "[[ ! ", "`", "\\`", "${a:-", "$((", "((-", "((!", "((~", "((a?b:", "((a=", "((2**", "((a,",
	"((x++,", "((1+", "if ", "if a; then ", "while ", "until ", "! ", "time ", "a|", "a&&", "f() ", "f() { ", "coproc ",
	"case a in a) ", "case x in $(", "for i in $(", "for((;;)) do ", "select a in b; do ", "\"$(", "\"${a:-", "<(", "a[",
	"${a[", "${a[$((", "a=(", "@(", "$[", "<<E\n$(", "let ", "let a=", "{a,", "\"`", "${a/", "${a:(", "${!a[", "((a[",
	"> $(", "<<< $(", "[[ a == a && ", "[[ a && ! ",
}

// TestParseDeepNesting fills the whole limit with one opening repeated. An overflowing stack would
// end the test process; the bound on stack memory shows that there is room to spare.
func TestParseDeepNesting(t *testing.T) {
	bound := uint64(16 << 20)
	if testmain.Race {
		bound *= 2 // its frames are larger
	}
	for _, open := range nestings {
		units := MaxParse / len(open)
		inputs := []string{strings.Repeat(open, units)}
		if strings.HasPrefix(open, "((") {
			inputs = append(inputs, "(("+strings.Repeat(open[2:], (MaxParse-2)/max(len(open)-2, 1)))
		}
		for _, in := range inputs {
			Parse(in)
			if got := stackBytes(); got > bound {
				t.Errorf("%q repeated: stacks hold %d MiB", open, got>>20)
			}
		}
	}
}

func stackBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"simple", "echo a", true},
		{"empty", "", true},
		{"comment", "# a", true},
		{"bash syntax", "[[ a =~ b ]] && a=(1 2) && cat <(x) >& f", true},
		{"open quote", "echo 'a", false},
		{"open group", "{ a", false},
		{"open here-document", "cat <<E\na", false},
		{"stray bracket", "echo )", false},
		{"NUL", "echo a\x00", false},
		{"longest", "echo " + strings.Repeat("a", MaxParse-5), true},
		{"too long", "echo " + strings.Repeat("a", MaxParse-4), false},
		{"nested as people do", strings.Repeat("$(echo ", 100) + strings.Repeat(")", 100), true},
		{"nested deeper", strings.Repeat("$(echo ", 300) + strings.Repeat(")", 300), false},
		{"many in a row", strings.Repeat("(a);", 1000), true},
		{"chained operators", "((" + strings.Repeat("~", 5000) + "1))", true},
		{"table rule in quotes", "echo '" + strings.Repeat("=", 900) + "'", true},
	} {
		if _, ok := Parse(c.text); ok != c.ok {
			t.Errorf("%s: parsed %v, want %v", c.name, ok, c.ok)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{1, 100} {
		text := strings.Repeat("make -C dir all 2>&1 | tail -n 5; ", n)
		b.Run(fmt.Sprint(len(text), " bytes"), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Parse(text)
			}
		})
	}
}
