package mcp

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"pi/internal/jsonl"
	"pi/internal/run"
	"pi/internal/toolcall"
)

// tools describes the tools, as tools/list gives them.
//
//go:embed tools.json
var tools []byte

func (c *conn) listTools(context.Context, *request) (object, *rpcError) {
	return lasting(object{"tools": json.RawMessage(tools)}), nil
}

// callTool calls a tool. Its failures, wrong arguments among them, are results that a model can read; only a call that
// names no tool is a fault of the client's.
func (c *conn) callTool(ctx context.Context, r *request) (object, *rpcError) {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Meta      struct {
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	if err := r.params(&p); err != nil {
		return nil, err
	}
	if p.Arguments == nil {
		p.Arguments = json.RawMessage("{}")
	}
	switch {
	case p.Name == "bash":
		return c.bash(ctx, r, p.Arguments, p.Meta.ProgressToken), nil
	case p.Name == "bash_session":
		return c.session(r, p.Arguments), nil
	}
	return nil, fault(codeInvalidParams, "unknown tool %q; there are bash and bash_session", run.Clip(p.Name, 60))
}

// bashArgs are the arguments of the bash tool. Which tools the caller has, and whether rules are asked, is settled by
// the configuration: a rule would be none if its subject could switch it off.
type bashArgs struct {
	Command     string            `json:"command"`
	Cwd         string            `json:"cwd"`
	Env         map[string]string `json:"env"`
	Timeout     *float64          `json:"timeout"`
	Head        int               `json:"head"`
	Tail        int               `json:"tail"`
	MaxBytes    int               `json:"maxBytes"`
	Session     string            `json:"session"`
	NoWait      bool              `json:"noWait"`
	NoNormalize bool              `json:"noNormalize"`
}

func (a bashArgs) call() (toolcall.Call, error) {
	if a.MaxBytes > maxShown {
		return toolcall.Call{}, fmt.Errorf("maxBytes can be %d at most", maxShown)
	}
	return toolcall.Args{
		Command: a.Command, Cwd: a.Cwd, Env: a.Env, Timeout: a.Timeout, Head: a.Head, Tail: a.Tail, MaxBytes: a.MaxBytes,
		Session: a.Session, NoWait: a.NoWait, NoNormalize: a.NoNormalize,
	}.Call()
}

// bash runs a command to its end.
func (c *conn) bash(ctx context.Context, r *request, args, token json.RawMessage) object {
	var a bashArgs
	err := arguments(args, &a)
	var call toolcall.Call
	if err == nil {
		call, err = a.call()
	}
	var res run.Result
	if err == nil {
		p := newProgress(c.out, token, r.version)
		c.setProgress(r, p)
		call.Request.Live, call.Request.Hurry = p.live(), c.server.opt.Force
		res, err = c.server.opt.Engine.Run(ctx, call)
		p.stop()
	}
	if err != nil {
		res = run.ErrorResult(a.Command, err)
	}
	o := object{"content": res.Content, "isError": res.IsError}
	if r.version >= structuredVersion {
		o["structuredContent"] = res
	}
	return o
}

// session lists or stops sessions.
func (c *conn) session(r *request, args json.RawMessage) object {
	var a struct{ Action, Session string }
	err := arguments(args, &a)
	switch engine := c.server.opt.Engine; {
	case err != nil:
	case a.Action == "list" && a.Session == "":
	case a.Action == "list":
		err = errors.New("list takes no session")
	case a.Action != "stop":
		err = fmt.Errorf("action: want list or stop, not %q", run.Clip(a.Action, 60))
	case a.Session == "":
		err = errors.New("stop needs a session")
	case !engine.CloseSession(a.Session):
		err = fmt.Errorf("there is no session %q", run.Clip(a.Session, 60))
	}
	list := c.server.opt.Engine.Sessions()
	if list == nil {
		list = []run.SessionInfo{}
	}
	text := sessionText(list)
	if err != nil {
		text = err.Error()
	}
	o := object{"content": []run.Content{{Type: "text", Text: text}}, "isError": err != nil}
	if r.version >= structuredVersion {
		o["structuredContent"] = object{"sessions": list}
	}
	return o
}

func sessionText(list []run.SessionInfo) string {
	if len(list) == 0 {
		return "no sessions"
	}
	var lines []string
	for _, s := range list {
		state := fmt.Sprintf("idle for %.0f s", s.IdleSeconds)
		if s.Busy {
			state = "busy"
		}
		line := fmt.Sprintf("%s: %s, %s, %s", s.Name, s.Shell, state, s.Cwd)
		for _, j := range s.BackgroundJobs {
			line += fmt.Sprintf("\n  %d %s", j.PID, run.Clip(j.Command, 100))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// arguments reads a tool's arguments; an error names the one at fault.
func arguments(text json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		return nil
	}
	if misfit := jsonl.Misfit(err, "arguments"); misfit != nil {
		return misfit
	}
	return errors.New(strings.Replace(strings.TrimPrefix(err.Error(), "json: "), "unknown field", "unknown argument", 1))
}
