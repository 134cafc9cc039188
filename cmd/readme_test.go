package cmd

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// notReplayed lists the commands of the README that cannot run in a test, and why.
var notReplayed = map[string]string{
	"make test":               "this is it",
	"pi pty -- vim notes.txt": "wants a terminal",
	"pi init claude":          "its answer names files of a home",
}

// TestReadme runs the console blocks of the README, which must show the actual output.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	bin, home := t.TempDir(), t.TempDir()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(me, filepath.Join(bin, "pi")); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + home, "SHELL=/bin/bash", "LC_ALL=C.UTF-8"}
	replayed := 0
	for _, ex := range consoleExamples(string(text)) {
		if notReplayed[ex.command] != "" {
			continue
		}
		replayed++
		t.Run(ex.command, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			c := exec.CommandContext(ctx, "bash", "-c", ex.command)
			c.Dir, c.Env = home, env
			out, _ := c.CombinedOutput() // some show a failure
			if string(out) != ex.output {
				t.Errorf("prints\n%s\nthe README shows\n%s", out, ex.output)
			}
		})
	}
	if replayed < 3 {
		t.Errorf("only %d examples found", replayed)
	}
}

type consoleExample struct{ command, output string }

// consoleExamples returns the commands in the console blocks of a page, without trailing comments, each with the output
// shown below it.
func consoleExamples(page string) (list []consoleExample) {
	inside := false
	for line := range strings.Lines(page) {
		fence := strings.HasPrefix(line, "```")
		switch {
		case fence:
			inside = !inside && strings.HasPrefix(line, "```console")
		case !inside:
		case strings.HasPrefix(line, "$ "):
			command, _, _ := strings.Cut(line[2:], "   #")
			command, _, _ = strings.Cut(command, " # ")
			command = strings.TrimSpace(strings.Replace(command, "make build && ./pi", "pi", 1))
			list = append(list, consoleExample{command: command})
		case len(list) > 0:
			list[len(list)-1].output += line
		}
	}
	return list
}
