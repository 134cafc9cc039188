package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"pi/internal/artifact"
	"pi/internal/shell"
	shellsession "pi/internal/shell/session"
)

// Busy says what to do with a run whose session is running another command.
type Busy uint8

// The values of Busy.
const (
	BusyOneShot Busy = iota // run in a new shell whose state is lost; the result says so
	BusyWait                // wait for the session, within the run's timeout
	BusyRefuse              // return an error
)

// In names the session that a run belongs to.
type In struct {
	Name string // must not be empty
	Busy Busy
	Dir  string // absolute start directory of a new session; empty: the current one
}

// Sessions keeps persistent shells between runs. A session is identified by its name together with the settings of its
// shell: program, prefix, snapshot and environment. A run with other settings uses another session of the same name. Create
// one with [NewSessions]; its methods may be called from several goroutines.
type Sessions struct {
	mu     sync.Mutex
	closed bool
	byKey  map[sessionKey]*session
	late   lateOutput
}

// sessionKey identifies a session: runs with the same key share a shell.
type sessionKey struct{ name, shell, prefix, snapshot, environment string }

// session is a persistent shell with its queue of runs.
type session struct {
	name  string
	path  string // of the shell
	shell *shellsession.Session
	turn  chan struct{} // holds one value while idle; waiters are served in order

	mu   sync.Mutex
	used time.Time // when the last run ended

	closing sync.Once // concurrent closers all wait until it is closed
}

// errSessionsClosed is the error of runs after Close.
var errSessionsClosed = errors.New("the sessions are closed")

// NewSessions returns an empty set of sessions.
func NewSessions() *Sessions { return &Sessions{byKey: map[sessionKey]*session{}} }

// Run runs one request in a session, as [Runner.Run] does otherwise. It starts the session if there is none. An empty Cwd
// means the session's current directory, a relative one is resolved against it, and both apply to this run alone.
func (s *Sessions) Run(ctx context.Context, r *Runner, in In, q Request) Result {
	j := r.newJob(q)
	if res, over := j.admit(); over {
		return res
	}
	if q.Stdin != nil {
		return j.fail(errors.New("commands of a session have no standard input"))
	}
	one, err := s.session(ctx, j, in)
	if err != nil {
		return j.fail(err)
	}
	if one == nil {
		return r.runWithoutSession(ctx, in, q)
	}
	j.settle()
	switch free, err := one.await(ctx, j, in.Busy); {
	case err != nil:
		return j.fail(err)
	case !free && in.Busy == BusyOneShot:
		return one.runOneShot(ctx, r, q)
	case !free:
		return j.turnNeverCame(ctx, in.Name)
	}
	defer one.release()
	return j.inSession(ctx, s, one)
}

