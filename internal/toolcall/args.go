package toolcall

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"pi/internal/environ"
	"pi/internal/run"
)

// Args is the JSON form of a [Call]. Only Command is required.
type Args struct {
	Command     string            `json:"command"`               // shell text. A trailing | head -N or | tail -N only limits the lines shown: the whole output is saved
	Cwd         string            `json:"cwd,omitempty"`         // directory to run in, relative to the session's or else the server's, which is the default
	Env         map[string]string `json:"env,omitempty"`         // variables of this command
	Timeout     *float64          `json:"timeout,omitempty"`     // seconds, from 1 to 3600. Without it the configured timeout applies, 300 by default
	Head        int               `json:"head,omitempty"`        // show only the first N lines
	Tail        int               `json:"tail,omitempty"`        // show only the last N lines
	Session     string            `json:"session,omitempty"`     // name of a shell that keeps running between calls: 1 to 64 letters, digits, dots, dashes and underscores. Without it the command gets a shell of its own
	NoWait      bool              `json:"noWait,omitempty"`      // fail at once if another command is running in the session
	SessionCwd  string            `json:"sessionCwd,omitempty"`  // absolute directory that a new session starts in
	Tools       []string          `json:"tools,omitzero"`        // tools the caller has, for interception rules. Without it the configured ones
	MaxBytes    int               `json:"maxBytes,omitempty"`    // show at most N bytes of output. Without it the configured bound applies, 51200 by default
	NoNormalize bool              `json:"noNormalize,omitempty"` // leave a trailing | head or | tail to the shell
	NoIntercept bool              `json:"noIntercept,omitempty"` // apply no interception rule
	// Encoding "base64" means that command, cwd, sessionCwd and the values of env are in base64, because a shell takes
	// text that is not UTF-8. "utf8" is the default.
	Encoding string `json:"encoding,omitempty"`
	// Settings replace the server's configuration. Only session daemons use them.
	Settings json.RawMessage `json:"settings,omitempty"`
}

// maxSeconds bounds a timeout before it becomes a Duration, whose range it could leave. The pipeline clamps it further.
const maxSeconds = 1e9

// Call checks the arguments and converts them. The error names the argument at fault.
func (a Args) Call() (Call, error) {
	if err := a.decode(); err != nil {
		return Call{}, err
	}
	c := Call{
		Request: run.Request{
			Command: a.Command, Cwd: a.Cwd, Env: variables(a.Env), Head: a.Head, Tail: a.Tail, Tools: a.Tools, MaxBytes: a.MaxBytes,
			NoNormalize: a.NoNormalize, NoIntercept: a.NoIntercept,
		},
		Session: a.Session, Busy: run.BusyWait, SessionCwd: a.SessionCwd, Settings: a.Settings,
	}
	if a.NoWait {
		c.Busy = run.BusyRefuse
	}
	if a.Timeout != nil {
		if *a.Timeout < 0 || math.IsNaN(*a.Timeout) {
			return Call{}, errors.New("timeout cannot be negative")
		}
		c.Request.Timeout, c.Request.TimeoutSet = time.Duration(min(*a.Timeout, maxSeconds)*float64(time.Second)), true
	}
	return c, c.Check()
}

// Args converts the call to JSON form. What belongs to this process stays behind: standard input, the terminal, the
// callbacks, the force channel and the start of the timeout.
func (c Call) Args() Args {
	q := c.Request
	a := Args{
		Command: q.Command, Cwd: q.Cwd, Head: q.Head, Tail: q.Tail, Session: c.Session, NoWait: c.Busy == run.BusyRefuse,
		SessionCwd: c.SessionCwd, Tools: q.Tools, MaxBytes: q.MaxBytes, NoNormalize: q.NoNormalize, NoIntercept: q.NoIntercept,
		Settings: c.Settings,
	}
	for _, kv := range q.Env {
		if a.Env == nil {
			a.Env = map[string]string{}
		}
		name := environ.Name(kv)
		a.Env[name] = kv[min(len(name)+1, len(kv)):]
	}
	if q.Timeout != 0 || q.TimeoutSet {
		s := q.Timeout.Seconds()
		a.Timeout = &s
	}
	return a.encode()
}

// variables lists a map as NAME=VALUE, in the order of the names.
func variables(m map[string]string) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, name+"="+m[name])
	}
	return list
}
