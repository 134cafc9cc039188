package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"pi/internal/jsonl"
	"pi/internal/run"
)

// wire is a request as it comes in. Arguments are looked at when the type is known.
type wire struct {
	ID   json.RawMessage `json:"id"`
	Type string          `json:"type"`
}

// reply is the answer to a request.
type reply struct {
	ID      json.RawMessage `json:"id"` // null when the request had none, or none that could be read
	Type    string          `json:"type"`
	Command string          `json:"command"`
	Success bool            `json:"success"`
	Data    any             `json:"data,omitempty"`
	Shape   *Shape          `json:"shape,omitempty"`
	Error   string          `json:"error,omitempty"`
	Code    string          `json:"code,omitempty"`
}

func (c *conn) refuse(id json.RawMessage, command string, err error) {
	c.out.Reply(reply{ID: id, Type: typeReply, Command: command, Error: err.Error(), Code: codeOf(err)})
}

// coded is an error that programs tell apart.
type coded struct {
	code string
	error
}

func codeOf(err error) string {
	var e coded
	if errors.As(err, &e) {
		return e.code
	}
	return ""
}

// handle answers one line, or gives the work that it takes.
func (c *conn) handle(ctx context.Context, line []byte) (work func()) {
	if !utf8.Valid(line) {
		c.refuse(nil, "", errors.New("line is not valid UTF-8"))
		return nil
	}
	var w wire
	if err := json.Unmarshal(line, &w); err != nil {
		c.refuse(jsonl.ID(w.ID), w.Type, notJSON(err))
		return nil
	}
	id := jsonl.ID(w.ID)
	if id == nil && len(w.ID) > 0 && string(w.ID) != "null" {
		c.refuse(nil, w.Type, fmt.Errorf("id must be a string or a number of at most %d bytes", jsonl.MaxID))
		return nil
	}
	handler, known := c.server.handlers[w.Type]
	if !known {
		c.refuse(id, w.Type, unknownType(w.Type))
		return nil
	}
	k := &command{id: id, run: isRun(w.Type), slow: !isQuick(w.Type), force: make(chan struct{}), feed: &feed{conn: c, out: c.out}}
	var rctx context.Context
	rctx, k.cancel = context.WithCancel(ctx)
	if err := c.enter(k); err != nil {
		k.cancel()
		c.refuse(id, w.Type, err)
		return nil
	}
	return handler(c, rctx, k, line)
}

func notJSON(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("line is not valid JSON: %w (at byte %d)", err, syntax.Offset)
	}
	return fmt.Errorf("line is no request: %w", cmp.Or(jsonl.Misfit(err, "it"), err))
}

func unknownType(name string) error {
	if name == "" {
		return errors.New("request has no type")
	}
	return fmt.Errorf("unknown request type %q", run.Clip(name, 60))
}

// enter takes a request down as under way.
func (c *conn) enter(k *command) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit := maxRuns
	if !k.run {
		limit += maxOthers
	}
	switch _, taken := c.runs[string(k.id)]; {
	case c.ending:
		return errors.New("the server is going down")
	case taken:
		return fmt.Errorf("id %s is taken by a request that is still under way", k.id)
	case k.slow && len(c.runs)+len(c.anon) >= limit:
		return fmt.Errorf("%d requests are under way already", limit)
	case k.id == nil:
		c.anon = append(c.anon, k)
	default:
		c.runs[string(k.id)] = k
	}
	c.busy.Add(1)
	return nil
}

// isQuick tells the requests that are answered at once, also while there are too many others.
func isQuick(kind string) bool {
	return kind == TypeAbort || kind == TypeHello || kind == TypeShutdown || kind == TypePtyKill
}

func isRun(kind string) bool { return kind == TypeBash || kind == TypeToolCall || kind == TypePtyStart }

// leave comes before the reply: whoever has read that may use the id again.
func (c *conn) leave(k *command) {
	k.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.id != nil {
		delete(c.runs, string(k.id))
		return
	}
	for i, x := range c.anon {
		if x == k {
			c.anon = append(c.anon[:i], c.anon[i+1:]...)
			return
		}
	}
}

// finish ends a request with its reply.
func (c *conn) finish(k *command, kind string, data any, shape *Shape, err error) {
	c.leave(k)
	switch {
	case err != nil:
		c.refuse(k.id, kind, err)
	case isQuick(kind):
		c.out.Urgent(reply{ID: k.id, Type: typeReply, Command: kind, Success: true, Data: data})
	default:
		c.out.Reply(reply{ID: k.id, Type: typeReply, Command: kind, Success: true, Data: data, Shape: shape})
	}
	c.busy.Done()
}

// finishLarge is finish for replies of some size, which may wait for the client to read; the request is under way
// until then. Who calls it may have to wait for the client.
func (c *conn) finishLarge(k *command, kind string, data any, shape *Shape, err error) {
	c.out.WaitWhile(func() bool { return c.out.Pending() > maxResults && !c.over })
	if err != nil {
		c.finish(k, kind, nil, nil, err)
		return
	}
	c.leave(k)
	write := c.out.ReplySelf(reply{ID: k.id, Type: typeReply, Command: kind, Success: true, Data: data, Shape: shape})
	c.busy.Done() // nobody waits for a client that does not read
	if write != nil {
		write()
	}
}
