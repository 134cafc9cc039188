//go:build unix

package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"pi/internal/drain"
	"pi/internal/environ"
	"pi/internal/ps"
	"pi/internal/shell"
	"pi/internal/shelltext"
)

// runIn starts a shell if there is none, and runs the command in it. If the shell cannot read the request, whatever user code did
// to it, it is replaced once: nothing has run then.
func (s *Session) runIn(r *activeRun) (res Result, err error) {
	text := r.Command
	if s.spec.Shell.Dialect.Language == shell.POSIX {
		text = shelltext.CapBreaks(text) // the driver's loops surround it
	}
	if s.spec.Prefix != "" {
		text = s.spec.Prefix + " " + text
	}
	for try := 0; ; try++ {
		fresh, how, err := s.ready(r)
		if err != nil {
			return res, err
		}
		res.Fresh = res.Fresh || fresh
		if how != reported {
			res.End, res.Dropped = s.kill(how, r, nil), true
			return res, nil
		}
		var started bool
		res.End, started, err = s.perform(r, text)
		if !started && err == nil && try > 0 {
			err = errUnread
		}
		if err != nil || started {
			res.Dropped = s.proc == nil
			return res, err
		}
	}
}

// errUnread means that nothing was run: two shells, one of them new, did not read the request.
var errUnread = errors.New("the shell cannot be given this command, its directory or its variables; nothing was run")

// ready ensures that there is a shell. how is reported if there is.
func (s *Session) ready(r *activeRun) (fresh bool, how outcome, err error) {
	if s.proc != nil && s.proc.ended() {
		s.discard("the session's shell ended while idle")
	}
	if s.proc != nil {
		r.watch(s.proc)
		return false, reported, nil
	}
	how, err = s.start(r)
	return true, how, err
}

// start starts a new shell: with the snapshot, and after a drop with the directory and the exported variables of the last one.
func (s *Session) start(r *activeRun) (outcome, error) {
	dir := s.spec.Dir
	if enterable(s.cwd) == nil {
		dir = s.cwd
	} else if s.cwd != dir {
		r.warnings = append(r.warnings, fmt.Sprintf("the working directory %s does not exist any more", s.cwd))
	}
	var env []string
	if s.last.exports == "" { // otherwise the text that restores them is complete
		env = slices.DeleteFunc(slices.Clone(s.spec.Env), func(kv string) bool { return environ.Name(kv) == "PWD" })
		env = append(env, "PWD="+dir) // a path through a symbolic link stays one
	}
	p, err := startShell(s.spec.Shell, dir, env, s.transport)
	if err != nil {
		return 0, err
	}
	r.watch(p)
	s.mu.Lock()
	s.proc = p
	s.mu.Unlock()
	last := s.last
	for _, text := range p.language.setup(s.spec.Snapshot, last.exports, dir) {
		how, err := s.prepare(r, text)
		if err != nil || how != reported {
			return how, err
		}
	}
	p.learn(s.spec.Snapshot)
	if s.lostReason != "" {
		r.warnings = append(r.warnings, s.lostReason+"; a new one has its working directory and exported variables, everything else is lost")
	}
	s.lostReason = ""
	return reported, nil
}

// prepare runs text in a new shell and discards its output.
func (s *Session) prepare(r *activeRun, text string) (outcome, error) {
	p := s.proc
	if err := p.send(request{output: "/dev/null", text: text}); err != nil {
		return 0, err
	}
	_, how := p.wait(r, -1)
	if how == ended {
		s.discard("the session's shell ended at its start")
		return 0, fmt.Errorf("start %s: it ended before the first command", s.spec.Shell.Path)
	}
	p.last.status = 0
	return how, nil
}

// watch wakes p when r's context is done. The time limit is part of the wait: a timer per run would take longer than a short run.
func (r *activeRun) watch(p *shellProcess) {
	r.unwatch()
	r.stop = context.AfterFunc(r.ctx, p.wakeup.signal)
}

