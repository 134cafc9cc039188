package rpc

import (
	"encoding/json"
	"fmt"
	"slices"

	"pi/internal/run"
	"pi/internal/toolcall"
)

const (
	typeReply = "response"
	typeHello = "hello"
)

// Args are the arguments of bash and tool_call: the command, and what the client wants to hear about it.
type Args struct {
	toolcall.Args
	Pty bool `json:"pty,omitempty"` // answered with a warning: there is no terminal to show it on
	// Events are the events that the client wants: start, update, text, partial. Absent: start and update for tool_call,
	// none for bash.
	Events []string `json:"events,omitzero"`
	// Shape asks for the parts of the result's text in the reply's shape.
	Shape bool `json:"shape,omitempty"`
}

// call checks the arguments and converts them.
func (a Args) call() (toolcall.Call, error) {
	for _, e := range a.Events {
		if !slices.Contains([]string{eventStart, eventUpdate, eventText, eventPartial}, e) {
			return toolcall.Call{}, fmt.Errorf("events: %q is none of start, update, text, partial", e)
		}
	}
	return a.Args.Call()
}

// ToolCall are the fields of a tool_call.
type ToolCall struct {
	Tool  string `json:"tool"` // "bash"
	Args  Args   `json:"args"`
	Build string `json:"build,omitempty"` // the client's build; a server of another build refuses the call
}

// Abort are the fields of abort_bash. With neither target nor session it aborts every bash and tool_call of this client.
type Abort struct {
	Target  json.RawMessage `json:"target,omitempty"`  // the id of a request
	Session *string         `json:"session,omitempty"` // all commands for a session, including those that wait for it
	Force   bool            `json:"force,omitempty"`   // skip the grace period between SIGTERM and SIGKILL
}

// SessionClose are the fields of session_close.
type SessionClose struct {
	Session string `json:"session"`
}

// Hello identifies the server. It is the data of a hello reply, and the first line of a server that greets.
type Hello struct {
	Protocol int    `json:"protocol"`
	Build    string `json:"build,omitempty"`
	PID      int    `json:"pid"`
}

type greeting struct {
	Type string `json:"type"`
	Hello
}

// reply is the answer to a request.
type reply struct {
	ID      json.RawMessage `json:"id"` // null when the request had none, or none that could be read
	Type    string          `json:"type"`
	Command string          `json:"command"`
	Success bool            `json:"success"`
	Data    any             `json:"data,omitempty"`
	Shape   *Shape          `json:"shape,omitempty"`
	Error   string          `json:"error,omitempty"`
	Code    string          `json:"code,omitempty"`
}

// Shape describes the parts of a result's text, for clients that print them in different places.
type Shape struct {
	BodyBytes int      `json:"bodyBytes"` // length of what the command printed
	Notices   []string `json:"notices"`
}

// BashResult is the data of a reply to bash.
type BashResult struct {
	Output      string   `json:"output"` // bounded
	ExitCode    *int     `json:"exitCode"`
	Cancelled   bool     `json:"cancelled"`
	TimedOut    bool     `json:"timedOut"`
	Truncated   bool     `json:"truncated"`
	TotalLines  int64    `json:"totalLines"`
	TotalBytes  int64    `json:"totalBytes"`
	OutputLines int64    `json:"outputLines"`
	OutputBytes int64    `json:"outputBytes"`
	ArtifactID  *string  `json:"artifactId,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
}

// Aborted is the data of a reply to abort_bash.
type Aborted struct {
	Aborted int `json:"aborted"` // commands that are being terminated
}

// Closed is the data of a reply to session_close.
type Closed struct {
	Closed bool `json:"closed"` // there was such a session
}

// SessionList is the data of a reply to sessions.
type SessionList struct {
	Sessions []run.SessionInfo `json:"sessions"`
}
