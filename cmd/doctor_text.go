package cmd

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"pi/internal/config"
	"pi/internal/shell"
)

// print writes the diagnosis for people, one room a line, problems last.
func (d *diagnosis) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, d.Build)
	for _, line := range [][2]string{
		{"config", d.Config.String()}, {"shell", d.Shell.String()}, {"snapshot", d.Snapshot.String()}, {"artifacts", d.Artifacts.String()},
		{"terminal", d.Terminal.String()}, {"machine", d.Machine.String()}, {"limits", d.Machine.limits()}, {"kernel", d.Machine.abilities()},
	} {
		fmt.Fprintf(&b, "%-10s %s\n", line[0], line[1])
	}
	for _, warning := range d.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	for _, p := range d.Problems {
		fmt.Fprintf(&b, "problem: %s: %s\n  way out: %s\n", p.Room, p.What, p.WayOut)
	}
	if len(d.Problems) == 0 {
		b.WriteString("all is usable\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c configState) String() string {
	switch {
	case c.Path == "":
		return "no file, defaults apply"
	case c.Exists:
		return fmt.Sprintf("%s (%s)", c.Path, c.Source)
	}
	return fmt.Sprintf("%s (%s) was not read, defaults apply", c.Path, c.Source)
}

func (s shellState) String() string {
	if s.Path == "" {
		return "none"
	}
	words := s.Path + " (" + strings.TrimSpace(s.Kind+" "+s.Version) + ")"
	if s.Path == shell.EmbeddedName {
		words = s.Path + " (part of pi)"
	}
	if s.Runs {
		words += ", runs commands"
	}
	return words
}

func (a artifactState) String() string {
	if !a.Enabled {
		return "off (artifacts.maxBytes is 0)"
	}
	if a.Dir == "" {
		return "nowhere"
	}
	state := "not writable"
	switch {
	case a.Writable && a.Exists:
		state = "writable"
	case a.Writable:
		state = "made when needed"
	}
	words := fmt.Sprintf("%s: %s, %d kept, %s of %s, each at most %s", a.Dir, state, a.Count, roughSize(a.Bytes), config.FormatSize(a.MaxTotalBytes), config.FormatSize(a.MaxBytes))
	if a.FreeBytes >= 0 {
		words += ", " + roughSize(a.FreeBytes) + " free"
	}
	return words
}

func (t terminalState) String() string {
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

// roughSize is a size for people: three digits and a unit.
func roughSize(n int64) string {
	size, units := float64(n), []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for ; size >= 1000 && i < len(units)-1; i++ {
		size /= 1024
	}
	if i == 0 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	return strconv.FormatFloat(size, 'g', 3, 64) + " " + units[i]
}
