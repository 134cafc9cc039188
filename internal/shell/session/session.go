// Package session keeps shells alive between runs, with their working directory, variables, functions, options, traps and
// background jobs.
//
// The shell runs a driver: a text that reads a request from a pipe, evaluates it, reports its status through another pipe, and
// waits again ([Session.Run] starts it on the first run). Every run has its own output pipe. What differs between shells is in
// their [shell.Dialect]; driver.go explains what user code can do to a driver and how it survives that.
package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"pi/internal/environ"
	"pi/internal/ps"
	"pi/internal/shell"
)

// Spec says what the shells of a session are started with.
type Spec struct {
	Shell    shell.Shell // not the embedded one
	Prefix   string      // put before every command text with a blank; may be empty
	Dir      string      // absolute directory that the session starts in
	Env      []string    // the whole initial environment, KEY=VALUE
	Snapshot string      // script file that every new shell reads first, its output discarded; empty: none
}

// Options are one run of a session.
type Options struct {
	Command string // shell text of any length, without NUL

	// Dir is an absolute directory for this run only; empty is the session's own. If the command itself goes
	// somewhere else, the session stays there; otherwise it returns to where it was.
	Dir string

	Env     []string        // KEY=VALUE, for this run only: what the command does to these variables is undone too
	Timeout time.Duration   // counted from the call, including the start of a shell; must be positive
	Force   <-chan struct{} // when closed, ends the grace period between TERM and KILL; may be nil
}

// Result says how a run ended.
type Result struct {
	shell.End
	Cwd     string // the session's working directory afterwards
	Dropped bool   // the shell is gone: it exited, was replaced or killed, timed out or was cancelled
	Fresh   bool   // a new shell was started for this run
}

// activeRun is a call of Run that has not returned.
type activeRun struct {
	Options
	ctx      context.Context
	deadline time.Time
	out      func([]byte)
	warnings []string

	stop func() bool // ends the watch on ctx; nil: there is no watch
}

func (r *activeRun) unwatch() {
	if r.stop != nil {
		r.stop()
	}
}

// ErrBusy means that another run of the session is active.
var ErrBusy = errors.New("the session is busy")

var errClosed = errors.New("the session is closed")

// A Session is a shell that stays alive between runs. It is idle, running, or dropped: after a run whose shell is gone the next
// run starts a new shell, in the last known working directory and with the exported variables of that moment. Its methods may be
// called from several goroutines, but it runs one command at a time.
type Session struct {
	spec      Spec
	transport func() (transport, error) // creates the pipes to a new shell; tests choose

	mu     sync.Mutex
	cancel context.CancelFunc // of the active run; nil: idle
	idle   chan struct{}      // closed when that run is over
	closed bool

	// The rest belongs to the active run, or to the holder of mu while there is none.
	proc       *shellProcess // nil: no shell
	old        []*ps.Tree    // of shells that exited by themselves: their background jobs belong to the session
	last       report        // the last one of any shell
	cwd        string
	lostReason string // why there is no shell any more; empty: there never was one
}

// New returns a new session. It starts no process.
func New(spec Spec) *Session {
	return &Session{spec: spec, transport: newTransport, cwd: spec.Dir}
}

// Run runs one command and waits until it has ended, its timeout is over, ctx is done or Abort is called. In the latter cases it
// kills everything that the session ever started and that still runs, and drops the shell. onChunk receives what the command
// prints, in order, both streams in one; its argument is valid only during the call, and it is never called after Run has
// returned. An error means that nothing was run; it is ErrBusy while another run is active.
//
// The command's own `exec` redirections last as long as the run, because every run has its own output pipe. Background jobs keep
// that of their run, see [shell.End.Held].
func (s *Session) Run(ctx context.Context, o Options, onChunk func([]byte)) (Result, error) {
	deadline := time.Now().Add(o.Timeout)
	if i := strings.IndexByte(o.Command, 0); i >= 0 {
		return Result{}, fmt.Errorf("command holds a NUL byte at offset %d", i)
	}
	if err := enterable(o.Dir); err != nil {
		return Result{}, err
	}
	for _, kv := range o.Env {
		if name, d := environ.Name(kv), s.spec.Shell.Dialect; slices.Contains(strings.Fields(d.Session.Reserved), name) {
			return Result{}, fmt.Errorf("%s reserves the variable %s; a session cannot be given one", d.Name, name)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := s.acquire(cancel); err != nil {
		return Result{}, err
	}
	defer s.release()
	if ctx.Err() != nil {
		return Result{End: shell.End{Cancelled: true}, Cwd: s.cwd}, nil
	}
	r := activeRun{Options: o, ctx: ctx, deadline: deadline, out: onChunk}
	defer r.unwatch()
	res, err := s.runIn(&r)
	res.Cwd = s.cwd
	res.Warnings = append(r.warnings, res.Warnings...)
	return res, err
}

func (s *Session) acquire(cancel context.CancelFunc) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return errClosed
	case s.cancel != nil:
		return ErrBusy
	}
	s.cancel, s.idle = cancel, make(chan struct{})
	return nil
}

func (s *Session) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.idle)
	s.cancel, s.idle = nil, nil
}

// Abort cancels the active run without waiting for its end. It does nothing if there is none.
func (s *Session) Abort() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
	return nil
}

// Close cancels the active run, and kills everything that the session started and that still runs. Later runs fail.
func (s *Session) Close() {
	s.mu.Lock()
	s.closed = true
	over := s.idle
	if s.cancel != nil {
		s.cancel()
	}
	s.mu.Unlock()
	if over != nil {
		<-over
	}
	s.killAll(nil)
}

// State returns the working directory, whether a run is active, and the background processes: the living members of the
// session's process trees other than its shell, and during a run what the command itself started.
func (s *Session) State() (cwd string, busy bool, background []ps.Process) {
	s.mu.Lock()
	cwd, busy = s.cwd, s.cancel != nil
	trees := s.trees()
	s.mu.Unlock()
	for _, t := range trees {
		background = append(background, t.Background()...)
	}
	return cwd, busy, background
}

// enterable returns an error unless dir is empty or a directory.
func enterable(dir string) error {
	if dir == "" {
		return nil
	}
	st, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !st.IsDir():
		return fmt.Errorf("%s: is not a directory", dir)
	}
	return nil
}