// perform runs the command in the present shell. started is false if it certainly did not run, because the shell is unusable.
func (s *Session) perform(r *activeRun, text string) (end shell.End, started bool, err error) {
	p := s.proc
	q := request{text: text, dir: r.Dir, env: r.Env}
	out := p.out
	if out == nil {
		made, err := p.control.transport.pipe()
		if err != nil {
			return shell.End{}, true, fmt.Errorf("create output pipe: %w", err)
		}
		out = &made
	}
	q.output, q.open = out.word(p.language), p.out != nil
	p.out = nil
	began := time.Now()
	if began.Sub(p.checked) > forkCheck {
		p.forks.Look()
		p.activity.Add(1)
	}
	if err := p.send(q); err != nil {
		out.close()
		s.discard("the session's shell could not be reached")
		return shell.End{}, true, err
	}
	plain := p.plain
	rep, how := p.wait(r, out.r)
	switch {
	case how == reported && rep.seq == unread:
		out.close()
		s.discard("the session's shell was damaged")
		return shell.End{}, false, nil
	case how == ended && p.unread():
		out.close()
		s.discard("the session's shell ended while idle")
		return shell.End{}, false, nil
	case how == reported && rep.seq == noDir:
		p.release(r, out.r)
		out.close()
		return shell.End{}, true, fmt.Errorf("the shell cannot enter %s", r.Dir)
	case how == reported && rep.seq == wiped:
		s.remember(rep)
		end.ExitCode, end.Warnings = rep.status, p.tree.Warnings()
		end = s.conclude(end, p.release(r, out.r), r, out)
		if s.proc != nil {
			s.discard("the last command removed the variables that control the session's shell")
		}
		return end, true, nil
	case how == reported:
		s.remember(rep)
		end.ExitCode, end.Warnings = rep.status, p.tree.Warnings()
		forked := p.forks.Look()
		p.checked = time.Now()
		if plain && !forked && p.checked.Sub(began) < forkCheck {
			p.out = out // no fork, so nobody else has the pipe: the next run can use it
			return end, true, nil
		}
		p.activity.Add(1)
		how = p.release(r, out.r)
	}
	return s.conclude(end, how, r, out), true, nil
}

// conclude ends a run whose output others may hold: the shell itself has closed it, or is gone, or will be killed.
func (s *Session) conclude(end shell.End, how outcome, r *activeRun, out *rawPipe) shell.End {
	p := s.proc
	outs := drain.Single(out.reader(), p.buf)
	outs.Read(func(_ drain.Stream, p []byte) bool { r.out(p); return true })
	if how == timedOut || how == cancelled {
		return s.kill(how, r, outs)
	}
	timer := time.NewTimer(time.Until(r.deadline))
	defer timer.Stop()
	if outs.Settle(r.ctx, timer.C) {
		return s.kill(cancelled, r, outs)
	}
	if how == ended {
		st := p.tree.State()
		end.ExitCode, end.Signal = st.ExitCode, st.Signal
		end.Warnings = p.tree.Warnings()
	}
	if end.Held = outs.Held(); len(end.Held) > 0 {
		end.Background = p.tree.Background()
	}
	if how == ended {
		s.discard("the session's shell ended with the last command")
	}
	return end
}

// remember stores what a later shell must be told.
func (s *Session) remember(rep report) {
	s.last = rep
	cwd := rep.pwd
	if !s.proc.plain || cwd != s.cwd {
		cwd = s.proc.cwd(rep)
	}
	s.mu.Lock()
	s.cwd = cwd
	s.mu.Unlock()
}

// kill kills everything of the session, and reads what a trap printed.
func (s *Session) kill(how outcome, r *activeRun, outs drain.Outputs) shell.End {
	end := shell.End{TimedOut: how == timedOut, Cancelled: how == cancelled}
	s.lostReason = "the session's shell was killed with the last command, which was cancelled"
	if end.TimedOut {
		s.lostReason = "the session's shell was killed with the last command, which timed out"
	}
	end.Survivors = s.killAll(r.Force)
	if outs != nil {
		outs.Finish()
	}
	return end
}

// discard drops a shell that exited by itself or is unusable. Its background jobs stay with the session. The shell must be gone
// before its pipes are closed: it opens them by number, and the number will soon be another file's.
func (s *Session) discard(why string) {
	p := s.proc
	s.lostReason = why
	p.tree.KillLeader()
	select {
	case <-p.tree.Done():
	case <-time.After(exitLimit):
		p.tree.End(0, nil)
	}
	p.close()
	var old []*ps.Tree
	for _, t := range append(s.old, p.tree) {
		if len(t.Background()) == 0 {
			_ = t.Release()
			continue
		}
		old = append(old, t)
	}
	s.mu.Lock()
	s.proc, s.old = nil, old
	s.mu.Unlock()
}

// killAll kills all process trees of the session in parallel, and returns the number of processes that survived. The caller is the
// active run, or Close.
func (s *Session) killAll(force <-chan struct{}) int {
	s.mu.Lock()
	p, trees := s.proc, s.trees()
	s.proc, s.old = nil, nil
	s.mu.Unlock()
	survivors := make([]int, len(trees))
	var wg sync.WaitGroup
	for i, t := range trees {
		wg.Go(func() { survivors[i] = t.End(shell.KillGrace, force).Survivors })
	}
	wg.Wait()
	if p != nil {
		p.close()
	}
	n := 0
	for _, k := range survivors {
		n += k
	}
	return n
}

// trees returns all process trees that belong to the session. The caller holds mu, or is the active run.
func (s *Session) trees() []*ps.Tree {
	trees := s.old[:len(s.old):len(s.old)]
	if s.proc != nil {
		trees = append(trees, s.proc.tree)
	}
	return trees
}
