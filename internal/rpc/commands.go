package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"pi/internal/run"
	"pi/internal/toolcall"
)

// bash runs a command for the user: no interception rule applies, and the reply has counts instead of a tool's text.
// Without a session it runs in the default one, or in a shell of its own while that is busy.
func (c *conn) bash(ctx context.Context, r *inflight, a Args) (func(), error) {
	a.NoIntercept = true
	if a.Events == nil {
		a.Events = []string{}
	}
	call, err := a.call()
	if err != nil {
		return nil, err
	}
	if call.Session == "" {
		call.Session = c.server.opt.DefaultSession
		if !a.NoWait {
			call.Busy = run.BusyOneShot
		}
	}
	return c.start(ctx, r, call, a.Events, func(res run.Result) (any, *Shape, error) { return bashReply(a.warned(res)) }), nil
}

// bashReply returns the reply to a user's command. A command that could not be run is an error.
func bashReply(r run.Result) (any, *Shape, error) {
	if r.Details.Status == run.Error {
		return nil, nil, errors.New(strings.Join(r.Notices, "\n"))
	}
	return bashResult(r), nil, nil
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

// undecodedToolCall is a [ToolCall] whose arguments are decoded by themselves, so that errors name them without a prefix.
type undecodedToolCall struct {
	ToolCall
	Args json.RawMessage `json:"args"`
}

// toolCall runs a command for an agent.
func (c *conn) toolCall(ctx context.Context, r *inflight, q undecodedToolCall) (func(), error) {
	switch {
	case q.Build != "" && q.Build != c.server.opt.Build:
		return nil, codedError{CodeVersion, fmt.Errorf("this is pi %s, not %s", c.server.opt.Build, q.Build)}
	case q.Tool != "bash":
		return nil, fmt.Errorf("unknown tool %q; there is bash", q.Tool)
	case len(q.Args) == 0:
		return nil, errors.New("tool_call needs args")
	}
	var a Args
	if err := decode(q.Args, &a); err != nil {
		return nil, err
	}
	call, err := a.call()
	if err != nil {
		return nil, err
	}
	return c.start(ctx, r, call, a.Events, func(res run.Result) (any, *Shape, error) {
		res = a.warned(res)
		if !a.Shape {
			return res, nil, nil
		}
		return res, &Shape{len(res.Body), res.Notices}, nil
	}), nil
}

// noTerminal is the warning for commands that asked for a terminal.
const noTerminal = "pty: there is no terminal here, so the command ran without one; pty_start gives it one"

// warned adds the warning that the arguments call for.
func (a Args) warned(r run.Result) run.Result {
	if a.Pty {
		r.Details.Warnings = append(r.Details.Warnings, noTerminal)
	}
	return r
}

// start queues a command and returns the work of running it. answer converts its result to the reply.
func (c *conn) start(ctx context.Context, r *inflight, call toolcall.Call, events []string, answer func(run.Result) (any, *Shape, error)) func() {
	c.mu.Lock()
	r.session = call.Session
	c.mu.Unlock()
	wait, begun := c.queue(call.Session)
	r.events.subscribe(r.id, events)
	r.events.begun = begun
	call.Request.Live, call.Request.Force, call.Request.Since = r.events.callbacks(), r.force, time.Now()
	shown := cmp.Or(call.Request.MaxBytes, c.server.opt.MaxBytes, defaultShown)
	return func() {
		wait(ctx, run.TimeoutOf(call.Request, cmp.Or(c.server.opt.Timeout, run.MaxTimeout)))
		defer c.reserve(ctx, shown)()
		c.active(1)
		res, err := c.server.opt.Engine.Run(ctx, call)
		c.active(-1)
		begun()
		r.events.close()
		if r.terminal != nil {
			r.terminal.setOpen()
		}
		if err != nil {
			c.finish(r, nil, nil, err)
			return
		}
		data, shape, err := answer(res)
		c.finishLarge(r, data, shape, err)
	}
}

// reserve waits until the commands in flight leave room for a reply of that many bytes.
func (c *conn) reserve(ctx context.Context, bytes int) (release func()) {
	c.out.WaitWhile(func() bool { return c.shownBytes > 0 && c.shownBytes+bytes > maxShown && ctx.Err() == nil })
	c.out.Do(func() { c.shownBytes += bytes })
	return func() { c.out.Do(func() { c.shownBytes -= bytes }) }
}

func (c *conn) active(delta int) {
	if c.server.opt.Active != nil {
		c.server.opt.Active(delta)
	}
}
