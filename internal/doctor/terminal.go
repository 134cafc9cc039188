package doctor

import (
	"fmt"
	"strings"

	"pi/internal/environ"
)

// Terminal is the terminal that pi was called on. The caller sets streams and size.
type Terminal struct {
	Stdin   bool   `json:"stdin"` // is a terminal
	Stdout  bool   `json:"stdout"`
	Stderr  bool   `json:"stderr"`
	Term    string `json:"term"`
	Colors  int    `json:"colors"` // according to TERM and COLORTERM
	NoColor bool   `json:"noColor"`
	Columns int    `json:"columns"` // 0: no terminal
	Rows    int    `json:"rows"`
}

func (x *examination) terminal() {
	t := x.Input.Terminal
	t.Term, t.NoColor = environ.Get(x.Environ, "TERM"), environ.Get(x.Environ, "NO_COLOR") != ""
	t.Colors = colors(t.Term, environ.Get(x.Environ, "COLORTERM"))
	x.Report.Terminal = t
}

// colors returns how many colours a terminal of that TERM shows, as far as names tell; there is no database.
func colors(name, colorterm string) int {
	switch {
	case name == "" || name == "dumb":
		return 0
	case colorterm == "truecolor" || colorterm == "24bit" || strings.HasSuffix(name, "-direct"):
		return 1 << 24
	case strings.Contains(name, "256color"):
		return 256
	case strings.HasPrefix(name, "vt"):
		return 0
	}
	return 16
}

func (t Terminal) String() string {
	var on []string
	for _, stream := range []struct {
		name string
		is   bool
	}{{"stdin", t.Stdin}, {"stdout", t.Stdout}, {"stderr", t.Stderr}} {
		if stream.is {
			on = append(on, stream.name)
		}
	}
	if len(on) == 0 {
		return "none on stdin, stdout, stderr"
	}
	words := fmt.Sprintf("%s, %dx%d, TERM=%s, %d colours", strings.Join(on, " "), t.Columns, t.Rows, t.Term, t.Colors)
	if t.NoColor {
		words += ", NO_COLOR is set"
	}
	return words
}
