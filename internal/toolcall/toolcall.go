// Package toolcall is the one request behind pi's surfaces: the command line, pi rpc, pi mcp and session daemons.
//
// [Call] is a command as an engine takes it, [Args] is its JSON form. The two convert into each other, and every check
// of what a caller wrote is in this package. An [Engine] runs calls; [Local] is the one that runs them in this process.
// The package knows neither flags nor protocols.
package toolcall

import (
	"context"
	"encoding/json"

	"pi/internal/run"
)

// Call is one command for an [Engine].
type Call struct {
	Request    run.Request
	Session    string   // empty: a shell of its own
	Busy       run.Busy // what to do while another command runs in the session
	SessionCwd string   // absolute directory that a new session starts in; empty: the engine's own

	// Settings are the caller's configuration as JSON, which replaces the engine's own; nil: none. Only session daemons
	// use them.
	Settings json.RawMessage
}

// Runner runs calls. Its method may be called from several goroutines.
type Runner interface {
	// Run runs a command and returns when it has ended. Cancelling ctx ends the command's whole process tree. The error
	// says why the call could not be taken; how a command failed is in the result.
	Run(ctx context.Context, c Call) (run.Result, error)
}

// Engine is a [Runner] that keeps sessions between calls.
type Engine interface {
	Runner
	// Sessions lists the sessions.
	Sessions() []run.SessionInfo
	// CloseSession ends the sessions of that name with everything they started. It reports whether there was one.
	CloseSession(name string) bool
	// Close ends all sessions.
	Close()
}