// session returns the session of a run and creates it if needed. It returns nil without an error for a shell that cannot
// keep sessions.
func (s *Sessions) session(ctx context.Context, j *job, in In) (*session, error) {
	sh, key, err := j.sessionShell()
	if err != nil || sh.Embedded() {
		return nil, err
	}
	key.name = in.Name
	s.mu.Lock()
	one, closed := s.byKey[key], s.closed
	s.mu.Unlock()
	if one != nil || closed {
		return one, closedError(closed)
	}
	dir, err := Directory("", in.Dir)
	if err != nil {
		return nil, err
	}
	// Reading the user's rc files may take seconds, so do not hold the lock.
	snap, warning := TakeSnapshot(ctx, j.cfg.Shell, sh, j.environ)
	if warning != "" {
		j.warn(warning)
	}
	fresh := newSession(in.Name, shellsession.Spec{
		Shell: sh, Prefix: j.cfg.Shell.Prefix, Dir: dir, Snapshot: snap.Script,
		Env: environment(j.environ, pairs(j.cfg.Shell.Env), snap.Env, nil, !j.cfg.Bash.Unattended),
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errSessionsClosed
	}
	if one := s.byKey[key]; one != nil { // another run created it meanwhile
		return one, nil
	}
	s.byKey[key] = fresh
	return fresh, nil
}

// sessionShell returns the shell of this runner's sessions and their key without a name. It computes both once: doing so
// for every run would cost as much as a short run.
func (r *Runner) sessionShell() (shell.Shell, sessionKey, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.key != (sessionKey{}) {
		return r.shell, r.key, nil
	}
	sh, err := shell.Choose(r.cfg.Shell.Path, r.environ)
	if err != nil || sh.Embedded() {
		return sh, sessionKey{}, err
	}
	r.shell, r.key = sh, sessionKey{shell: sh.Path, prefix: r.cfg.Shell.Prefix, snapshot: r.cfg.Shell.Snapshot,
		environment: strings.Join(environment(r.environ, pairs(r.cfg.Shell.Env), nil, nil, !r.cfg.Bash.Unattended), "\x00")}
	return r.shell, r.key, nil
}

func closedError(closed bool) error {
	if closed {
		return errSessionsClosed
	}
	return nil
}

func newSession(name string, spec shellsession.Spec) *session {
	one := &session{name: name, path: spec.Shell.Path, shell: shellsession.New(spec), turn: make(chan struct{}, 1), used: time.Now()}
	one.turn <- struct{}{}
	return one
}

// runWithoutSession runs a request in the embedded shell, which keeps no state.
func (r *Runner) runWithoutSession(ctx context.Context, in In, q Request) Result {
	if q.Cwd == "" {
		q.Cwd = in.Dir
	}
	res := r.Run(ctx, q)
	res.Details.Warnings = append(res.Details.Warnings, "the embedded shell has no sessions: the state of this command is lost")
	return res
}

// await waits for the run's turn, and reports whether it came.
func (o *session) await(ctx context.Context, j *job, busy Busy) (free bool, err error) {
	select {
	case <-o.turn:
		return true, nil
	default:
	}
	switch busy {
	case BusyOneShot:
		return false, nil
	case BusyRefuse:
		return false, fmt.Errorf("session %s is busy", o.name)
	}
	timer := time.NewTimer(j.timeout - time.Since(j.began))
	defer timer.Stop()
	select {
	case <-o.turn:
		return true, nil
	case <-timer.C:
	case <-ctx.Done():
	}
	return false, nil
}

func (o *session) release() {
	o.mu.Lock()
	o.used = time.Now()
	o.mu.Unlock()
	o.turn <- struct{}{}
}

// turnNeverCame returns the result of a run that timed out or was cancelled while it waited.
func (j *job) turnNeverCame(ctx context.Context, name string) Result {
	end := shell.End{Cancelled: ctx.Err() != nil, TimedOut: ctx.Err() == nil}
	if end.TimedOut {
		j.warn(fmt.Sprintf("session %s stayed busy; the command was not started", name))
	}
	return j.collect(ctx, func(func(shell.Stream, []byte) bool) (shell.End, error) { return end, nil })
}

// runOneShot runs a request in a new shell, in the directory of the busy session.
func (o *session) runOneShot(ctx context.Context, r *Runner, q Request) Result {
	cwd := o.shell.Cwd()
	if dir, err := Directory(cwd, q.Cwd); err == nil {
		q.Cwd = dir
	}
	res := r.Run(ctx, q)
	res.Details.Warnings = append(res.Details.Warnings,
		fmt.Sprintf("session %s is busy: the command ran in a new shell, whose state is lost", o.name))
	return res
}

// List describes all sessions, in no particular order.
func (s *Sessions) List() []SessionInfo {
	list := []SessionInfo{}
	for _, o := range s.all("") {
		list = append(list, o.info())
	}
	return list
}

func (o *session) info() SessionInfo {
	cwd, busy, _ := o.shell.State()
	i := SessionInfo{Name: o.name, Shell: o.path, Cwd: cwd, Busy: busy, BackgroundJobs: jobs(o.shell.Jobs())}
	if !busy {
		o.mu.Lock()
		i.IdleSeconds = time.Since(o.used).Truncate(time.Millisecond).Seconds()
		o.mu.Unlock()
	}
	return i
}

// all returns the sessions of a name, or all sessions for an empty name.
func (s *Sessions) all(name string) (list []*session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, o := range s.byKey {
		if name == "" || k.name == name {
			list = append(list, o)
		}
	}
	return list
}

// CloseSession terminates the sessions of a name and everything they started. It reports whether there was one.
func (s *Sessions) CloseSession(name string) bool {
	list := s.all(name)
	s.mu.Lock()
	for k := range s.byKey {
		if k.name == name {
			delete(s.byKey, k)
		}
	}
	s.mu.Unlock()
	closeAll(list)
	return len(list) > 0
}

// Close terminates all sessions and everything they started. Later runs fail.
func (s *Sessions) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	closeAll(s.all(""))
	s.late.close()
}

func closeAll(list []*session) {
	var wg sync.WaitGroup
	for _, o := range list {
		wg.Go(func() { o.closing.Do(o.shell.Close) })
	}
	wg.Wait()
}

// lateOutput reads the output of sessions' background jobs after their commands have ended.
type lateOutput struct {
	mu     sync.Mutex
	closed bool
	files  map[*os.File]bool
	wg     sync.WaitGroup
}

// keep reads until the last writer is gone or the sessions are closed. It owns the pipes. It is a [readerHandoff].
func (l *lateOutput) keep(held map[shell.Stream]*os.File, state *artifact.State) error {
	files := inOrder(held)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		closeFiles(files)
		return errSessionsClosed
	}
	if l.files == nil {
		l.files = map[*os.File]bool{}
	}
	for _, f := range files {
		l.files[f] = true
	}
	l.wg.Go(func() {
		// Errors end up in the artifact's metadata.
		_ = drain(files, state)
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, f := range files {
			delete(l.files, f)
		}
	})
	return nil
}

func (l *lateOutput) close() {
	l.mu.Lock()
	l.closed = true
	for f := range l.files {
		f.Close()
	}
	l.mu.Unlock()
	l.wg.Wait()
}
