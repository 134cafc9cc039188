package console

import (
	"fmt"
	"strings"

	"pi/internal/run"
)

// truncated says why a text is not whole, and where the whole one is.
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

// full names the artifact that holds everything.
func full(id string) string { return "Full output: artifact://" + id }

// note adds a line that wants attention, in parts that share a line only where they fit.
func (p Profile) note(b *strings.Builder, parts []string, cols int) {
	lead := p.caution() + " "
	for _, s := range p.flow(parts, cols-2) {
		b.WriteString(lead + p.yellow(s) + "\n")
		lead = "  "
	}
}

// above tells what stands before the rows that are shown, for the line that stands in its place. key says how to see
// more of it.
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
