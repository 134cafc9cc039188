package rpc

import (
	"context"
	"errors"
	"sync"
	"time"

	"pi/internal/jsonl"
	"pi/internal/run"
)

func (c *conn) hello(_ context.Context, r *inflight, _ []byte) (func(), error) {
	c.finish(r, c.server.about(), nil, nil)
	return nil, nil
}

// abort terminates one command of this client, those of a session, or all. The reply does not wait for them to end.
func (c *conn) abort(_ context.Context, r *inflight, q Abort) (func(), error) {
	byID := len(q.Target) > 0 && string(q.Target) != "null"
	target := jsonl.ID(q.Target)
	switch {
	case byID && target == nil:
		return nil, errors.New("target is no id: want a string or a number")
	case byID && q.Session != nil:
		return nil, errors.New("abort_bash takes a target or a session, not both")
	}
	n := 0
	for _, x := range c.others(r) {
		switch {
		case x.kind.class != command,
			byID && string(x.id) != string(target),
			!byID && x.terminal != nil, // a terminal is aborted by its id only
			q.Session != nil && c.sessionOf(x) != *q.Session:
			continue
		}
		x.abort(q.Force)
		n++
	}
	c.finish(r, Aborted{n}, nil, nil)
	return nil, nil
}

func (c *conn) sessionOf(r *inflight) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return r.session
}

func (c *conn) sessions(_ context.Context, r *inflight, _ []byte) (func(), error) {
	return func() {
		list := c.server.opt.Engine.Sessions()
		if list == nil {
			list = []run.SessionInfo{}
		}
		c.finishLarge(r, SessionList{list}, nil, nil)
	}, nil
}

func (c *conn) sessionClose(_ context.Context, r *inflight, q SessionClose) (func(), error) {
	if q.Session == "" {
		return nil, errors.New("session_close needs a session")
	}
	return func() {
		c.active(1)
		closed := c.server.opt.Engine.CloseSession(q.Session)
		c.active(-1)
		c.finish(r, Closed{closed}, nil, nil)
	}, nil
}

// shutdown closes every session, with what runs in it, before it answers; then the server is down.
func (c *conn) shutdown(_ context.Context, r *inflight, _ []byte) (func(), error) {
	return func() {
		c.server.opt.Engine.Close()
		c.finish(r, nil, nil, nil)
		c.server.once.Do(func() { close(c.server.down) })
	}, nil
}

// queue keeps the commands for one session in the order in which they came, although each has a goroutine of its own:
// wait returns when the command before has its turn or is over, begun lets the next one go on.
func (c *conn) queue(session string) (wait func(context.Context, time.Duration), begun func()) {
	if session == "" {
		return func(context.Context, time.Duration) {}, func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	before, mine := c.last[session], make(chan struct{})
	c.last[session] = mine
	wait = func(ctx context.Context, limit time.Duration) {
		if before == nil {
			return
		}
		timer := time.NewTimer(limit)
		defer timer.Stop()
		select {
		case <-before:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return wait, sync.OnceFunc(func() {
		close(mine)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.last[session] == mine {
			delete(c.last, session)
		}
	})
}
