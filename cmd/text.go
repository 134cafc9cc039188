package cmd

import (
	"fmt"
	"io"
	"strings"

	"pi/internal/environ"
	"pi/internal/run"
)

// textDoor prints the bounded text when the command has ended; everything else goes to standard error.
type textDoor struct {
	env *Env
	ink ink
}

func (*textDoor) live() run.Live { return run.Live{} }

func (d *textDoor) finish(r run.Result) error {
	_, err := io.WriteString(d.env.Stdout, r.Body)
	notices(d.env.Stderr, d.ink, r)
	return written(err)
}

// notices prints what the text does not say: warnings, truncation, the end. A successful run with output has nothing
// to tell.
func notices(w io.Writer, c ink, r run.Result) {
	for _, t := range r.Details.Warnings {
		fmt.Fprintf(w, "%s %s\n", c.yellow("pi: warning:"), t)
	}
	for _, n := range r.Notices {
		switch {
		case strings.HasPrefix(n, "[") || n == "(no output)":
			n = c.dim(n)
		case r.Details.Status == run.Error:
			n = c.red("pi:") + " " + n
		default:
			n = c.red(n)
		}
		fmt.Fprintln(w, n)
	}
}

// ink colours notices, or does not.
type ink bool

// newInk decides by --color, NO_COLOR, TERM and whether w is a terminal.
func newInk(w io.Writer, mode string, env []string) ink {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	if v, set := environ.Lookup(env, "NO_COLOR"); set && v != "" {
		return false
	}
	if environ.Get(env, "TERM") == "dumb" {
		return false
	}
	return ink(isTerminal(w))
}

func (c ink) paint(sgr, s string) string {
	if !c {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

func (c ink) red(s string) string    { return c.paint("31", s) }
func (c ink) yellow(s string) string { return c.paint("33", s) }
func (c ink) dim(s string) string    { return c.paint("2", s) }
