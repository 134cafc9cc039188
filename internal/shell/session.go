package shell

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
)

// SessionSpec says what the shells of a session are started with.
type SessionSpec struct {
	Shell    Shell
	Prefix   string   // put before every command text with a blank; may be empty
	Dir      string   // absolute directory that the session begins in
	Env      []string // the whole environment at the beginning, KEY=VALUE
	Snapshot string   // script file that every new shell reads first, its output discarded; empty: none
}

// RunOptions are one run of a session.
type RunOptions struct {
	Command string // shell text of any length, without NUL

	// Dir is an absolute directory for this run only; empty is the session's own. If the command itself goes
	// somewhere else, the session stays there; otherwise it returns to where it was.
	Dir string

	Env     []string        // KEY=VALUE, for this run only: what the command does to these variables is undone, too
	Timeout time.Duration   // counted from the call, the start of a shell included; must be positive
	Hurry   <-chan struct{} // when closed, cuts the grace between TERM and KILL short; may be nil
}

// RunResult says how a run ended.
type RunResult struct {
	End
	Cwd     string // the session's working directory afterwards
	Dropped bool   // the shell is gone: it exited, was replaced or killed, timed out or was cancelled
	Fresh   bool   // a new shell was started for this run
}

// sessionRun is one call of Run on its way.
type sessionRun struct {
	RunOptions
	ctx      context.Context
	deadline time.Time
	out      func([]byte)
	warnings []string

	stop func() bool // ends the watch on ctx; nil: there is none
}

func (r *sessionRun) unwatch() {
	if r.stop != nil {
		r.stop()
	}
}

// ErrBusy says that a session has a run going on.
var ErrBusy = errors.New("the session is busy")

var errClosed = errors.New("the session is closed")

// A Session is a shell that lives on between runs, with its working directory, variables, functions, options, traps
// and background jobs. It is idle, or running, or dropped: after a run whose shell is gone the next one starts a new
// shell, in the last known working directory and with the exported variables of that moment. Its methods may be
// called from several goroutines, but it runs one command at a time.
type Session struct {
	spec  SessionSpec
	place func() (place, error) // makes what the shell is spoken to through; tests choose

	mu     sync.Mutex
	cancel context.CancelFunc // of the run that is going on; nil: idle
	idle   chan struct{}      // closed when that run is over
	closed bool

	// The rest belongs to the run that is going on, or to who holds mu while there is none.
	live *live      // nil: no shell
	old  []*ps.Tree // of shells that ended by themselves: their background jobs are the session's
	last report     // of the last shell that gave one
	cwd  string
	lost string // why there is no shell any more; empty: there never was one
}

// zshOwn are the parameters that zsh 5 has, with the modules that it may load by itself, and that no string can be
// assigned to (zshparam(1), zshmodules(1)).
const zshOwn = "ARGC HISTCMD LINENO PPID TTYIDLE ZSH_EVAL_CONTEXT ZSH_SUBSHELL aliases argv builtins cdpath commands dirstack " +
	"dis_aliases dis_builtins dis_functions dis_functions_source dis_galiases dis_patchars dis_reswords dis_saliases fignore " +
	"fpath funcfiletrace funcsourcetrace funcstack functions functions_source functrace galiases history historywords " +
	"jobdirs jobstates jobtexts mailpath manpath module_path modules nameddirs options parameters patchars path pipestatus " +
	"psvar reswords saliases signals status userdirs usergroups zsh_eval_context"

// NewSession makes a session. It starts nothing.
func NewSession(spec SessionSpec) *Session {
	return &Session{spec: spec, place: newPlace, cwd: spec.Dir}
}

// Run runs one command and waits until it is done, its timeout is over, or ctx ends or Abort is called; in the latter
// cases everything that the session ever started and still runs is ended, and its shell is dropped. onChunk takes what
// the command prints, in order, both streams in one; its argument is valid only during the call, and it is never
// called after Run has returned. An error means that nothing was run; it is ErrBusy while another run goes on.
//
// The command's own `exec` redirections last as long as the run: every run has an output pipe of its own. Background
// jobs keep that of their run, see [End.Held].
func (s *Session) Run(ctx context.Context, o RunOptions, onChunk func([]byte)) (RunResult, error) {
	deadline := time.Now().Add(o.Timeout)
	if i := strings.IndexByte(o.Command, 0); i >= 0 {
		return RunResult{}, fmt.Errorf("command holds a NUL byte at offset %d", i)
	}
	if err := enterable(o.Dir); err != nil {
		return RunResult{}, err
	}
	for _, kv := range o.Env {
		if name := environ.Name(kv); s.spec.Shell.Kind == Zsh && slices.Contains(strings.Fields(zshOwn), name) {
			return RunResult{}, fmt.Errorf("zsh keeps the variable %s for itself; a session cannot be given one", name)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := s.begin(cancel); err != nil {
		return RunResult{}, err
	}
	defer s.finish()
	if ctx.Err() != nil {
		return RunResult{End: End{Cancelled: true}, Cwd: s.cwd}, nil
	}
	r := sessionRun{RunOptions: o, ctx: ctx, deadline: deadline, out: onChunk}
	defer r.unwatch()
	res, err := s.run(&r)
	res.Cwd = s.cwd
	res.Warnings = append(r.warnings, res.Warnings...)
	return res, err
}

func (s *Session) begin(cancel context.CancelFunc) error {
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

func (s *Session) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.idle)
	s.cancel, s.idle = nil, nil
}

// Abort cancels the run that is going on, and does not wait for it. Without one it does nothing.
func (s *Session) Abort() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
	return nil
}

// Close cancels a run that is going on, and ends everything that the session started and still runs. Runs are refused
// from then on.
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
	s.endAll(nil)
}

// State tells the working directory, whether a run is going on, and what runs in the background: the living members
// of the session's trees other than its shell, and during a run what the command itself started.
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

// enterable says whether dir, which may be empty, is a directory that one can work in.
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
