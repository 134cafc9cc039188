package present

import (
	"bytes"
	"fmt"
	"io"

	"pi/internal/run"
)

// streamPresenter passes the text on as it comes, without a bound. The sink commits whole lines; the unfinished current
// line is printed at once all the same, so that a prompt or a progress display is seen. On a terminal a changed line is
// redrawn in place; elsewhere what was printed stays, and the final form of the line follows on a new one.
type streamPresenter struct {
	Output
	inPlace bool
	shown   []byte // what is printed of the current line
	err     error  // of the first failed write; nothing is written after it
}

// maxUnfinished bounds, in bytes, an unfinished line that is printed early. Longer ones wait for their end.
const maxUnfinished = 4 << 10

// Prepare leaves a trailing `| head` to the shell: limits cannot be applied to text that is already printed.
func (p *streamPresenter) Prepare(q *run.Request) {
	q.NoNormalize = true
	q.Live = run.Live{Text: p.text, Partial: p.partial}
	if q.PTY != nil {
		q.PTY.Text = run.PTYStream
	}
}

// text prints committed text, whose beginning may have been printed already.
func (p *streamPresenter) text(b []byte) {
	if len(p.shown) > 0 {
		rest, grown := bytes.CutPrefix(b, p.shown)
		if !grown {
			p.restart()
		}
		b, p.shown = rest, p.shown[:0]
	}
	p.write(b)
}

// restart makes room for another form of the current line.
func (p *streamPresenter) restart() {
	if p.inPlace {
		p.write([]byte("\r\x1b[K"))
		return
	}
	p.write([]byte("\n"))
}

// partial prints what is new in the unfinished line. A line that was overwritten is redrawn only in place.
func (p *streamPresenter) partial(line []byte) {
	if len(line) > maxUnfinished {
		return
	}
	rest, grown := bytes.CutPrefix(line, p.shown)
	switch {
	case grown:
		p.write(rest)
	case p.inPlace:
		p.restart()
		p.write(line)
	default:
		return
	}
	p.shown = append(p.shown[:0], line...)
}

func (p *streamPresenter) write(b []byte) {
	if p.err != nil || len(b) == 0 {
		return
	}
	if _, p.err = p.Out.Write(b); p.err != nil {
		p.Cancel(ErrOutputClosed)
	}
}

func (p *streamPresenter) Finish(r run.Result) error {
	if p.inPlace && r.Body != "" && r.Body[len(r.Body)-1] != '\n' {
		_, _ = io.WriteString(p.Out, "\n")
	}
	if m := r.Details.Meta; m != nil {
		r.Notices[0] = fullOutput(m.Truncation) // the stream left nothing out
	}
	p.notices(r)
	return WriteError(p.err)
}

func fullOutput(t run.Truncation) string {
	if t.ArtifactID == nil {
		return fmt.Sprintf("[%d lines]", t.TotalLines)
	}
	return fmt.Sprintf("[%d lines. Full output: artifact://%s]", t.TotalLines, *t.ArtifactID)
}
