package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"pi/internal/jsonl"
	"pi/internal/run"
	"pi/internal/toolcall"
)

// A handler answers one request. What takes time is returned, to be done by whoever does not read; nil: the request is
// answered, or will be.
type handler func(c *conn, ctx context.Context, k *command, line []byte) (work func())

// handlers lists them by type of request.
func handlers() map[string]handler {
	return map[string]handler{
		TypeHello:        (*conn).hello,
		TypeBash:         (*conn).bash,
		TypeToolCall:     (*conn).toolCall,
		TypeAbort:        (*conn).abort,
		TypeSessions:     (*conn).sessions,
		TypeSessionClose: (*conn).sessionClose,
		TypePtyStart:     (*conn).ptyStart,
		TypePtyWrite:     ptyCall(TypePtyWrite, ptyWrite),
		TypePtyResize:    ptyCall(TypePtyResize, ptyResize),
		TypePtyKill:      ptyCall(TypePtyKill, ptyKill),
		TypeArtifactRead: (*conn).artifactRead,
		TypeShutdown:     (*conn).shutdown,
	}
}

func (c *conn) hello(_ context.Context, k *command, _ []byte) func() {
	c.finish(k, TypeHello, c.server.about(), nil, nil)
	return nil
}

// bash runs a command for the user: no rule is asked, and the answer is counts instead of a tool's text. Without a
// session it runs in the default one, or beside that while it is busy.
func (c *conn) bash(ctx context.Context, k *command, line []byte) func() {
	var a Args
	if err := decode(line, &a); err != nil {
		c.finish(k, TypeBash, nil, nil, err)
		return nil
	}
	a.NoIntercept = true
	if a.Events == nil {
		a.Events = []string{}
	}
	call, err := a.call()
	if call.Session == "" {
		call.Session = c.server.opt.DefaultSession
		if !a.NoWait {
			call.Busy = run.BusyOneShot
		}
	}
	return c.start(ctx, k, TypeBash, a, call, err, bashReply)
}

// bashReply makes the answer of a user's command; one that could not be run is an error.
func bashReply(r run.Result) (any, *Shape, error) {
	if r.Details.Status == run.Error {
		return nil, nil, errors.New(strings.Join(r.Notices, "\n"))
	}
	return bashResult(r), nil, nil
}

// toolCall runs a command for an agent.
func (c *conn) toolCall(ctx context.Context, k *command, line []byte) func() {
	var q struct {
		ToolCall
		Args json.RawMessage `json:"args"`
	}
	a, err := Args{}, decode(line, &q)
	switch {
	case err != nil:
	case q.Build != "" && q.Build != c.server.opt.Build:
		err = coded{CodeVersion, fmt.Errorf("this is pi %s, not %s", c.server.opt.Build, q.Build)}
	case q.Tool != "bash":
		err = fmt.Errorf("unknown tool %q; there is bash", q.Tool)
	case len(q.Args) == 0:
		err = errors.New("tool_call needs args")
	default:
		err = decode(q.Args, &a)
	}
	if err != nil {
		c.finish(k, TypeToolCall, nil, nil, err)
		return nil
	}
	call, err := a.call()
	return c.start(ctx, k, TypeToolCall, a, call, err, func(r run.Result) (any, *Shape, error) {
		if !a.Shape {
			return r, nil, nil
		}
		return r, &Shape{len(r.Body), r.Notices}, nil
	})
}

// start gives the work of running a command and sending what shaped makes of its result.
func (c *conn) start(ctx context.Context, k *command, kind string, a Args, call toolcall.Call, err error, shaped func(run.Result) (any, *Shape, error)) func() {
	if err != nil {
		c.finish(k, kind, nil, nil, err)
		return nil
	}
	c.mu.Lock()
	k.session = call.Session
	c.mu.Unlock()
	wait, begin := c.queue(call.Session)
	k.feed.want(k.id, a.Events)
	k.feed.begin = begin
	call.Request.Live, call.Request.Hurry, call.Request.Since = k.feed.live(), k.force, time.Now()
	weight := cmp.Or(a.MaxBytes, c.server.opt.MaxBytes, defaultShown)
	return func() {
		wait(ctx, run.TimeoutOf(call.Request, cmp.Or(c.server.opt.Timeout, run.MaxTimeout)))
		defer c.claim(ctx, weight)()
		c.active(1)
		r, err := c.server.opt.Engine.Run(ctx, call)
		c.active(-1)
		begin()
		k.feed.done()
		if k.terminal != nil {
			k.terminal.enter()
		}
		if err != nil {
			c.finish(k, kind, nil, nil, err)
			return
		}
		if a.Pty {
			r.Details.Warnings = append(r.Details.Warnings, noTerminal)
		}
		data, shape, err := shaped(r)
		c.finishLarge(k, kind, data, shape, err)
	}
}

