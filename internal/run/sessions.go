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

// Busy says what becomes of a run whose session has another run going on.
type Busy uint8

// The ways of dealing with a busy session.
const (
	BusyOneShot Busy = iota // a shell of its own, that nothing comes back from; the result says so
	BusyWait                // wait for the session, as long as the run's timeout allows
	BusyRefuse              // an error
)

// In names the session that a run belongs to.
type In struct {
	Name string // must not be empty
	Busy Busy
	Dir  string // absolute directory that a new session begins in; empty: the Runner's own
}

// Sessions keeps persistent shells between runs. A session belongs to its name together with what its shell is started
// with: program, prefix, snapshot setting and environment; a run with other settings has another session of the same
// name. Make one with [NewSessions]; its methods may be called from several goroutines.
type Sessions struct {
	mu     sync.Mutex
	closed bool
	byKey  map[sessionKey]*session
	late   lateOutput
}

// sessionKey is what makes two runs share a shell.
type sessionKey struct{ name, shell, prefix, snapshot, environment string }

// session is a persistent shell with the queue before it.
type session struct {
	name  string
	path  string // of the shell
	shell *shellsession.Session
	turn  chan struct{} // holds one item while nobody runs; waiters are served in order

	mu   sync.Mutex
	used time.Time // when the last run ended

	closing sync.Once // everybody who closes it waits until it is closed
}

// errSessionsClosed is the answer to runs that come too late.
var errSessionsClosed = errors.New("the sessions are closed")

// NewSessions makes an empty set.
func NewSessions() *Sessions { return &Sessions{byKey: map[sessionKey]*session{}} }

// Run runs one request in a session, which is started if there is none, and otherwise as [Runner.Run] does. An empty
// Cwd is the session's own directory, a relative one is resolved against it, and either holds for this run alone.
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
		return r.unkept(ctx, in, q)
	}
	j.settle()
	switch free, err := one.await(ctx, j, in.Busy); {
	case err != nil:
		return j.fail(err)
	case !free && in.Busy == BusyOneShot:
		return one.beside(ctx, r, q)
	case !free:
		return j.never(ctx, in.Name)
	}
	defer one.release()
	return j.inSession(ctx, s, one)
}

// session finds or makes the session of a run; nil without an error is for shells that keep none.
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
	// Reading the user's rc files may take seconds: nobody else has to wait for that.
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
	if one := s.byKey[key]; one != nil { // somebody was quicker
		return one, nil
	}
	s.byKey[key] = fresh
	return fresh, nil
}

// sessionShell gives the shell of this runner's sessions, and what tells them from those of others. It is found once: to
// do so for every run would cost as much as a short run.
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

// unkept runs a request in the embedded shell, which does not live on.
func (r *Runner) unkept(ctx context.Context, in In, q Request) Result {
	if q.Cwd == "" {
		q.Cwd = in.Dir
	}
	res := r.Run(ctx, q)
	res.Details.Warnings = append(res.Details.Warnings, "the embedded shell keeps no session: nothing of this command stays")
	return res
}

// await takes the session for a run; free is false if it did not get it.
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

// never makes the result of a run whose turn did not come.
func (j *job) never(ctx context.Context, name string) Result {
	end := shell.End{Cancelled: ctx.Err() != nil, TimedOut: ctx.Err() == nil}
	if end.TimedOut {
		j.warn(fmt.Sprintf("session %s was busy all that time; the command was not started", name))
	}
	return j.collect(ctx, func(func(shell.Stream, []byte) bool) (shell.End, error) { return end, nil })
}

// beside runs a request in a shell of its own, in the directory of the busy session.
func (o *session) beside(ctx context.Context, r *Runner, q Request) Result {
	cwd := o.shell.Cwd()
	if dir, err := Directory(cwd, q.Cwd); err == nil {
		q.Cwd = dir
	}
	res := r.Run(ctx, q)
	res.Details.Warnings = append(res.Details.Warnings,
		fmt.Sprintf("session %s is busy: the command ran in a shell of its own, and what it changed there is gone", o.name))
	return res
}

// List describes all sessions that there are, in no order.
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

// all gives the sessions of a name; an empty name is all of them.
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

// CloseSession ends the sessions of a name with everything that they started, and tells whether there was one.
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

// Close ends all sessions with everything that they started, and refuses runs from then on.
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

// lateOutput reads on where background jobs of sessions still hold an output.
type lateOutput struct {
	mu     sync.Mutex
	closed bool
	files  map[*os.File]bool
	wg     sync.WaitGroup
}

// keep goes on reading until the last writer is gone or the sessions are closed. It owns the files.
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
		// What goes wrong is the artifact's fate, and its description tells.
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
