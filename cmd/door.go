package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"

	"pi/internal/run"
	"pi/internal/sink"
)

// A door is the way out of a result and, for some, of what happens before it.
type door interface {
	live() run.Live
	finish(run.Result) error
}

// jsonDoor prints the result as one JSON object on one line.
type jsonDoor struct{ w io.Writer }

func (*jsonDoor) live() run.Live { return run.Live{} }

func (d *jsonDoor) finish(r run.Result) error { return written(encode(d.w, r)) }

// encode writes one JSON value and a newline. U+2028 and U+2029 are escaped, so that readers which split there live.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// written judges a write to standard output: a reader that has seen enough is no fault.
func written(err error) error {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return fmt.Errorf("write the result: %w", err)
}

// eventDoor prints one JSON object a line: start, update…, result.
type eventDoor struct {
	mu   sync.Mutex
	w    io.Writer
	gone context.CancelCauseFunc
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

func (d *eventDoor) live() run.Live {
	return run.Live{
		Start: func(x run.Details) {
			_ = d.emit(startEvent{"start", x.Command, x.Cwd, x.TimeoutSeconds})
		},
		Update: func(s sink.Snapshot) {
			_ = d.emit(updateEvent{"update", s.Text, s.TotalLines, s.TotalBytes})
		},
	}
}

func (d *eventDoor) finish(r run.Result) error { return written(d.emit(resultEvent{"result", r})) }

func (d *eventDoor) emit(v any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := encode(d.w, v)
	if err != nil {
		d.gone(errReaderGone)
	}
	return err
}
