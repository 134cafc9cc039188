package cmd

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestRename(t *testing.T) {
	for text, want := range map[string]string{
		"pi run -- x":                      "pish run -- x",
		"`pi session stop web` ends it":    "`pish session stop web` ends it",
		"x=$(pi run -- y); pi --help":      "x=$(pish run -- y); pish --help",
		"pi runs commands; pi is a binary": "pi runs commands; pi is a binary",
		"api run, ~/.config/pi run":        "api run, ~/.config/pi run",
		"pi runner":                        "pi runner",
		"npx inspector --cli pi mcp":       "npx inspector --cli pish mcp",
	} {
		if got := Rename(text, "pish"); got != want {
			t.Errorf("Rename(%q): %q, want %q", text, got, want)
		}
		if got := Rename(text, "pi"); got != text {
			t.Errorf("Rename(%q) to pi: %q", text, got)
		}
	}
}

func TestRenameKnowsEveryCommand(t *testing.T) {
	for _, c := range commands {
		if text := "pi " + c.name + "."; Rename(text, "pish") == text {
			t.Errorf("callWords lacks %s", c.name)
		}
	}
}

// TestHelpNamesTheProgram looks through the help of every command for calls of pi.
func TestHelpNamesTheProgram(t *testing.T) {
	call := regexp.MustCompile(`(^|[^\w./~-])pi (` + callWords + `|-)`)
	for i := range Tree("pish").Commands() {
		var shown strings.Builder // of a new tree each, since showing one help renames all
		root := newRootCmd(&Env{Name: "pish", Stdin: os.Stdin, Stdout: &shown, Stderr: io.Discard})
		c := root.Commands()[i]
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		text := shown.String() + Tree("pish").Commands()[i].UsageString()
		if m := call.FindString(text); m != "" {
			t.Errorf("the help of %s calls %q", c.Name(), m)
		}
		if !strings.Contains(c.UseLine(), "pish "+c.Name()) {
			t.Errorf("use line %q", c.UseLine())
		}
	}
}
