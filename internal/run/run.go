// Package run takes a request to its result: it normalizes the command text, applies the interception rules, resolves
// directory, timeout, environment and shell, runs the command, bounds its output and builds the result.
//
// It knows no flags, terminals or output formats. The [Result] holds everything that a caller needs; an error of pi itself
// is a Result too, with status "error".
package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/intercept"
	"pi/internal/normalize"
	"pi/internal/shell"
	"pi/internal/sink"
)

// Request describes one command to run. Only Command is required.
type Request struct {
	Command string        // shell text
	Cwd     string        // relative to the Runner's directory; empty: that directory
	Timeout time.Duration // zero: the configured one; clamped to [MinTimeout, MaxTimeout]
	// TimeoutSet says that a zero Timeout is meant (and clamped), and does not stand for the configured one.
	TimeoutSet  bool
	Since       time.Time // start of the timeout in a session; zero: the call of Run
	Env         []string  // KEY=VALUE; overrides every other source
	Head, Tail  int       // lines to show; 0: no limit
	Tools       []string  // available tools for interception; nil: the configured ones
	Stdin       *os.File  // nil: /dev/null
	MaxBytes    int       // limit of the shown text, in bytes; 0: the configured one
	NoNormalize bool
	NoIntercept bool

	// PTY, when not nil, runs the command in a pseudo-terminal, by `sh -lc` whatever the configured shell is. Line limits
	// then stay in the text, since many programs write differently to a pipe than to a terminal, and Stdin is ignored.
	// Not available in a session.
	PTY *PTY

	// Live receives the events of the run. Its fields may be nil.
	Live Live
	// Force, when closed, skips the grace period of a tree that is being terminated. May be nil.
	Force <-chan struct{}
}

// Live holds callbacks for the events of a run. Goroutines of the run call them, one at a time; they must not block for
// long.
type Live struct {
	Start   func(Details)        // before the shell starts; the exit fields are empty
	Update  func(sink.Snapshot)  // at most once every 50 ms
	Text    func(p []byte)       // complete text, unbounded; p is valid during the call
	Partial func(partial []byte) // the unfinished current line after each chunk; may be empty
}

// Runner runs requests under one configuration. Its methods may be called from several goroutines.
type Runner struct {
	cfg     config.Config
	environ []string // of pi itself
	store   *artifact.Store
	checker *intercept.Checker // nil: interception is disabled

	mu    sync.Mutex
	shell shell.Shell // of sessions
	key   sessionKey  // of sessions, without a name; zero before the first
}

// New returns a Runner. environ is pi's own environment, KEY=VALUE. With a nil store no output is saved.
func New(cfg config.Config, environ []string, store *artifact.Store) *Runner {
	r := &Runner{cfg: cfg, environ: environ, store: store}
	if cfg.BashInterceptor.Enabled {
		r.checker, _ = NewChecker(cfg)
	}
	return r
}

// NewChecker returns the interceptor of the configuration, whether or not it is enabled, and the rules that are invalid.
func NewChecker(cfg config.Config) (*intercept.Checker, []intercept.InvalidRule) {
	rules := make([]intercept.Rule, len(cfg.BashInterceptor.Patterns))
	for i, r := range cfg.BashInterceptor.Patterns {
		rules[i] = intercept.Rule(r)
	}
	return intercept.New(rules, cfg.BashInterceptor.ReplaceDefaults)
}

// job is the state of one request.
type job struct {
	*Runner
	q       Request
	d       Details
	limits  normalize.Limits // in effect
	split   bool             // a limit was extracted from the text and applies to standard output only
	headEnd bool             // the head limit was extracted: reaching it ends the command
	// noStatus: the command could not be run, as its output says
	noStatus bool
	timeout  time.Duration
	max      int
	began    time.Time
	handoff  readerHandoff // nil: startDrain
}

// Run runs one request and returns its result. Cancelling ctx terminates the command's whole tree.
func (r *Runner) Run(ctx context.Context, q Request) Result {
	j := r.newJob(q)
	if res, over := j.admit(); over {
		return res
	}
	if q.PTY != nil {
		return j.inTerminal(ctx)
	}
	spec, err := j.prepare(ctx)
	if err != nil {
		return j.fail(err)
	}
	return j.execute(ctx, spec)
}

