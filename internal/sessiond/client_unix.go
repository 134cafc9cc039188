//go:build unix

package sessiond

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"pi/internal/rpc"
	"pi/internal/run"
	"pi/internal/self"
	"pi/internal/sink"
	"pi/internal/toolcall"
)

// Run runs one command in a session, starting its host if need be. Cancelling ctx ends the command, not the session.
func (h *Hosts) Run(ctx context.Context, c Call) run.Result {
	died := false
	for range 5 {
		conn, d, err := h.reach(c)
		if died = died || d; err != nil {
			return run.ErrorResult(c.Request.Command, err)
		}
		t := &talk{Call: c, conn: conn, client: rpc.NewClient(conn), build: h.build}
		res, err := t.hold(ctx)
		conn.Close()
		switch {
		case err == nil:
			if died {
				res.Details.Warnings = append(res.Details.Warnings,
					fmt.Sprintf("the host of session %s was killed: this is a new session, without the state of the old one", c.Name))
			}
			return res
		case t.begun:
			return run.ErrorResult(c.Request.Command, err)
		}
		// It left before it took the call. Another one is started.
	}
	return run.ErrorResult(c.Request.Command, fmt.Errorf("session %s: its host ends as soon as it is started", c.Name))
}

// talk is one call on its connection.
type talk struct {
	Call
	conn    *os.File
	client  *rpc.Client
	build   string
	begun   bool // the host has spoken: it may have run the command
	dropped int64
}

const callID = "1"

// hold sends the call and receives until its reply.
func (t *talk) hold(ctx context.Context) (run.Result, error) {
	q, err := t.request()
	if err != nil {
		t.begun = true // nothing that another host would mend
		return run.Result{}, err
	}
	_ = t.conn.SetDeadline(time.Now().Add(helloLimit))
	sent := make(chan struct{})
	go func() { // beside receiving: neither end may wait for the other to read
		defer close(sent)
		_ = t.client.Send(q)
	}()
	defer func() { t.conn.Close(); <-sent }()
	hello, err := t.client.Receive()
	if err != nil {
		if isTimeout(err) {
			t.begun = true
			return run.Result{}, t.mute()
		}
		return run.Result{}, err
	}
	t.begun = true
	if !hello.IsHello() || hello.Protocol != rpc.Protocol {
		return run.Result{}, t.stranger(hello.Build)
	}
	_ = t.conn.SetDeadline(time.Now().Add(run.TimeoutOf(t.Request, t.Config.Bash.Timeout) + endSlack))
	defer t.mind(ctx, sent)()
	return t.receive()
}

// mind passes on that the caller wants the end, or wants it at once. That must not arrive before the call, which by
// itself would not be ended any more.
func (t *talk) mind(ctx context.Context, sent <-chan struct{}) (stop func()) {
	abort := func(force bool) {
		_ = t.conn.SetDeadline(time.Now().Add(endSlack))
		<-sent // the deadline holds for it, too
		_ = t.client.Send(rpc.Request{Type: rpc.TypeAbort, Target: callID, Force: force})
	}
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-ctx.Done():
			abort(false)
		case <-over:
			return
		}
		select {
		case <-t.Request.Hurry:
			abort(true)
		case <-over:
		}
	}()
	return func() { close(over); <-done }
}

func (t *talk) receive() (run.Result, error) {
	live := t.Request.Live
	for {
		m, err := t.client.Receive()
		switch {
		case err != nil && isTimeout(err):
			return run.Result{}, t.mute()
		case err != nil:
			return run.Result{}, fmt.Errorf("session %s: its host died while the command ran", t.Name)
		case m.IsReply() && string(m.ID) == `"`+callID+`"`:
			return t.result(m)
		case m.Type == "start" && live.Start != nil:
			live.Start(run.Details{Command: m.Command, Cwd: m.Cwd, TimeoutSeconds: m.TimeoutSeconds})
		case m.Type == "update" && live.Update != nil:
			live.Update(sink.Snapshot{Text: m.Text, TotalLines: m.TotalLines, TotalBytes: m.TotalBytes})
		case m.Type == "text" && live.Text != nil:
			live.Text([]byte(m.Text))
		case m.Type == "partial" && live.Held != nil:
			live.Held([]byte(m.Text))
		case m.Type == "droppedBytes":
			t.dropped += m.Bytes
		}
	}
}

func (t *talk) result(m rpc.Message) (run.Result, error) {
	switch {
	case !m.Success && m.Code == rpc.CodeVersion:
		return run.Result{}, t.stranger("")
	case !m.Success:
		return run.Result{}, fmt.Errorf("session %s: %s", t.Name, m.Error)
	}
	res, err := m.Result()
	if err == nil && t.dropped > 0 {
		res.Details.Warnings = append(res.Details.Warnings, fmt.Sprintf("%d bytes of output were dropped because nobody read them in time", t.dropped))
	}
	return res, err
}

func (t *talk) mute() error {
	return fmt.Errorf("session %s does not answer; `%s session stop %s` ends it", t.Name, self.Name(), t.Name)
}

func (t *talk) stranger(build string) error {
	if build != "" {
		build = " (" + build + ")"
	}
	return fmt.Errorf("session %s was started by another version of pi%s; `%s session stop %s` ends it", t.Name, build, self.Name(), t.Name)
}

func isTimeout(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// request translates the call.
func (t *talk) request() (rpc.Request, error) {
	settings, err := json.Marshal(t.Config)
	if err != nil {
		return rpc.Request{}, err
	}
	c := toolcall.Call{Request: t.Request, Session: t.Name, SessionCwd: t.Dir, Settings: settings, Busy: run.BusyWait}
	if t.NoWait {
		c.Busy = run.BusyRefuse
	}
	a := &rpc.Args{Args: c.Args(), Events: events(t.Request.Live), Shape: true}
	return rpc.Request{ID: callID, Type: rpc.TypeToolCall, Tool: "bash", Args: a, Build: t.build}, nil
}

func events(l run.Live) []string {
	list := []string{}
	for _, e := range []struct {
		name   string
		wanted bool
	}{{"start", l.Start != nil}, {"update", l.Update != nil}, {"text", l.Text != nil}, {"partial", l.Held != nil}} {
		if e.wanted {
			list = append(list, e.name)
		}
	}
	return list
}
