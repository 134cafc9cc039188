package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"pi/internal/manual"
)

func TestRenderText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"headings", "# One\n## Two `x`\n### Three", "One\n===\n\nTwo x\n-----\n\nThree\n"},
		{"paragraph of two lines", "a\nb\n\nc", "a b\n\nc\n"},
		{"styles", "**bold**, *thin*, `a *b*`, ``a `b` ``, \\*", "bold, thin, `a *b*`, `a `b``, *\n"},
		{"not styles", "2 * 3 * 4, a*, snake_case", "2 * 3 * 4, a*, snake_case\n"},
		{"links", "[run](run.md#x), [Go](https://go.dev), <https://a.b>", "run, Go (https://go.dev), https://a.b\n"},
		{"list", "- a\n  b\n- c\n\nd", "  - a b\n  - c\n\nd\n"},
		{"nested list", "1. a\n   - b\n2. c", "  1. a\n    - b\n  2. c\n"},
		{"two paragraphs in an item", "- a\n\n  b", "  - a\n\n    b\n"},
		{"code", "```sh\n$ x |\n\n  y\n```", "    $ x |\n\n      y\n"},
		{"code never closed", "```\nx", "    x\n"},
		{"indented code", "a\n\n    x\n      y\n\nb", "a\n\n    x\n      y\n\nb\n"},
		{"table", "| a | b |\n|---|:-:|\n| `x\\|y` | 1 |", "a    b\n------\nx|y  1\n"},
		{"table without a header", "| | |\n|---|---|\n| x | y |", "x  y\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, renderText(parse(tt.in))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRenderTextWraps(t *testing.T) {
	long := strings.Repeat("word ", 40)
	for name, in := range map[string]string{
		"paragraph":  long,
		"item":       "- " + long,
		"table":      "| a | b |\n|---|---|\n| x | " + long + "|",
		"wide table": "| a | b | c |\n|---|---|---|\n| x | " + long + "| " + long + "|",
	} {
		for line := range strings.Lines(renderText(parse(in))) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%s: a line has %d columns: %q", name, n, line)
			}
		}
	}
}

// TestPagesAreUpToDate compares the pages in the binary with docs/.
func TestPagesAreUpToDate(t *testing.T) {
	want, err := pages("../../docs")
	if err != nil {
		t.Fatal(err)
	}
	got, err := manual.Pages()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("the pages in the binary are out of date; run `make generate`:\n%s", diff)
	}
}
