package normalize

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pi/internal/testmain"
)

// genProducer draws what may stand before a pipe: simple commands, groups and loops that print to
// both streams, with and without a final newline.
func genProducer() *rapid.Generator[string] {
	simple := rapid.SampledFrom([]string{
		"seq 7", "seq 1 40", "printf 'a\\nb'", "printf '%s\\n' 'x | head -1' \"y\"", "cat f g", "cat < f", "echo", "true",
		"ls nosuch f", "ls nosuch 2>&1", "echo a\\ ", "nosuch", "cat 'a b' # c\n", "echo $(seq 3 | tail -1)", "printf '\\n\\n'",
		"echo a > out", "echo a >&2", "cat <<E\nbody | head -1\nE\n", "cat <<< 'here | string'", "x=3", "X=4 printenv X",
	})
	return rapid.OneOf(simple, rapid.Custom(func(t *rapid.T) string {
		a, b := simple.Draw(t, "a"), simple.Draw(t, "b")
		return rapid.SampledFrom([]func(a, b string) string{
			func(a, b string) string { return "{ " + a + "\n" + b + "\n}" },
			func(a, b string) string { return "(" + a + "\n" + b + "\n)" },
			func(a, b string) string { return "{ " + a + "\n" + b + "\n} 2>&1" },
			func(a, b string) string { return "for i in 1 2; do " + a + "\n" + b + "\ndone" },
			func(a, b string) string { return "if " + a + "\nthen " + b + "\nfi" },
			func(a, b string) string { return a + " | sort" },
			func(a, b string) string { return a + "; " + b },
			func(a, b string) string { return a + " && " + b },
			func(a, b string) string { return "! " + a },
		}).Draw(t, "shape")(a, b)
	}))
}

// genStage draws a stage, most of them ones that may be taken off.
func genStage() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"head -n 3", "head -2", "head -n1", "head -n 30", "tail -n 3", "tail -2", "tail -n1", "tail -n 30",
		"head -n 2 # c", "tail -n 2\n", "head -c 5", "tail -n +2", "head -n -1", "cat", "sort -r", "head", "head -n 0",
		"head -2 2>&1", "tail -1; echo z", "tail -1 && echo z", "head -1 f", "grep -v 3",
	})
}

func TestPropertySameBytesAsBash(t *testing.T) {
	bash := testmain.Tool(t, "bash")
	rapid.Check(t, func(rt *rapid.T) {
		text := genProducer().Draw(rt, "producer")
		for _, s := range rapid.SliceOfN(genStage(), 1, 3).Draw(rt, "stages") {
			text += rapid.SampledFrom([]string{" | ", "|", " |\n", " |& ", " || "}).Draw(rt, "join") + s
		}
		if got := Command(text); got.Rewritten {
			sameAsBash(t, bash, text, got)
		} else if !strings.Contains(text, got.Command) {
			rt.Fatalf("%q became %q", text, got.Command)
		}
		if t.Failed() {
			rt.Fatalf("differs from bash: %q", text)
		}
	})
}

// FuzzCommand checks for any text what must hold without a shell to compare with.
func FuzzCommand(f *testing.F) {
	for _, c := range rewritten {
		f.Add(c.in)
	}
	for _, in := range left {
		f.Add(in)
	}
	for _, c := range trims {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Command(text)
		if !strings.Contains(text, got.Command) {
			t.Fatalf("%q is no slice of %q", got.Command, text)
		}
		if got.Rewritten != (got.Limits != Limits{}) || got.Limits.Head > 0 && got.Limits.Tail > 0 ||
			got.Limits.Head < 0 || got.Limits.Tail < 0 {
			t.Fatalf("%q: %+v", text, got)
		}
		rest := strings.TrimSpace(text[strings.Index(text, got.Command)+len(got.Command):])
		if got.Rewritten && !strings.HasPrefix(rest, "|") {
			t.Fatalf("%q lost %q", text, rest)
		}
		if again := Command(got.Command); !got.Rewritten && again.Command != got.Command {
			t.Fatalf("%q: trimmed to %q, then to %q", text, got.Command, again.Command)
		}
	})
}
