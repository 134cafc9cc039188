package rpc

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"pi/internal/jsonl"
	"pi/internal/run"
	"pi/internal/toolcall"
)

// PtyStart are the fields of pty_start.
type PtyStart struct {
	Command  string            `json:"command"`
	Cwd      string            `json:"cwd,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	Timeout  *float64          `json:"timeout,omitempty"` // seconds; absent: the configured timeout
	Cols     int               `json:"cols,omitempty"`    // of the window; 0: 120, clamped to 20…400
	Rows     int               `json:"rows,omitempty"`    // of the window; 0: 40, clamped to 5…200
	MaxBytes int               `json:"maxBytes,omitempty"`
	Encoding string            `json:"encoding,omitempty"` // of output events: "utf8", which is the default, or "base64"
}

// PtyWrite are the fields of pty_write, which types into the terminal of the pty_start with the id Target.
type PtyWrite struct {
	Target   json.RawMessage `json:"target"`
	Data     string          `json:"data,omitempty"`
	Encoding string          `json:"encoding,omitempty"` // of data: "utf8", which is the default, or "base64"
	End      bool            `json:"end,omitempty"`      // then type the end of input
}

// PtyResize are the fields of pty_resize.
type PtyResize struct {
	Target json.RawMessage `json:"target"`
	Cols   int             `json:"cols"` // clamped to 20…400
	Rows   int             `json:"rows"` // clamped to 5…200
}

// PtyKill are the fields of pty_kill.
type PtyKill struct {
	Target json.RawMessage `json:"target"`
	Force  bool            `json:"force,omitempty"` // skip the grace period
}

func (q PtyWrite) target() json.RawMessage  { return q.Target }
func (q PtyResize) target() json.RawMessage { return q.Target }
func (q PtyKill) target() json.RawMessage   { return q.Target }

// terminal is the pseudo-terminal of a pty_start. What clients do to it before it is open is done once it is, in order.
type terminal struct {
	*run.Terminal

	mu      sync.Mutex
	open    bool
	pending []func()
}

// do calls f now or, while the terminal is not open yet, later.
func (t *terminal) do(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open {
		f()
		return
	}
	t.pending = append(t.pending, f)
}

// setOpen does what is pending. It is also called for a command that ended without opening its terminal.
func (t *terminal) setOpen() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = true
	for _, f := range t.pending {
		f()
	}
	t.pending = nil
}

func (c *conn) ptyStart(ctx context.Context, r *inflight, q PtyStart) (func(), error) {
	switch {
	case r.id == nil:
		return nil, errors.New("pty_start needs an id: the terminal goes by it")
	case q.Cols < 0 || q.Rows < 0:
		return nil, errors.New("cols and rows cannot be negative")
	}
	if err := toolcall.CheckEncoding(q.Encoding); err != nil {
		return nil, err
	}
	call, err := toolcall.Args{Command: q.Command, Cwd: q.Cwd, Env: q.Env, Timeout: q.Timeout, MaxBytes: q.MaxBytes, NoIntercept: true}.Call()
	if err != nil {
		return nil, err
	}
	t := &terminal{Terminal: run.NewTerminal()}
	r.terminal = t
	r.events.terminal, r.events.base64 = true, q.Encoding == toolcall.Base64
	call.Request.PTY = &run.PTY{Cols: q.Cols, Rows: q.Rows, Terminal: t.Terminal, Ready: t.setOpen, Output: r.events.onText}
	return c.start(ctx, r, call, []string{eventStart}, bashReply), nil
}

// onTerminal returns the handler of a request to a terminal, whose fields are T.
func onTerminal[T interface{ target() json.RawMessage }](act func(*inflight, T) error) handler {
	return decoded(func(c *conn, _ context.Context, r *inflight, q T) (func(), error) {
		x, err := c.terminal(q.target())
		if err != nil {
			return nil, err
		}
		do := func() { c.finish(r, nil, nil, act(x, q)) }
		if r.kind.class == quick {
			do()
			return nil, nil
		}
		x.terminal.do(do)
		return nil, nil
	})
}

// terminal finds the pty_start with an id.
func (c *conn) terminal(target json.RawMessage) (*inflight, error) {
	id := jsonl.ID(target)
	if id == nil {
		return nil, errors.New("target is no id: want that of a pty_start")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.requests[string(id)]; r != nil && r.terminal != nil {
		return r, nil
	}
	return nil, codedError{CodeNotFound, fmt.Errorf("no terminal with the id %s", id)}
}

func ptyWrite(r *inflight, q PtyWrite) error {
	data := []byte(q.Data)
	err := toolcall.CheckEncoding(q.Encoding)
	if q.Encoding == toolcall.Base64 {
		if data, err = base64.StdEncoding.DecodeString(q.Data); err != nil {
			err = fmt.Errorf("data: %w", err)
		}
	}
	if err == nil && len(data) > 0 {
		err = r.terminal.Write(data)
	}
	if err == nil && q.End {
		err = r.terminal.CloseInput()
	}
	return err
}

func ptyResize(r *inflight, q PtyResize) error {
	if q.Cols <= 0 || q.Rows <= 0 {
		return errors.New("pty_resize needs cols and rows, from 1 up")
	}
	return r.terminal.Resize(q.Cols, q.Rows)
}

func ptyKill(r *inflight, q PtyKill) error {
	r.abort(q.Force)
	return nil
}
