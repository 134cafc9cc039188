package shelltext

import (
	"strings"
	"testing"
)

func TestCapBreaks(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"echo a", "echo a"},
		{"for f in a b; do echo $f; break 2; done; echo on", "for f in a b; do echo $f; break 1; done; echo on"},
		{"for i in 1; do while :; do continue 3; done; break 2; done", "for i in 1; do while :; do continue 2; done; break 1; done"},
		{"for i in 1; do while :; do break 2; done; done", "for i in 1; do while :; do break 2; done; done"},
		{"until false; do break 10; done # break 9", "until false; do break 1; done # break 9"},
		{"select x in a; do break 2; done", "select x in a; do break 1; done"},
		{"for é in ü; do if true; then { break 7; }; fi; done", "for é in ü; do if true; then { break 1; }; fi; done"},
		{"while :; do break $n; done", "while :; do break $n; done"},
		{"while :; do break 0; break 1 2; done", "while :; do break 0; break 1 2; done"},
		{"break 5; echo on", "break 5; echo on"},
		{"f() { for i in 1; do break 5; done; }; for i in 1; do f; done", "f() { for i in 1; do break 5; done; }; for i in 1; do f; done"},
		{"for i in 1; do ( break 5 ); x=$(break 5); done", "for i in 1; do ( break 5 ); x=$(break 5); done"},
		{"for i in 1; do echo 'break 5'; done", "for i in 1; do echo 'break 5'; done"},
		{"for i in 1; do break 5", "for i in 1; do break 5"},
		{"while :; do break 99999999999999999999; done", "while :; do break 99999999999999999999; done"},
	} {
		if got := CapBreaks(tt.text); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.text, got, tt.want)
		}
	}
}

// FuzzCapBreaks: only numbers are changed, and what was changed has nothing left to change.
func FuzzCapBreaks(f *testing.F) {
	f.Add("for f in a b; do echo $f; break 2; done; echo on")
	f.Add("for i in 1; do while :; do continue 3\ndone; break 02; done")
	f.Add("while :; do break 9 >x; done; until false; do break 08; done")
	digits := func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := CapBreaks(text)
		if strings.Map(digits, got) != strings.Map(digits, text) || len(got) > len(text) {
			t.Fatalf("%q becomes %q", text, got)
		}
		if again := CapBreaks(got); again != got {
			t.Fatalf("%q, then %q", got, again)
		}
	})
}
