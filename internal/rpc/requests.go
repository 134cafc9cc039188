package rpc

import (
	"cmp"
	"context"
	"encoding/json"

	"pi/internal/jsonl"
	"pi/internal/run"
)

// The names of the requests that pi's own client sends.
const (
	TypeToolCall = "tool_call"
	TypeAbort    = "abort_bash"
	TypeSessions = "sessions"
	TypeShutdown = "shutdown"
)

// class says how a request is scheduled.
type class uint8

const (
	ordinary class = iota // bounded by maxRuns and maxOthers together
	command               // runs a command that can be aborted; bounded by maxRuns
	quick                 // answered at once: not bounded, and its reply overtakes what waits to be sent
)

// requestType is one kind of request.
type requestType struct {
	name   string
	class  class
	fields any // zero value of the request's own fields, for the schema; nil: there are none
	data   any // zero value of the data of a successful reply, for the schema; nil: there is none
	handle handler
}

// requestTypes returns the table of all requests. A new request is a line here and a handler.
func requestTypes() []requestType {
	return []requestType{
		{"abort_bash", quick, Abort{}, Aborted{}, decoded((*conn).abort)},
		{"artifact_read", ordinary, ArtifactRead{}, ArtifactText{}, decoded((*conn).artifactRead)},
		{"bash", command, Args{}, BashResult{}, decoded((*conn).bash)},
		{"hello", quick, nil, Hello{}, (*conn).hello},
		{"pty_kill", quick, PtyKill{}, nil, onTerminal(ptyKill)},
		{"pty_resize", ordinary, PtyResize{}, nil, onTerminal(ptyResize)},
		{"pty_start", command, PtyStart{}, BashResult{}, decoded((*conn).ptyStart)},
		{"pty_write", ordinary, PtyWrite{}, nil, onTerminal(ptyWrite)},
		{"session_close", ordinary, SessionClose{}, Closed{}, decoded((*conn).sessionClose)},
		{"sessions", ordinary, nil, SessionList{}, (*conn).sessions},
		{"shutdown", quick, nil, nil, (*conn).shutdown},
		{"tool_call", command, ToolCall{}, run.Result{}, decoded((*conn).toolCall)},
	}
}

// byName returns the table as a map.
func byName(list []requestType) map[string]*requestType {
	m := make(map[string]*requestType, len(list))
	for i := range list {
		m[list[i].name] = &list[i]
	}
	return m
}

// A handler answers one request. It must not block: what takes time is returned as work, which ends with the reply. nil
// means that the reply was sent, or that somebody else will send it. An error becomes the reply.
type handler func(c *conn, ctx context.Context, r *inflight, line []byte) (work func(), err error)

// decoded returns a handler that decodes the request's fields first.
func decoded[T any](handle func(c *conn, ctx context.Context, r *inflight, q T) (work func(), err error)) handler {
	return func(c *conn, ctx context.Context, r *inflight, line []byte) (func(), error) {
		var q T
		if err := decode(line, &q); err != nil {
			return nil, err
		}
		return handle(c, ctx, r, q)
	}
}

// decode reads arguments; an error names the field.
func decode(text []byte, v any) error {
	err := json.Unmarshal(text, v)
	return cmp.Or(jsonl.Misfit(err, "args"), err)
}
