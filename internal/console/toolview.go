package console

import (
	"strings"
	"sync"
	"time"

	"pi/internal/run"
	"pi/internal/sink"
)

// toolRows is the number of visual rows of output in the collapsed view of a tool call.
const toolRows = 10

// commandRows bounds the visual rows of a command in a view.
const commandRows = 3

// ToolOptions configure a [ToolView].
type ToolOptions struct {
	Profile  Profile
	Expanded bool // show the full text of the result
	// Resized has an item when the terminal may have been resized. It may be nil.
	Resized <-chan struct{}
	// Keep saves the text of a result that the view does not show in full, and returns the artifact's id. Without
	// it, or after an error, the view shows the full text.
	Keep func(run.Result) (id string, err error)
}

// ToolView shows one tool call on a terminal: while it runs the end of its output, drawn in place, then its result,
// printed to stay. Create one with [NewToolView]. Its methods may be called from several goroutines.
type ToolView struct {
	screen Screen
	opt    ToolOptions
	*liveView

	mu    sync.Mutex
	call  run.Details
	began time.Time
	state sink.Snapshot
}

// NewToolView creates a view with nothing to show yet.
func NewToolView(s Screen, o ToolOptions) *ToolView {
	v := &ToolView{screen: s, opt: o}
	v.liveView = newLiveView(s, o.Resized, v.frame)
	return v
}

// Start shows a call. It handles a run's Start event.
func (v *ToolView) Start(d run.Details) {
	v.mu.Lock()
	v.call, v.began = d, time.Now()
	v.mu.Unlock()
	if !v.opt.Profile.Dumb {
		v.liveView.start()
	}
}

// Update shows the output so far. It handles a run's Update event.
func (v *ToolView) Update(s sink.Snapshot) {
	v.mu.Lock()
	v.state = s
	v.mu.Unlock()
	v.touch()
}

// Finish erases the running view and prints the result.
func (v *ToolView) Finish(r run.Result) error {
	v.stop()
	cols, _ := v.screen.Size()
	_, err := v.screen.Write([]byte(v.opt.result(r, cols)))
	if err == nil {
		err = v.err()
	}
	return err
}

func (v *ToolView) frame(cols, rows int, now time.Time) []row {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.opt.Profile
	parts := []string{ticking(now.Sub(v.began)), count(v.state.TotalLines, "line"), "Timeout: " + seconds(v.call.TimeoutSeconds), "Ctrl-C cancels"}
	out := p.command(v.call.Command, cols, min(commandRows, max(1, rows-4)))
	for _, s := range lastRows(trimBlank(v.state.Text), cols, max(0, min(toolRows, rows-len(out)-2))).rows {
		out = append(out, plainRow(s))
	}
	foot := fit(p.flow(parts, cols-2)[0], cols-2, "")
	return append(out, row{p.running() + " " + p.dim(foot), 2 + width(foot)})
}

// command shows shell text after a dollar sign, in at most n rows.
func (p Profile) command(text string, cols, n int) []row {
	var out []row
	for i, line := range lines(visible(strings.TrimSpace(text))) {
		lead := "$ "
		if i > 0 {
			lead = "  "
		}
		for j, s := range wrap(line, max(1, cols-2)) {
			if j > 0 {
				lead = "  "
			}
			if len(out) == n {
				last := &out[n-1]
				s := fit(last.plain()+p.ellipsis(), cols, p.ellipsis())
				*last = row{p.bold(s), width(s)}
				return out
			}
			s = fit(lead+s, cols, "")
			out = append(out, row{p.bold(s), width(s)})
		}
	}
	return out
}

// plain returns a row's text without SGR sequences.
func (r row) plain() string {
	s := r.text
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return s
		}
		s = s[:i] + s[i+strings.IndexByte(s[i:], 'm')+1:]
	}
}

// result returns what stays on the screen: the command, its output, how it ended, and what was left out.
func (o ToolOptions) result(r run.Result, cols int) string {
	p := o.Profile
	var b strings.Builder
	printRows(&b, p.command(r.Details.Command, cols, 1<<20))
	body, cuts := o.body(r, cols)
	b.WriteString(body)
	foot := footer(r)
	for i, s := range p.flow(foot, cols-2) {
		lead := "  "
		if i == 0 {
			lead = p.mark(r.Details.Status) + " "
		}
		if i == 0 && r.Details.Status != run.OK {
			head, rest := s, ""
			if n := len(foot[0]); n <= len(s) {
				head, rest = s[:n], s[n:]
			}
			b.WriteString(lead + p.red(head) + p.dim(rest) + "\n")
			continue
		}
		b.WriteString(lead + p.dim(s) + "\n")
	}
	for _, c := range cuts {
		p.note(&b, c, cols)
	}
	p.warnings(&b, r)
	return b.String()
}

// footer returns how the run ended, how long it took, how much it printed, and its timeout.
func footer(r run.Result) []string {
	d := r.Details
	var parts []string
	if e := ending(r); e != "" {
		parts = append(parts, e)
	}
	return append(parts, elapsed(time.Duration(d.DurationMs)*time.Millisecond), printed(r), "Timeout: "+seconds(d.TimeoutSeconds))
}

// printed returns the size of the full output.
func printed(r run.Result) string {
	switch {
	case r.Details.Meta != nil:
		return count(r.Details.Meta.Truncation.TotalLines, "line")
	case r.Body == "":
		return "no output"
	}
	return count(int64(len(lines(r.Body))), "line")
}

// body returns the text to show, and a line for each omission.
func (o ToolOptions) body(r run.Result, cols int) (text string, cuts [][]string) {
	if m := r.Details.Meta; m != nil {
		cuts = append(cuts, truncated(m.Truncation))
	}
	text = harmless(r.Body)
	if lastRows(r.Body, cols, toolRows).cut && !o.Expanded {
		if id, ok := o.keep(r); ok {
			e, why := lastRows(trimBlank(r.Body), cols, toolRows), "The view leaves out blank rows at the end"
			text = strings.Join(e.rows, "\n")
			if e.cut {
				text = o.Profile.above(e.hidden, r.Details.Meta, "--expanded", cols) + text
				why = "The view shows the last " + count(toolRows, "row")
			}
			if id != "" {
				cuts = append(cuts, []string{why, full(id)})
			}
		}
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text, cuts
}

// keep ensures that a text not shown in full is saved. The id is empty if another line names it.
func (o ToolOptions) keep(r run.Result) (id string, ok bool) {
	if m := r.Details.Meta; m != nil {
		return "", m.Truncation.ArtifactID != nil
	}
	if o.Keep == nil {
		return "", false
	}
	id, err := o.Keep(r)
	return id, err == nil
}

// printRows prints rows as permanent lines.
func printRows(b *strings.Builder, rows []row) {
	for _, r := range rows {
		b.WriteString(r.text + "\n")
	}
}
