//go:build unix

package sessiond

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"pi/internal/rpc"
	"pi/internal/run"
	"pi/internal/self"
	"pi/internal/toolcall"
)

// exchange is one call on its connection to a daemon.
type exchange struct {
	call    toolcall.Call
	conn    *os.File
	client  *rpc.Client
	build   string
	timeout time.Duration

	accepted bool  // the daemon has answered: it may have run the command
	dropped  int64 // bytes of output
}

// callID is the id of the only request on a connection.
const callID = "1"

// request returns the call as a request.
func (x *exchange) request() rpc.Request {
	args := &rpc.Args{Args: x.call.Args(), Events: rpc.EventsFor(x.call.Request.Live), Shape: true}
	return rpc.Request{ID: callID, Type: rpc.TypeToolCall, Tool: "bash", Args: args, Build: x.build}
}

// run sends the call and receives until its reply.
func (x *exchange) run(ctx context.Context) (run.Result, error) {
	_ = x.conn.SetDeadline(time.Now().Add(helloLimit))
	sent := make(chan struct{})
	go func() { // neither end may wait for the other to read
		defer close(sent)
		_ = x.client.Send(x.request())
	}()
	defer func() { x.conn.Close(); <-sent }()
	hello, err := x.client.Receive()
	if err != nil {
		if isTimeout(err) {
			x.accepted = true
			return run.Result{}, x.unresponsive()
		}
		return run.Result{}, err
	}
	x.accepted = true
	if !hello.IsHello() || hello.Protocol != rpc.Protocol {
		return run.Result{}, x.versionMismatch(hello.Build)
	}
	_ = x.conn.SetDeadline(time.Now().Add(x.timeout + endSlack))
	defer x.forwardAborts(ctx, sent)()
	return x.receive()
}

// forwardAborts sends an abort when ctx is done, and another one when the caller wants to skip the grace period. An abort
// must not arrive before the call, which it would not end then.
func (x *exchange) forwardAborts(ctx context.Context, sent <-chan struct{}) (stop func()) {
	abort := func(force bool) {
		_ = x.conn.SetDeadline(time.Now().Add(endSlack))
		<-sent // the deadline applies to it, too
		_ = x.client.Send(rpc.Request{Type: rpc.TypeAbort, Target: callID, Force: force})
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
		case <-x.call.Request.Force:
			abort(true)
		case <-over:
		}
	}()
	return func() { close(over); <-done }
}

func (x *exchange) receive() (run.Result, error) {
	for {
		m, err := x.client.Receive()
		switch {
		case err != nil && isTimeout(err):
			return run.Result{}, x.unresponsive()
		case err != nil:
			return run.Result{}, fmt.Errorf("session %s: its host died while the command ran", x.call.Session)
		case m.IsReply() && string(m.ID) == `"`+callID+`"`:
			return x.result(m)
		default:
			x.dropped += m.Deliver(x.call.Request.Live)
		}
	}
}

func (x *exchange) result(m rpc.Message) (run.Result, error) {
	switch {
	case !m.Success && m.Code == rpc.CodeVersion:
		return run.Result{}, x.versionMismatch("")
	case !m.Success:
		return run.Result{}, fmt.Errorf("session %s: %s", x.call.Session, m.Error)
	}
	res, err := m.Result()
	if err == nil && x.dropped > 0 {
		res.Details.Warnings = append(res.Details.Warnings, fmt.Sprintf("%d bytes of output were dropped because nobody read them in time", x.dropped))
	}
	return res, err
}

func (x *exchange) unresponsive() error {
	return fmt.Errorf("session %s does not answer; `%s session stop %s` ends it", x.call.Session, self.Name(), x.call.Session)
}

func (x *exchange) versionMismatch(build string) error {
	if build != "" {
		build = " (" + build + ")"
	}
	return fmt.Errorf("session %s was started by another version of pi%s; `%s session stop %s` ends it", x.call.Session, build, self.Name(), x.call.Session)
}

func isTimeout(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }
