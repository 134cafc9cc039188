package present

import (
	"fmt"
	"strings"

	"pi/internal/environ"
	"pi/internal/run"
	"pi/internal/self"
)

// notices prints on standard error what the text does not say: warnings, truncation, how the command ended. A
// successful run with output needs none.
func (o Output) notices(r run.Result) {
	for _, w := range r.Details.Warnings {
		fmt.Fprintf(o.Err, "%s %s\n", o.Colors.yellow(self.Name()+": warning:"), w)
	}
	for _, n := range r.Notices {
		switch {
		case strings.HasPrefix(n, "[") || n == "(no output)":
			n = o.Colors.dim(n)
		case r.Details.Status == run.Error:
			n = o.Colors.red(self.Name()+":") + " " + n
		default:
			n = o.Colors.red(n)
		}
		fmt.Fprintln(o.Err, n)
	}
}

// Colors reports whether notices are coloured.
type Colors bool

// NewColors decides by the setting output.color (auto, always or never), the variables NO_COLOR and TERM of an
// environment (KEY=VALUE), and whether notices go to a terminal.
func NewColors(mode string, env []string, terminal bool) Colors {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return Colors(terminal && environ.Get(env, "NO_COLOR") == "" && environ.Get(env, "TERM") != "dumb")
}

func (c Colors) paint(sgr, s string) string {
	if !c {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

func (c Colors) red(s string) string    { return c.paint("31", s) }
func (c Colors) yellow(s string) string { return c.paint("33", s) }
func (c Colors) dim(s string) string    { return c.paint("2", s) }
