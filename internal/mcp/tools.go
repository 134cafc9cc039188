package mcp

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pi/internal/jsonl"
	"pi/internal/run"
	"pi/internal/toolcall"
)

//go:generate go test . -run ^TestToolsAreCurrent$ -update

// tools is the answer to tools/list, generated from the types of arguments and results. The titles and descriptions of
// the tools are in the generator, tools_schema_test.go.
//
//go:embed tools.json
var tools []byte

func (c *conn) listTools(context.Context, *request) (object, *rpcError) {
	return lasting(object{"tools": json.RawMessage(tools)}), nil
}

// callTool calls a tool. Its failures, including wrong arguments, are results that a model can read. Only a call that
// names no tool is an error of the protocol.
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

// bashArguments are the fields of [toolcall.Args] that the bash tool takes. The test lists the others, with reasons.
var bashArguments = [...]string{
	"command", "cwd", "env", "timeout", "head", "tail", "maxBytes", "session", "noWait", "noNormalize",
}

// bashCall decodes and converts the arguments of the bash tool. The command is returned even if another argument is wrong.
func bashCall(text json.RawMessage) (command string, c toolcall.Call, err error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil {
		return "", c, badArguments(err)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(bashArguments[:], name) {
			return "", c, fmt.Errorf("unknown argument %q", run.Clip(name, 60))
		}
	}
	var a toolcall.Args
	if err := json.Unmarshal(text, &a); err != nil {
		return a.Command, c, badArguments(err)
	}
	if a.MaxBytes > maxShown {
		return a.Command, c, fmt.Errorf("maxBytes can be %d at most", maxShown)
	}
	c, err = a.Call()
	return a.Command, c, err
}

// badArguments names the argument at fault in an error of decoding.
func badArguments(err error) error {
	if misfit := jsonl.Misfit(err, "arguments"); misfit != nil {
		return misfit
	}
	return errors.New(strings.Replace(strings.TrimPrefix(err.Error(), "json: "), "unknown field", "unknown argument", 1))
}

// bash runs a command and returns when it has ended.
func (c *conn) bash(ctx context.Context, r *request, args, token json.RawMessage) object {
	command, call, err := bashCall(args)
	var res run.Result
	if err == nil {
		p := newProgress(c.out, token, r.version)
		c.setProgress(r, p)
		call.Request.Live, call.Request.Force = p.callbacks(), c.server.opt.Force
		res, err = c.server.opt.Engine.Run(ctx, call)
		p.stop()
	}
	if err != nil {
		res = run.ErrorResult(command, err)
	}
	return toolResult(r, res.Content, res.IsError, res)
}

// toolResult returns the result of a tool call, structured for clients whose revision knows that.
func toolResult(r *request, content []run.Content, isError bool, structured any) object {
	o := object{"content": content, "isError": isError}
	if r.version >= structuredVersion {
		o["structuredContent"] = structured
	}
	return o
}

// sessionArgs are the arguments of the bash_session tool.
type sessionArgs struct {
	Action  string `json:"action"`
	Session string `json:"session,omitempty"` // the session to stop
}

// sessionList is the structured result of the bash_session tool.
type sessionList struct {
	Sessions []run.SessionInfo `json:"sessions"` // the existing sessions; after a stop those that are left
}

// session lists sessions or stops one.
func (c *conn) session(r *request, args json.RawMessage) object {
	var a sessionArgs
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	err := d.Decode(&a)
	switch engine := c.server.opt.Engine; {
	case err != nil:
		err = badArguments(err)
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
	return toolResult(r, []run.Content{{Type: "text", Text: text}}, err != nil, sessionList{list})
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
