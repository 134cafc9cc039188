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

// envelope is what every request has. The other fields are decoded once the type is known.
type envelope struct {
	ID   json.RawMessage `json:"id"`
	Type string          `json:"type"`
}

// handle answers one line, or returns the work that it takes.
func (c *conn) handle(ctx context.Context, line []byte) (work func()) {
	if !utf8.Valid(line) {
		c.refuse(nil, "", errors.New("line is not valid UTF-8"))
		return nil
	}
	var e envelope
	if err := json.Unmarshal(line, &e); err != nil {
		c.refuse(jsonl.ID(e.ID), e.Type, notJSON(err))
		return nil
	}
	id := jsonl.ID(e.ID)
	if id == nil && len(e.ID) > 0 && string(e.ID) != "null" {
		c.refuse(nil, e.Type, fmt.Errorf("id must be a string or a number of at most %d bytes", jsonl.MaxID))
		return nil
	}
	kind, known := c.server.types[e.Type]
	if !known {
		c.refuse(id, e.Type, unknownType(e.Type))
		return nil
	}
	r := &inflight{id: id, kind: kind, force: make(chan struct{}), events: &eventQueue{conn: c, out: c.out}}
	var rctx context.Context
	rctx, r.cancel = context.WithCancel(ctx)
	if err := c.enter(r); err != nil {
		r.cancel()
		c.refuse(id, e.Type, err)
		return nil
	}
	work, err := kind.handle(c, rctx, r, line)
	if err != nil {
		c.finish(r, nil, nil, err)
		return nil
	}
	return work
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

// enter records a request as in flight.
func (c *conn) enter(r *inflight) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit := maxRuns
	if r.kind.class != command {
		limit += maxOthers
	}
	switch _, taken := c.requests[string(r.id)]; {
	case c.ending:
		return errors.New("the server is going down")
	case taken:
		return fmt.Errorf("id %s is taken by a request that is still under way", r.id)
	case r.kind.class != quick && len(c.requests)+len(c.noID) >= limit:
		return fmt.Errorf("%d requests are under way already", limit)
	case r.id == nil:
		c.noID = append(c.noID, r)
	default:
		c.requests[string(r.id)] = r
	}
	c.busy.Add(1)
	return nil
}

// leave removes a request before its reply is sent: a client that has read the reply may use the id again.
func (c *conn) leave(r *inflight) {
	r.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.id != nil {
		delete(c.requests, string(r.id))
		return
	}
	for i, x := range c.noID {
		if x == r {
			c.noID = append(c.noID[:i], c.noID[i+1:]...)
			return
		}
	}
}

// others lists the requests in flight except r.
func (c *conn) others(r *inflight) (list []*inflight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.requests {
		if x != r {
			list = append(list, x)
		}
	}
	for _, x := range c.noID {
		if x != r {
			list = append(list, x)
		}
	}
	return list
}

// finish ends a request with its reply.
func (c *conn) finish(r *inflight, data any, shape *Shape, err error) {
	c.leave(r)
	switch {
	case err != nil:
		c.refuse(r.id, r.kind.name, err)
	case r.kind.class == quick:
		c.out.Urgent(r.reply(data, nil))
	default:
		c.out.Reply(r.reply(data, shape))
	}
	c.busy.Done()
}

// finishLarge is [conn.finish] for replies of some size: it waits while the client has too much to read, and the request
// stays in flight until then.
func (c *conn) finishLarge(r *inflight, data any, shape *Shape, err error) {
	c.out.WaitWhile(func() bool { return c.out.Pending() > maxResults && !c.gone })
	if err != nil {
		c.finish(r, nil, nil, err)
		return
	}
	c.leave(r)
	write := c.out.ReplySelf(r.reply(data, shape))
	c.busy.Done() // before the write, which a client that does not read may block
	if write != nil {
		write()
	}
}

func (r *inflight) reply(data any, shape *Shape) reply {
	return reply{ID: r.id, Type: typeReply, Command: r.kind.name, Success: true, Data: data, Shape: shape}
}

// refuse sends an error reply.
func (c *conn) refuse(id json.RawMessage, command string, err error) {
	var code codedError
	_ = errors.As(err, &code)
	c.out.Reply(reply{ID: id, Type: typeReply, Command: command, Error: err.Error(), Code: code.code})
}

// codedError is an error that programs tell apart by its code.
type codedError struct {
	code string
	error
}
