package doctor

import (
	"fmt"
	"strconv"
	"strings"
)

// Text returns the report for people: one subject a line, problems last.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Build)
	for _, line := range [...][2]string{
		{"config", r.Config.String()}, {"shell", r.Shell.String()}, {"snapshot", r.Snapshot.String()}, {"artifacts", r.Artifacts.String()},
		{"terminal", r.Terminal.String()}, {"machine", r.Machine.String()}, {"limits", r.Machine.limits()}, {"kernel", r.Machine.capabilities()},
	} {
		fmt.Fprintf(&b, "%-10s %s\n", line[0], line[1])
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "problem: %s: %s\n  fix: %s\n", p.Area, p.What, p.Hint)
	}
	if len(r.Problems) == 0 {
		b.WriteString("no problems found\n")
	}
	return b.String()
}

// roughSize returns a size for people: three digits and a unit.
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
