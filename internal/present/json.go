package present

import (
	"context"
	"encoding/json"
	"io"
	"sync"

	"pi/internal/run"
	"pi/internal/sink"
)

// WriteResult writes r to w in the JSON format named, as the only or the last object of a run.
func WriteResult(w io.Writer, format string, r run.Result) error {
	if format == FormatEvents {
		return WriteError(encode(w, resultEvent{"result", r}))
	}
	return WriteError(encode(w, r))
}

// encode writes one JSON value and a newline. U+2028 and U+2029 are escaped for readers that split lines there.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// jsonPresenter prints the result as one JSON object on one line.
type jsonPresenter struct{ out io.Writer }

func (*jsonPresenter) Prepare(*run.Request) {}

func (p *jsonPresenter) Finish(r run.Result) error { return WriteResult(p.out, FormatJSON, r) }

// eventPresenter prints one JSON object a line: start, update…, result.
type eventPresenter struct {
	mu     sync.Mutex
	out    io.Writer
	cancel context.CancelCauseFunc
}

type startEvent struct {
	Type           string  `json:"type"`
	Command        string  `json:"command"`
	Cwd            string  `json:"cwd"`
	TimeoutSeconds float64 `json:"timeoutSeconds"`
}

type updateEvent struct {
	Type       string `json:"type"`
	Text       string `json:"text"` // the bounded tail so far
	TotalLines int64  `json:"totalLines"`
	TotalBytes int64  `json:"totalBytes"`
}

type resultEvent struct {
	Type string `json:"type"`
	run.Result
}

func (p *eventPresenter) Prepare(q *run.Request) {
	q.Live = run.Live{
		Start: func(d run.Details) {
			_ = p.emit(startEvent{"start", d.Command, d.Cwd, d.TimeoutSeconds})
		},
		Update: func(s sink.Snapshot) {
			_ = p.emit(updateEvent{"update", s.Text, s.TotalLines, s.TotalBytes})
		},
	}
}

func (p *eventPresenter) Finish(r run.Result) error {
	return WriteError(p.emit(resultEvent{"result", r}))
}

func (p *eventPresenter) emit(v any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := encode(p.out, v)
	if err != nil {
		p.cancel(ErrOutputClosed)
	}
	return err
}
