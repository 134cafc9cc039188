package cmd

import (
	"os/exec"
	"testing"

	"pgregory.net/rapid"
)

// The shell passes on an argument vector unchanged.
func TestQuoteArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SliceOfN(rapid.StringMatching(`[^\x00]{0,12}`), 2, 4).Draw(t, "args")
		text, err := commandText(nil, append([]string{"printf", "%s\\0"}, args...))
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("sh", "-c", text).Output()
		want := ""
		for _, a := range args {
			want += a + "\x00"
		}
		if err != nil || string(out) != want {
			t.Fatalf("%q printed %q, want %q: %v", text, out, want, err)
		}
	})
}

func TestReservedWordsAreQuoted(t *testing.T) {
	for _, word := range []string{"if", "time", "coproc", "for", "function", "while", "select", "[[", "!", "{"} {
		text, err := commandText(nil, []string{word, "x"})
		if err != nil || text != "'"+word+"' x" {
			t.Errorf("%s x became %q, %v", word, text, err)
		}
	}
	if text, _ := commandText(nil, []string{"git", "time"}); text != "git time" {
		t.Errorf("git time became %q", text)
	}
}
