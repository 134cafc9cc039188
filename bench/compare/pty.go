//go:build unix

package main

import (
	"fmt"
	"path/filepath"
)

// headless: a flood of output through a pseudo-terminal, against script(1), which only passes it on: pi emulates the screen,
// counts, and keeps the whole text in an artifact.
func headless(l *lab) error {
	command := fmt.Sprintf("seq 1 %d", 2_000_000/l.scale)
	theirs := side{argv: []string{"script", "-qc", command, "/dev/null"}}
	for _, form := range []string{"transcript", "stream"} {
		ours := side{
			argv: []string{l.pi, "pty", "--headless", "--", command},
			env:  []string{"PI_ARTIFACTS_DIR=" + filepath.Join(l.dir, "artifacts"), "PI_BASH_PTY_TEXT=" + form},
		}
		a, b, err := versus(ours, theirs, 1, max(15/l.scale, 3))
		if err != nil {
			return err
		}
		bound := 1.0
		if form != "transcript" {
			bound = 0
		}
		l.row("pi pty --headless -- "+command+", "+form+" | script -qc", a, b, bound, "ms")
	}
	return nil
}
