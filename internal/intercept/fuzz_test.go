package intercept

import (
	"strings"
	"testing"
)

// FuzzCheck checks what holds for every text.
func FuzzCheck(f *testing.F) {
	for _, row := range blocked {
		f.Add(row.command)
	}
	for _, command := range allowed {
		f.Add(command)
	}
	defaults, _ := New(nil, false)
	user, _ := New([]Rule{{Pattern: `^cat\b(?!x)`, Tool: "read"}, {Pattern: "^echo .*>", Tool: "write"}}, true)
	f.Fuzz(func(t *testing.T, command string) {
		for _, c := range []*Checker{defaults, user} {
			got := c.Check(command, DefaultTools())
			if !got.Blocked {
				if got != (Verdict{}) {
					t.Fatalf("%q: allowed, but %+v", command, got)
				}
				continue
			}
			if !strings.Contains(command, got.Fragment) || got.Fragment == "" {
				t.Fatalf("%q: %q is not part of it", command, got.Fragment)
			}
			if !strings.HasPrefix(got.Message, "Blocked: ") || !strings.HasSuffix(got.Message, command) {
				t.Fatalf("%q: message %q", command, got.Message)
			}
			if again := c.Check(got.Fragment, DefaultTools()); c == defaults && !again.Blocked &&
				!strings.ContainsAny(got.Fragment, "<`\\") {
				t.Fatalf("%q: the fragment %q alone is not blocked", command, got.Fragment)
			}
		}
	})
}
