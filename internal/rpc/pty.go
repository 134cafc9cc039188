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

// PtyStart are the arguments of pty_start.
type PtyStart struct {
	Command  string            `json:"command"`
	Cwd      string            `json:"cwd,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	Timeout  *float64          `json:"timeout,omitempty"` // seconds; absent: the configured one
	Cols     int               `json:"cols,omitempty"`    // of the window; 0: 120, clamped to 20…400
	Rows     int               `json:"rows,omitempty"`    // 0: 40, clamped to 5…200
	MaxBytes int               `json:"maxBytes,omitempty"`
	Encoding string            `json:"encoding,omitempty"` // of output events: "utf8", which is the default, or "base64"
}

// PtyWrite are the arguments of pty_write: it types into the terminal of the pty_start with the id Target.
type PtyWrite struct {
	Target   json.RawMessage `json:"target"`
	Data     string          `json:"data,omitempty"`
	Encoding string          `json:"encoding,omitempty"` // of data: "utf8", which is the default, or "base64"
	End      bool            `json:"end,omitempty"`      // then the end of input
}

// PtyResize are the arguments of pty_resize.
type PtyResize struct {
	Target json.RawMessage `json:"target"`
	Cols   int             `json:"cols"` // clamped to 20…400
	Rows   int             `json:"rows"` // clamped to 5…200
}

// PtyKill are the arguments of pty_kill.
type PtyKill struct {
	Target json.RawMessage `json:"target"`
	Force  bool            `json:"force,omitempty"` // skip the grace period
}

// terminal is the pseudo-terminal of a pty_start. What is to be done to it before it is open waits, in order.
type terminal struct {
	*run.Terminal

	mu      sync.Mutex
	open    bool
	pending []func()
}

func (t *terminal) do(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open {
		f()
		return
	}
	t.pending = append(t.pending, f)
}

// enter does what waited: the terminal is open, or it is over without having been.
func (t *terminal) enter() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = true
	for _, f := range t.pending {
		f()
	}
	t.pending = nil
}

func (c *conn) ptyStart(ctx context.Context, k *command, line []byte) func() {
	var q PtyStart
	err := decode(line, &q)
	switch {
	case err != nil:
	case k.id == nil:
		err = errors.New("pty_start needs an id: the terminal goes by it")
	case q.Cols < 0 || q.Rows < 0:
		err = errors.New("cols and rows cannot be negative")
	default:
		err = toolcall.CheckEncoding(q.Encoding)
	}
	if err != nil {
		c.finish(k, TypePtyStart, nil, nil, err)
		return nil
	}
	t := &terminal{Terminal: run.NewTerminal()}
	k.terminal = t
	k.feed.terminal, k.feed.base64 = true, q.Encoding == toolcall.Base64
	a := Args{
		Args:   toolcall.Args{Command: q.Command, Cwd: q.Cwd, Env: q.Env, Timeout: q.Timeout, MaxBytes: q.MaxBytes, NoIntercept: true},
		Events: []string{eventStart},
	}
	call, err := a.call()
	call.Request.PTY = &run.PTY{Cols: q.Cols, Rows: q.Rows, Terminal: t.Terminal, Ready: t.enter, Output: k.feed.onText}
	return c.start(ctx, k, TypePtyStart, a, call, err, bashReply)
}

// ptyCall makes the handler of a request to a terminal with arguments of type T.
func ptyCall[T any](kind string, act func(*command, T) error) handler {
	return func(c *conn, _ context.Context, k *command, line []byte) func() {
		var at struct {
			Target json.RawMessage `json:"target"`
		}
		var q T
		err := decode(line, &q)
		var x *command
		if err == nil {
			_ = decode(line, &at)
			x, err = c.terminal(at.Target)
		}
		if err != nil {
			c.finish(k, kind, nil, nil, err)
			return nil
		}
		do := func() { c.finish(k, kind, nil, nil, act(x, q)) }
		if kind == TypePtyKill {
			do()
			return nil
		}
		x.terminal.do(do)
		return nil
	}
}

// terminal finds the pty_start with an id.
func (c *conn) terminal(target json.RawMessage) (*command, error) {
	id := jsonl.ID(target)
	if id == nil {
		return nil, errors.New("target is no id: want that of a pty_start")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.runs[string(id)]; k != nil && k.terminal != nil {
		return k, nil
	}
	return nil, coded{CodeNotFound, fmt.Errorf("no terminal with the id %s", id)}
}

func ptyWrite(k *command, q PtyWrite) error {
	data := []byte(q.Data)
	err := toolcall.CheckEncoding(q.Encoding)
	if q.Encoding == toolcall.Base64 {
		if data, err = base64.StdEncoding.DecodeString(q.Data); err != nil {
			err = fmt.Errorf("data: %w", err)
		}
	}
	if err == nil && len(data) > 0 {
		err = k.terminal.Write(data)
	}
	if err == nil && q.End {
		err = k.terminal.CloseInput()
	}
	return err
}

func ptyResize(k *command, q PtyResize) error {
	if q.Cols <= 0 || q.Rows <= 0 {
		return errors.New("pty_resize needs cols and rows, from 1 up")
	}
	return k.terminal.Resize(q.Cols, q.Rows)
}

func ptyKill(k *command, q PtyKill) error {
	k.abort(q.Force)
	return nil
}
