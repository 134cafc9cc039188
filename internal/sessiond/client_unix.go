//go:build unix

package sessiond

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"pi/internal/config"
	"pi/internal/rpc"
	"pi/internal/run"
	"pi/internal/toolcall"
)

// attempts bounds how often a call is sent to a new daemon because the one before exited without accepting it.
const attempts = 5

// Run runs one command in a session and starts the session's daemon if needed. Cancelling ctx ends the command, not the
// session. cfg is the caller's configuration, which must name the directory of artifacts. The call must name a session
// and the directory in which a new one starts, and cannot have standard input.
func (c *Client) Run(ctx context.Context, cfg config.Config, call toolcall.Call) run.Result {
	settings, err := json.Marshal(cfg)
	if err != nil {
		return run.ErrorResult(call.Request.Command, err)
	}
	call.Settings = settings
	killed := false
	for range attempts {
		conn, wasKilled, err := c.reach(cfg, call.Session)
		if killed = killed || wasKilled; err != nil {
			return run.ErrorResult(call.Request.Command, err)
		}
		x := &exchange{call: call, conn: conn, client: rpc.NewClient(conn), build: c.build, timeout: run.TimeoutOf(call.Request, cfg.Bash.Timeout)}
		res, err := x.run(ctx)
		conn.Close()
		switch {
		case err == nil:
			if killed {
				res.Details.Warnings = append(res.Details.Warnings,
					fmt.Sprintf("the host of session %s was killed: this is a new session, without the state of the old one", call.Session))
			}
			return res
		case x.accepted:
			return run.ErrorResult(call.Request.Command, err)
		}
	}
	return run.ErrorResult(call.Request.Command, fmt.Errorf("session %s: its host exits as soon as it is started", call.Session))
}

// ask sends one request and returns its reply.
func ask(conn *os.File, q rpc.Request) (rpc.Message, error) {
	c := rpc.NewClient(conn)
	if err := c.Send(q); err != nil {
		return rpc.Message{}, err
	}
	for {
		m, err := c.Receive()
		if err != nil {
			return m, err
		}
		if m.IsReply() && !m.Success {
			return m, errors.New(m.Error)
		}
		if m.IsReply() {
			return m, nil
		}
	}
}
