package console

import (
	"fmt"
	"strings"

	"pi/internal/run"
)

// truncated describes why a text is incomplete and where the full one is.
func truncated(t run.Truncation) []string {
	why := fmt.Sprintf("Output cut to lines %d-%d of %d", t.ShownRange.Start, t.ShownRange.End, t.TotalLines)
	if t.TruncatedBy == "bytes" {
		why += fmt.Sprintf(" (%d KB limit)", t.MaxBytes/1024)
	}
	if t.ArtifactID == nil {
		return []string{why, "The rest was not kept"}
	}
	return []string{why, full(*t.ArtifactID)}
}

// full names the artifact with the full output.
func full(id string) string { return "Full output: artifact://" + id }

// note adds a line that needs attention; its parts share a line only if they fit.
func (p Profile) note(b *strings.Builder, parts []string, cols int) {
	lead := p.caution() + " "
	for _, s := range p.flow(parts, cols-2) {
		b.WriteString(lead + p.yellow(s) + "\n")
		lead = "  "
	}
}

// above describes the lines hidden before the rows shown, for the line that replaces them. key says how to see
// them.
func (p Profile) above(hidden int, m *run.Meta, key string, cols int) string {
	what, more := "the line's beginning", " shows all)"
	if m != nil && m.Truncation.ShownRange.Start > 1 {
		hidden += int(m.Truncation.ShownRange.Start) - 1
		more = " shows more)"
	}
	if hidden > 0 {
		what = count(int64(hidden), "earlier line")
	}
	return p.dim(fit(p.ellipsis()+" "+what+" ("+key+more, cols, "")) + "\n"
}
