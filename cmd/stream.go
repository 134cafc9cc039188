package cmd

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"pi/internal/run"
)

// streamDoor passes the text on as it comes, unbounded. The sink commits whole lines; the unfinished current line is
// shown at once all the same, so that a question or a progress display is seen. On a terminal a line that changes is
// drawn over itself; elsewhere what was printed stays, and the final form of a line that changed follows on a new line.
type streamDoor struct {
	env      *Env
	ink      ink
	terminal bool
	gone     context.CancelCauseFunc
	shown    []byte // what is printed of the current line
	err      error  // of the first failed write; nothing is written after it
}

// maxUnfinished bounds, in bytes, the unfinished line that is shown before its end; longer ones wait for it.
const maxUnfinished = 4 << 10

func (d *streamDoor) live() run.Live { return run.Live{Text: d.text, Held: d.held} }

// text prints committed text, of which the beginning may be on the screen already.
func (d *streamDoor) text(p []byte) {
	if len(d.shown) > 0 {
		p = d.resume(p)
		d.shown = d.shown[:0]
	}
	d.write(p)
}

// resume gives what is left to print of p after shown.
func (d *streamDoor) resume(p []byte) []byte {
	if rest, ok := bytes.CutPrefix(p, d.shown); ok {
		return rest
	}
	d.restart()
	return p
}

// restart makes room for another form of the current line.
func (d *streamDoor) restart() {
	if d.terminal {
		d.write([]byte("\r\x1b[K"))
		return
	}
	d.write([]byte("\n"))
}

// held prints what is new of the unfinished line. A line that was overwritten is drawn anew only on a terminal.
func (d *streamDoor) held(line []byte) {
	if len(line) > maxUnfinished {
		return
	}
	rest, grown := bytes.CutPrefix(line, d.shown)
	switch {
	case grown:
		d.write(rest)
	case d.terminal:
		d.restart()
		d.write(line)
	default:
		return
	}
	d.shown = append(d.shown[:0], line...)
}

func (d *streamDoor) write(p []byte) {
	if d.err != nil || len(p) == 0 {
		return
	}
	if _, d.err = d.env.Stdout.Write(p); d.err != nil {
		d.gone(errReaderGone)
	}
}

func (d *streamDoor) finish(r run.Result) error {
	if d.terminal && r.Body != "" && r.Body[len(r.Body)-1] != '\n' {
		_, _ = io.WriteString(d.env.Stdout, "\n")
	}
	if m := r.Details.Meta; m != nil {
		r.Notices[0] = fullOutput(m.Truncation) // nothing was cut from what was printed
	}
	notices(d.env.Stderr, d.ink, r)
	return written(d.err)
}

func fullOutput(t run.Truncation) string {
	if t.ArtifactID == nil {
		return fmt.Sprintf("[%d lines]", t.TotalLines)
	}
	return fmt.Sprintf("[%d lines. Full output: artifact://%s]", t.TotalLines, *t.ArtifactID)
}
