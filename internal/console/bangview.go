package console

import (
	"strings"
	"sync"
	"time"

	"github.com/clipperhouse/displaywidth"

	"pi/internal/run"
	"pi/internal/sink"
)

// Bounds of the collapsed view of a command at the prompt.
const (
	bangLines   = 20   // logical lines
	bangLineMax = 4000 // characters of one line
)

// bangView shows a command that was typed at the prompt.
type bangView struct {
	*liveView
	p     Profile
	began time.Time

	mu       sync.Mutex
	state    sink.Snapshot
	expanded bool
	ending   bool // cancelled, but still running
}

func newBangView(s Screen, p Profile, resized <-chan struct{}, began time.Time) *bangView {
	v := &bangView{p: p, began: began}
	v.liveView = newLiveView(s, resized, v.frame)
	return v
}

// set changes the view's state under its lock and requests a redraw.
func (v *bangView) set(change func()) {
	v.mu.Lock()
	change()
	v.mu.Unlock()
	v.touch()
}

func (v *bangView) update(s sink.Snapshot) { v.set(func() { v.state = s }) }

func (v *bangView) frame(cols, height int, now time.Time) []row {
	v.mu.Lock()
	defer v.mu.Unlock()
	room := max(0, height-2)
	text := v.state.Text
	if !v.expanded {
		text, _, _ = lastLines(text, bangLines)
	}
	var out []row
	for _, s := range lastRows(text, cols, room).rows {
		out = append(out, plainRow(s))
	}
	parts := []string{ticking(now.Sub(v.began)), count(v.state.TotalLines, "line")}
	switch {
	case v.ending:
		parts = append(parts, "cancelling"+v.p.ellipsis(), "Ctrl-C kills")
	case v.expanded:
		parts = append(parts, "Esc cancels", "Ctrl-O collapses")
	default:
		parts = append(parts, "Esc cancels", "Ctrl-O expands")
	}
	foot := fit(v.p.flow(parts, cols-2)[0], cols-2, "")
	return append(out, row{v.p.running() + " " + v.p.dim(foot), 2 + width(foot)})
}

// lastLines returns the last n lines of text, each clamped, how many there are before them, and whether one was clamped.
func lastLines(text string, n int) (shown string, hidden int, clamped bool) {
	all := lines(text)
	if hidden = len(all) - n; hidden > 0 {
		all = all[hidden:]
	} else {
		hidden = 0
	}
	out := make([]string, len(all))
	for i, l := range all {
		out[i] = clampLine(l)
		clamped = clamped || len(out[i]) != len(l)
	}
	return strings.Join(out, "\n"), hidden, clamped
}

// clampLine cuts a line after bangLineMax characters.
func clampLine(line string) string {
	if len(line) <= bangLineMax {
		return line
	}
	n, at := 0, 0
	for g := displaywidth.StringGraphemes(line); g.Next(); n++ {
		if n == bangLineMax {
			return line[:at] + "…"
		}
		at += len(g.Value())
	}
	return line
}

// bangResult returns the text that stays on the screen: the output, then what the output does not say. cut reports
// whether the view hides something, which Ctrl-O shows.
func (o ShellOptions) bangResult(r run.Result, cols int, expanded bool) (text string, cut bool) {
	p := o.Profile
	var b strings.Builder
	var notes [][]string
	if m := r.Details.Meta; m != nil {
		notes = append(notes, truncated(m.Truncation))
	}
	body, hidden, clamped := lastLines(r.Body, bangLines)
	keep := ToolOptions{Keep: o.Keep}
	if id, ok := "", false; !expanded && (hidden > 0 || clamped) {
		if id, ok = keep.keep(r); ok {
			cut = true
			if hidden > 0 {
				b.WriteString(p.above(hidden, r.Details.Meta, "Ctrl-O", cols))
			}
			if id != "" {
				notes = append(notes, []string{hiding(hidden, clamped), full(id)})
			}
		}
	}
	if !cut {
		body = r.Body
	}
	b.WriteString(harmless(body))
	if body != "" && !strings.HasSuffix(body, "\n") {
		b.WriteString("\n")
	}
	if e := ending(r); e != "" {
		took := elapsed(time.Duration(r.Details.DurationMs) * time.Millisecond)
		b.WriteString(p.bad() + " " + p.red(visible(e)) + p.dim(p.dot()+took) + "\n")
	}
	for _, n := range notes {
		p.note(&b, n, cols)
	}
	p.warnings(&b, r)
	return b.String(), cut
}

// hiding describes what a collapsed view leaves out.
func hiding(hidden int, clamped bool) string {
	switch {
	case hidden > 0 && clamped:
		return "The view shows the last 20 lines, cut at 4,000 characters"
	case clamped:
		return "The view cuts lines at 4,000 characters"
	}
	return "The view shows the last 20 lines"
}
