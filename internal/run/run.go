// Package run is the pipeline from a request to a result: normalise the text, ask the interception rules, find
// directory, timeout, environment and shell, run the engine, bound its output, shape the answer.
//
// It knows no flags, terminals or output formats. Everything that a caller has to be told is in the [Result]; an
// error of pi itself is a Result too, with status "error".
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

// Request is one command to run. Only Command is required.
type Request struct {
	Command string        // shell text
	Cwd     string        // relative to the Runner's directory; empty: that directory
	Timeout time.Duration // zero: the configured one; clamped to [MinTimeout, MaxTimeout]
	// TimeoutSet makes a zero Timeout count (and be clamped) instead of meaning the configured one.
	TimeoutSet  bool
	Since       time.Time // what the timeout is counted from, in a session; zero: the call of Run
	Env         []string  // KEY=VALUE, wins over every other source
	Head, Tail  int       // lines to show; 0: no limit
	Tools       []string  // available tools for interception; nil: the configured ones
	Stdin       *os.File  // nil: /dev/null
	MaxBytes    int       // bound of the shown text; 0: the configured one
	NoNormalize bool
	NoIntercept bool

	// PTY, when not nil, has the command run in a pseudo-terminal: by `sh -lc`, whatever the configured shell is. Limits
	// stay in the text then, since a command that writes to a pipe behaves unlike one that writes to a terminal; Stdin
	// is not used. Not in a session.
	PTY *PTY

	// Live receives the run's events. Its fields may be nil.
	Live Live
	// Hurry, when closed, takes away the grace that a cancelled tree has. May be nil.
	Hurry <-chan struct{}
}

// Live are the events of a run. The calls come from the run's goroutines, one at a time, and must not block for long.
type Live struct {
	Start  func(Details)        // before the shell is started; exit fields are empty
	Update func(sink.Snapshot)  // at most one every 50 ms
	Text   func(p []byte)       // the text stream as it is committed, unbounded; p is valid during the call
	Held   func(partial []byte) // the unfinished current line after a chunk; may be empty
}

// Runner runs requests under one configuration.
type Runner struct {
	cfg     config.Config
	environ []string // the host's
	store   *artifact.Store
	checker *intercept.Checker // nil: interception is off

	mu    sync.Mutex
	shell shell.Shell // of sessions
	key   sessionKey  // of sessions, without a name; zero before the first
}

// New makes a Runner. environ is the host's environment, KEY=VALUE. The store may be nil: no artifacts then.
func New(cfg config.Config, environ []string, store *artifact.Store) *Runner {
	r := &Runner{cfg: cfg, environ: environ, store: store}
	if cfg.BashInterceptor.Enabled {
		r.checker, _ = NewChecker(cfg)
	}
	return r
}

// NewChecker makes the interceptor that the configuration asks for, whether it is switched on or not, and names the
// rules that cannot work.
func NewChecker(cfg config.Config) (*intercept.Checker, []intercept.InvalidRule) {
	rules := make([]intercept.Rule, len(cfg.BashInterceptor.Patterns))
	for i, r := range cfg.BashInterceptor.Patterns {
		rules[i] = intercept.Rule(r)
	}
	return intercept.New(rules, cfg.BashInterceptor.ReplaceDefaults)
}

// job is a request on its way through the pipeline.
type job struct {
	*Runner
	q       Request
	d       Details
	limits  normalize.Limits // what is applied
	split   bool             // a limit was extracted from the text: it holds for standard output only
	headEnd bool             // the head limit was extracted: it ends its producer
	// noStatus: the command could not be run, which its output tells
	noStatus bool
	timeout  time.Duration
	max      int
	began    time.Time
	hand     handOver // nil: startDrain
}

// Run runs one request until its end. Cancelling ctx ends the command's whole tree.
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

// admit looks at the text alone: settles what is to be run, and tells whether the job is over with that.
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

// checkText refuses what no shell can be given.
func checkText(command string) error {
	if i := strings.IndexByte(command, 0); i >= 0 {
		return fmt.Errorf("command has a NUL byte at offset %d; a shell cannot be given one", i)
	}
	if strings.TrimFunc(command, unicode.IsSpace) == "" {
		return errors.New("command is empty")
	}
	return nil
}

// normalize settles the text and the line limits. Explicit limits win over extracted ones, each for itself.
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

// prepare finds everything that the engine needs. Nothing has run when it fails.
func (j *job) prepare(ctx context.Context) (shell.Spec, error) {
	if err := j.place(); err != nil {
		return shell.Spec{}, err
	}
	sh, err := shell.Choose(j.cfg.Shell.Path, j.environ)
	if err != nil {
		return shell.Spec{}, err
	}
	if sh.Embedded() {
		j.sayEmbedded()
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
		Timeout: j.timeout, Split: j.split, Snapshot: snap.Script, Hurry: j.q.Hurry,
	}, nil
}

// place checks the variables of the call, and finds the directory.
func (j *job) place() error {
	for _, kv := range j.q.Env {
		if err := CheckVariable(kv); err != nil {
			return err
		}
	}
	dir, err := Directory("", j.q.Cwd)
	j.d.Cwd = dir
	return err
}

// settle fixes timeout and bound, configured values standing in for absent ones.
func (j *job) settle() {
	j.settleTimeout()
	if j.max = j.q.MaxBytes; j.max <= 0 {
		j.max = int(j.cfg.Bash.MaxBytes)
	}
}

func (j *job) settleTimeout() {
	if !j.q.timed() && j.q.PTY != nil && j.q.PTY.Attended {
		j.timeout = unlimited // who sits before a program ends it
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
