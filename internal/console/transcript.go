package console

import (
	"strings"

	"pi/internal/run"
)

// State returns how a run ended, in the words of an overlay's header: exit 0, exit 3, killed, timed out.
func State(d run.Details) string { return outcome(d) }

// Transcript returns what stays on the screen after the overlay: the command, how it ended, what it printed
// on its main screen, and what was left out of that. cols is the width of the terminal.
func (p Profile) Transcript(r run.Result, cols int) string {
	var b strings.Builder
	state := outcome(r.Details)
	if r.Details.TimedOut {
		state += " after " + seconds(r.Details.TimeoutSeconds)
	}
	state = "[" + state + "]"
	name := fit(oneLine(visible(strings.TrimSpace(r.Details.Command))), max(1, cols-len(state)-4), p.ellipsis())
	b.WriteString(p.mark(r.Details.Status) + " " + p.bold(name) + " " + p.dim(state) + "\n")
	b.WriteString(harmless(r.Body))
	if r.Body != "" && !strings.HasSuffix(r.Body, "\n") {
		b.WriteString("\n")
	}
	if m := r.Details.Meta; m != nil {
		p.note(&b, truncated(m.Truncation), cols)
	}
	p.warnings(&b, r)
	return b.String()
}

// warnings adds the result's warnings.
func (p Profile) warnings(b *strings.Builder, r run.Result) {
	for _, w := range r.Details.Warnings {
		b.WriteString(p.caution() + " " + visible(w) + "\n")
	}
}