// claim waits until the commands under way leave room for an answer of so many bytes.
func (c *conn) claim(ctx context.Context, bytes int) (giveBack func()) {
	c.out.WaitWhile(func() bool { return c.shown > 0 && c.shown+bytes > maxShown && ctx.Err() == nil })
	c.out.Do(func() { c.shown += bytes })
	return func() { c.out.Do(func() { c.shown -= bytes }) }
}

// queue keeps commands for one session in the order in which they came, while each has a goroutine of its own: wait
// returns when the one before has its turn or is over, begin lets the next one on.
func (c *conn) queue(session string) (wait func(context.Context, time.Duration), begin func()) {
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

// noTerminal is the warning for commands that asked for a terminal: here is none to show it on.
const noTerminal = "pty: there is no terminal here, so the command ran without one; pty_start gives it one"

func (c *conn) active(delta int) {
	if c.server.opt.Active != nil {
		c.server.opt.Active(delta)
	}
}

func bashResult(r run.Result) BashResult {
	d := r.Details
	lines := int64(strings.Count(r.Body, "\n"))
	if r.Body != "" && !strings.HasSuffix(r.Body, "\n") {
		lines++
	}
	b := BashResult{
		Output: r.Body, ExitCode: d.ExitCode, Cancelled: d.Cancelled, TimedOut: d.TimedOut, Warnings: d.Warnings,
		TotalLines: lines, TotalBytes: int64(len(r.Body)), OutputLines: lines, OutputBytes: int64(len(r.Body)),
	}
	if d.Meta != nil {
		t := d.Meta.Truncation
		b.Truncated, b.ArtifactID = true, t.ArtifactID
		b.TotalLines, b.TotalBytes, b.OutputLines, b.OutputBytes = t.TotalLines, t.TotalBytes, t.OutputLines, t.OutputBytes
	}
	return b
}

// abort ends one command of this client, those of a session, or all. The answer does not wait for them.
func (c *conn) abort(_ context.Context, k *command, line []byte) func() {
	var q Abort
	err := decode(line, &q)
	byID := len(q.Target) > 0 && string(q.Target) != "null"
	target := jsonl.ID(q.Target)
	switch {
	case err != nil:
	case byID && target == nil:
		err = errors.New("target is no id: want a string or a number")
	case byID && q.Session != nil:
		err = errors.New("abort_bash takes a target or a session, not both")
	}
	if err != nil {
		c.finish(k, TypeAbort, nil, nil, err)
		return nil
	}
	n := 0
	for _, x := range c.others(k) {
		if !x.run || x.terminal != nil && !byID || byID && string(x.id) != string(target) || q.Session != nil && c.sessionOf(x) != *q.Session {
			continue
		}
		x.abort(q.Force)
		n++
	}
	c.finish(k, TypeAbort, Aborted{n}, nil, nil)
	return nil
}

func (c *conn) sessionOf(k *command) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return k.session
}

// others lists the requests under way but k.
func (c *conn) others(k *command) (list []*command) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.runs {
		if x != k {
			list = append(list, x)
		}
	}
	for _, x := range c.anon {
		if x != k {
			list = append(list, x)
		}
	}
	return list
}

func (c *conn) sessions(_ context.Context, k *command, _ []byte) func() {
	return func() {
		list := c.server.opt.Engine.Sessions()
		if list == nil {
			list = []run.SessionInfo{}
		}
		c.finishLarge(k, TypeSessions, SessionList{list}, nil, nil)
	}
}

func (c *conn) sessionClose(_ context.Context, k *command, line []byte) func() {
	var q SessionClose
	err := decode(line, &q)
	if err == nil && q.Session == "" {
		err = errors.New("session_close needs a session")
	}
	if err != nil {
		c.finish(k, TypeSessionClose, nil, nil, err)
		return nil
	}
	return func() {
		c.active(1)
		closed := c.server.opt.Engine.CloseSession(q.Session)
		c.active(-1)
		c.finish(k, TypeSessionClose, Closed{closed}, nil, nil)
	}
}

// shutdown ends every session, with what runs in it, before it answers; then the server is down.
func (c *conn) shutdown(_ context.Context, k *command, _ []byte) func() {
	return func() {
		c.server.opt.Engine.Close()
		c.finish(k, TypeShutdown, nil, nil, nil)
		c.server.once.Do(func() { close(c.server.down) })
	}
}

// decode reads arguments; an error names the field.
func decode(text []byte, v any) error {
	err := json.Unmarshal(text, v)
	return cmp.Or(jsonl.Misfit(err, "args"), err)
}
