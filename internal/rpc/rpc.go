// Package rpc is pi's server: commands and sessions for programs, one JSON object a line in both directions.
//
// A client sends requests, {"id":…,"type":…,…}, and may have any number of them under way. Every request gets exactly
// one reply, {"id":…,"type":"response","command":TYPE,"success":…,"data":…|"error":…}; events come in between. A line
// that cannot be understood gets an error reply and nothing worse. docs/rpc.md describes every message.
//
// The server runs over any stream: a private socket for sessions that outlive a call, standard input and output for a
// program that keeps pi as its child. When the stream ends, what its client has started is ended. A client that
// does not read costs a bounded amount of memory: live updates are dropped in favour of newer ones, passed-on text holds
// the command back as a full pipe would, and neither keeps a timeout or an abort from happening.
package rpc

import (
	"encoding/json"
	"fmt"
	"slices"

	"pi/internal/run"
	"pi/internal/toolcall"
)

// Protocol numbers this protocol; it changes when an old client would misunderstand a new server.
const Protocol = 2

// Bounds of one connection.
const (
	maxRuns      = 256       // commands at once
	maxOthers    = 64        // further requests at once, those left out that are answered at once
	defaultShown = 50 << 10  // bytes of the shown text of a command, where nothing else is known
	maxShown     = 16 << 20  // bytes that the commands at once may answer with; beyond, one has to wait
	maxResults   = 4 << 20   // bytes of unsent replies; beyond, results wait where they are
	maxReplies   = 8 << 20   // bytes of unsent replies; beyond, no further request is read
	maxText      = 256 << 10 // bytes of a run's unsent text; beyond, the command has to wait
	maxEvents    = 4 << 20   // bytes of the unsent events of all runs; beyond, text has to wait and updates are dropped
	maxUpdate    = 50 << 10  // bytes of the text of an update
	maxPartial   = 4 << 10   // bytes of an unfinished line
	typeReply    = "response"
	typeHello    = "hello"
	eventStart   = "start"
	eventUpdate  = "update"
	eventText    = "text"
	eventPartial = "partial"
	eventDropped = "droppedBytes"
	eventOutput  = "output"
)

// The types of requests.
const (
	TypeHello        = "hello"
	TypeBash         = "bash"
	TypeToolCall     = "tool_call"
	TypeAbort        = "abort_bash"
	TypeSessions     = "sessions"
	TypeSessionClose = "session_close"
	TypePtyStart     = "pty_start"
	TypePtyWrite     = "pty_write"
	TypePtyResize    = "pty_resize"
	TypePtyKill      = "pty_kill"
	TypeArtifactRead = "artifact_read"
	TypeShutdown     = "shutdown"
)

// CodeNotFound is the code of the error reply to a question about an artifact that there is not.
const CodeNotFound = "not_found"

// CodeVersion is the code of the error reply to a client of another build.
const CodeVersion = "version"

// Args are the arguments of a tool_call: the command, and what the client wants to hear about it.
type Args struct {
	toolcall.Args
	Pty bool `json:"pty,omitempty"` // answered with a warning: there is no terminal to show it on
	// Events are the events that the client wants: start, update, text, partial. Absent: of a tool_call start and update, of
	// bash none.
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
	Build string `json:"build,omitempty"` // who is speaking; a server of another build refuses
}

// Abort are the fields of abort_bash. With neither target nor session it ends every bash and tool_call of this client.
type Abort struct {
	Target  json.RawMessage `json:"target,omitempty"`  // the id of a request
	Session *string         `json:"session,omitempty"` // all commands for a session, those that wait for it included
	Force   bool            `json:"force,omitempty"`   // skip the grace period between SIGTERM and SIGKILL
}

// SessionClose are the fields of session_close.
type SessionClose struct {
	Session string `json:"session"`
}

// Request is a request as a client writes it.
type Request struct {
	ID      string `json:"id,omitempty"`
	Type    string `json:"type"`
	Tool    string `json:"tool,omitempty"`
	Args    *Args  `json:"args,omitempty"`
	Target  string `json:"target,omitempty"`  // of abort_bash; empty: every command of this client
	Force   bool   `json:"force,omitempty"`   // of abort_bash: skip the grace period
	Session string `json:"session,omitempty"` // of session_close and abort_bash
	Build   string `json:"build,omitempty"`   // who is speaking; a server of another build refuses a tool_call
}

// Hello says who the server is. It is the data of a hello reply, and what a server that greets says first.
type Hello struct {
	Protocol int    `json:"protocol"`
	Build    string `json:"build,omitempty"`
	PID      int    `json:"pid"`
}

type greeting struct {
	Type string `json:"type"`
	Hello
}

// Shape tells the parts of a result's text, for clients that print them in different places.
type Shape struct {
	BodyBytes int      `json:"bodyBytes"` // length of what the command printed
	Notices   []string `json:"notices"`
}

// BashResult is the answer to a bash request.
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

// Aborted is the answer to abort_bash: how many commands are being ended.
type Aborted struct {
	Aborted int `json:"aborted"`
}

// Closed is the answer to session_close: whether there was such a session.
type Closed struct {
	Closed bool `json:"closed"`
}

// SessionList is the answer to a sessions request.
type SessionList struct {
	Sessions []run.SessionInfo `json:"sessions"`
}