func (r *Runner) newJob(q Request) *job {
	began := q.Since
	if began.IsZero() {
		began = time.Now()
	}
	d := Details{Backend: backend, OriginalCommand: q.Command}
	if q.PTY != nil {
		d.Backend = ptyBackend
	}
	return &job{Runner: r, q: q, began: began, d: d}
}

// admit checks and normalizes the command text. It reports whether the job is over, with res as its result.
func (j *job) admit() (res Result, over bool) {
	if err := checkText(j.q.Command); err != nil {
		j.d.Command = j.q.Command
		return j.fail(err), true
	}
	j.normalize()
	if j.checker != nil && !j.q.NoIntercept {
		if v := j.checker.Check(j.d.Command, j.tools()); v.Blocked {
			return j.done(shapeBlocked(j.d, v)), true
		}
	}
	return res, false
}

// checkText reports why no shell can run the text.
func checkText(command string) error {
	if i := strings.IndexByte(command, 0); i >= 0 {
		return fmt.Errorf("command has a NUL byte at offset %d; a shell cannot be given one", i)
	}
	if strings.TrimFunc(command, unicode.IsSpace) == "" {
		return errors.New("command is empty")
	}
	return nil
}

// normalize sets the text to run and the line limits. Each explicit limit overrides the extracted one.
func (j *job) normalize() {
	j.d.Command = j.q.Command
	if !j.q.NoNormalize && j.q.PTY == nil {
		n := normalize.Command(j.q.Command)
		j.d.Command, j.limits = n.Command, n.Limits
		j.split = n.Rewritten
		j.headEnd = n.Limits.Head > 0
	}
	if j.q.Head > 0 {
		j.limits.Head, j.headEnd = j.q.Head, false
	}
	if j.q.Tail > 0 {
		j.limits.Tail = j.q.Tail
	}
	j.d.HeadLines, j.d.TailLines = positive(j.limits.Head), positive(j.limits.Tail)
}

func positive(n int) *int {
	if n <= 0 {
		return nil
	}
	return &n
}

func (j *job) tools() []string {
	if j.q.Tools != nil {
		return j.q.Tools
	}
	return j.cfg.Tools
}

// prepare collects what the engine needs. When it fails, nothing has run.
func (j *job) prepare(ctx context.Context) (shell.Spec, error) {
	if err := j.resolveDir(); err != nil {
		return shell.Spec{}, err
	}
	sh, err := shell.Choose(j.cfg.Shell.Path, j.environ)
	if err != nil {
		return shell.Spec{}, err
	}
	if sh.Embedded() {
		j.noteEmbedded()
	}
	j.settle()
	snap, warning := TakeSnapshot(ctx, j.cfg.Shell, sh, j.environ)
	if warning != "" {
		j.warn(warning)
	}
	return shell.Spec{
		Shell: sh, Prefix: j.cfg.Shell.Prefix, Command: j.d.Command, Dir: j.d.Cwd,
		Env:     environment(j.environ, pairs(j.cfg.Shell.Env), snap.Env, j.q.Env, !j.cfg.Bash.Unattended),
		Stdin:   j.q.Stdin,
		Timeout: j.timeout, Split: j.split, Snapshot: snap.Script, Force: j.q.Force,
	}, nil
}

// resolveDir checks the variables of the request and resolves its working directory.
func (j *job) resolveDir() error {
	for _, kv := range j.q.Env {
		if err := CheckVariable(kv); err != nil {
			return err
		}
	}
	dir, err := Directory("", j.q.Cwd)
	j.d.Cwd = dir
	return err
}

// settle sets the timeout and the output limit, from the configuration where the request names none.
func (j *job) settle() {
	j.settleTimeout()
	if j.max = j.q.MaxBytes; j.max <= 0 {
		j.max = int(j.cfg.Bash.MaxBytes)
	}
}

func (j *job) settleTimeout() {
	if !j.q.timed() && j.q.PTY != nil && j.q.PTY.Attended {
		j.timeout = unlimited // the person at the terminal ends it
		return
	}
	var warning string
	if j.timeout, warning = clampTimeout(j.q.timeout(j.cfg.Bash.Timeout)); warning != "" {
		j.warn(warning)
	}
	j.d.TimeoutSeconds = j.timeout.Seconds()
}

func (j *job) warn(text string) { j.d.Warnings = append(j.d.Warnings, text) }

func (j *job) fail(err error) Result { return j.done(shapeError(j.d, err)) }

func (j *job) done(r Result) Result {
	r.Details.DurationMs = time.Since(j.began).Milliseconds()
	return r
}
