package rpc

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"pi/internal/jsonl"
	"pi/internal/run"
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
	if a.Session == "" {
		a.Session, a.beside = c.server.opt.DefaultSession, !a.NoWait
	}
	return c.start(ctx, k, TypeBash, a, bashReply)
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
	return c.start(ctx, k, TypeToolCall, a, func(r run.Result) (any, *Shape, error) {
		if !a.Shape {
			return r, nil, nil
		}
		return r, &Shape{len(r.Body), r.Notices}, nil
	})
}

// start gives the work of running a command and sending what shaped makes of its result.
func (c *conn) start(ctx context.Context, k *command, kind string, a Args, shaped func(run.Result) (any, *Shape, error)) func() {
	call, err := a.Call()
	if err != nil {
		c.finish(k, kind, nil, nil, err)
		return nil
	}
	c.mu.Lock()
	k.session = a.Session
	c.mu.Unlock()
	wait, begin := c.queue(a.Session)
	k.feed.want(k.id, a.Events)
	k.feed.begin = begin
	call.Request.Live, call.Request.Hurry, call.Request.Since = k.feed.live(), k.hurry, time.Now()
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

// InBase64 gives the arguments in that encoding, which [Args.Call] undoes.
func (a Args) InBase64() Args {
	a.Encoding = encodingBase64
	_ = a.recode(func(s string) (string, error) { return base64.StdEncoding.EncodeToString([]byte(s)), nil })
	return a
}

// recode replaces all texts that may hold any byte.
func (a *Args) recode(f func(string) (string, error)) error {
	a.Env = maps.Clone(a.Env)
	for _, x := range []struct {
		name string
		text *string
	}{{"command", &a.Command}, {"cwd", &a.Cwd}, {"begin", &a.Begin}} {
		text, err := f(*x.text)
		if err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
		*x.text = text
	}
	for name, value := range a.Env {
		value, err := f(value)
		if err != nil {
			return fmt.Errorf("env: %s: %w", name, err)
		}
		a.Env[name] = value
	}
	return nil
}

// Call checks and translates arguments.
func (a Args) Call() (Call, error) {
	if err := checkEncoding(a.Encoding); err != nil {
		return Call{}, err
	}
	if a.Encoding == encodingBase64 {
		err := a.recode(func(s string) (string, error) {
			text, err := base64.StdEncoding.DecodeString(s)
			return string(text), err
		})
		if err != nil {
			return Call{}, err
		}
	}
	q := run.Request{
		Command: a.Command, Cwd: a.Cwd, Head: a.Head, Tail: a.Tail, Tools: a.Tools, MaxBytes: a.MaxBytes,
		NoNormalize: a.NoNormalize, NoIntercept: a.NoIntercept, PTY: a.terminal,
	}
	for _, e := range a.Events {
		if !slices.Contains([]string{eventStart, eventUpdate, eventText, eventHeld}, e) {
			return Call{}, fmt.Errorf("events: %q is none of start, update, text, held", e)
		}
	}
	switch {
	case len(a.Session) > maxName:
		return Call{}, fmt.Errorf("session: a name has at most %d bytes", maxName)
	case a.Head < 0 || a.Tail < 0 || a.MaxBytes < 0:
		return Call{}, errors.New("head, tail and maxBytes cannot be negative")
	}
	for _, name := range slices.Sorted(maps.Keys(a.Env)) {
		kv := name + "=" + a.Env[name]
		if err := run.CheckVariable(kv); err != nil {
			return Call{}, err
		}
		q.Env = append(q.Env, kv)
	}
	if a.Timeout != nil {
		if *a.Timeout < 0 || math.IsNaN(*a.Timeout) {
			return Call{}, errors.New("timeout cannot be negative")
		}
		// Beyond the range of a Duration every value is the same to the clamp.
		q.Timeout, q.TimeoutSet = time.Duration(min(*a.Timeout, 1e9)*float64(time.Second)), true
	}
	return Call{Request: q, Session: a.Session, Busy: a.busy(), Begin: a.Begin, Settings: a.Settings}, nil
}

func (a Args) busy() run.Busy {
	switch {
	case a.NoWait:
		return run.BusyRefuse
	case a.beside:
		return run.BusyOneShot
	}
	return run.BusyWait
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
		x.abort(q.Hurry)
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
