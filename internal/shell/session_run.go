//go:build unix

package shell

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"pi/internal/environ"
	"pi/internal/ps"
	"pi/internal/shelltext"
)

// run brings a shell up if there is none, and runs the command in it. A shell that turns out to be unable to read the
// request, whatever user code did to it, is replaced once: nothing was run then.
func (s *Session) run(r *sessionRun) (res RunResult, err error) {
	text := shelltext.CapBreaks(r.Command) // the driver's loops are around it
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
			res.End, res.Dropped = s.cut(how, r, nil), true
			return res, nil
		}
		var started bool
		res.End, started, err = s.perform(r, text)
		if !started && err == nil && try > 0 {
			err = errUnread
		}
		if err != nil || started {
			res.Dropped = s.live == nil
			return res, err
		}
	}
}

// errUnread says that nothing was run, since two shells, one of them new, would not take the request.
var errUnread = errors.New("the shell cannot be given this command, its directory or its variables; nothing was run")

// ready sees to it that there is a shell. how tells whether it got there.
func (s *Session) ready(r *sessionRun) (fresh bool, how outcome, err error) {
	if s.live != nil && s.live.ended() {
		s.retire("the session's shell ended while idle")
	}
	if s.live != nil {
		r.watch(s.live)
		return false, reported, nil
	}
	how, err = s.start(r)
	return true, how, err
}

// start brings up a new shell: with the snapshot, and after a drop with the directory and the exported variables of
// the last one.
func (s *Session) start(r *sessionRun) (outcome, error) {
	dir := s.spec.Dir
	if enterable(s.cwd) == nil {
		dir = s.cwd
	} else if s.cwd != dir {
		r.warnings = append(r.warnings, fmt.Sprintf("the working directory %s does not exist any more", s.cwd))
	}
	var env []string
	if s.last.exports == "" { // otherwise the text that brings them back is complete
		env = slices.DeleteFunc(slices.Clone(s.spec.Env), func(kv string) bool { return environ.Name(kv) == "PWD" })
		env = append(env, "PWD="+dir) // a path through a link stays one
	}
	l, err := startLive(s.spec.Shell, dir, env, s.place)
	if err != nil {
		return 0, err
	}
	r.watch(l)
	s.mu.Lock()
	s.live = l
	s.mu.Unlock()
	last := s.last
	for _, text := range l.beginning(s.spec.Snapshot, last.exports, dir) {
		how, err := s.prepare(r, text)
		if err != nil || how != reported {
			return how, err
		}
	}
	l.learn(s.spec.Snapshot)
	if s.lost != "" {
		r.warnings = append(r.warnings, s.lost+"; a new one has its working directory and exported variables, all else is lost")
	}
	s.lost = ""
	return reported, nil
}

// prepare runs text in a new shell, away from anybody's output.
func (s *Session) prepare(r *sessionRun, text string) (outcome, error) {
	l := s.live
	if err := l.send(request{output: "/dev/null", text: text}); err != nil {
		return 0, err
	}
	_, how := l.wait(r, -1)
	if how == ended {
		s.retire("the session's shell ended at its start")
		return 0, fmt.Errorf("start %s: it ended before the first command", s.spec.Shell.Path)
	}
	l.last.status = 0
	return how, nil
}

// watch has l woken when r's caller has had enough. The time limit is part of the waiting: a timer a run would take
// longer than a short run.
func (r *sessionRun) watch(l *live) {
	r.unwatch()
	r.stop = context.AfterFunc(r.ctx, l.alarm.ring)
}

// perform runs the command in the present shell. started is false if it surely was not run, because the shell is of
// no use any more.
func (s *Session) perform(r *sessionRun, text string) (end End, started bool, err error) {
	l := s.live
	q := request{text: text, dir: r.Dir, env: r.Env}
	out := l.out
	if out == nil {
		p, err := l.wires.place.pipe()
		if err != nil {
			return End{}, true, fmt.Errorf("create output pipe: %w", err)
		}
		out = &p
	}
	q.output, q.open = out.word(), l.out != nil
	l.out = nil
	began := time.Now()
	if began.Sub(l.looked) > shortRun {
		l.births.Look()
		l.stirs.Add(1)
	}
	if err := l.send(q); err != nil {
		out.close()
		s.retire("the session's shell could not be reached")
		return End{}, true, err
	}
	plain := l.plain
	rep, how := l.wait(r, out.r)
	switch {
	case how == reported && rep.seq == unread:
		out.close()
		s.retire("the session's shell was damaged")
		return End{}, false, nil
	case how == ended && l.unread():
		out.close()
		s.retire("the session's shell ended while idle")
		return End{}, false, nil
	case how == reported && rep.seq == noDir:
		l.release(r, out.r)
		out.close()
		return End{}, true, fmt.Errorf("the shell cannot enter %s", r.Dir)
	case how == reported && rep.seq == wiped:
		s.keep(rep)
		end.ExitCode, end.Warnings = rep.status, l.tree.Warnings()
		end = s.conclude(end, l.release(r, out.r), r, out)
		if s.live != nil {
			s.retire("the last command took away what the session's shell is led by")
		}
		return end, true, nil
	case how == reported:
		s.keep(rep)
		end.ExitCode, end.Warnings = rep.status, l.tree.Warnings()
		stirred := l.births.Look()
		l.looked = time.Now()
		if plain && !stirred && l.looked.Sub(began) < shortRun {
			l.out = out // nobody was born meanwhile, so nobody else has the pipe: it will do for the next run, too
			return end, true, nil
		}
		l.stirs.Add(1)
		how = l.release(r, out.r)
	}
	return s.conclude(end, how, r, out), true, nil
}

// conclude ends a run whose output may be held by others: the shell itself has let go of it, or is gone, or has to go.
func (s *Session) conclude(end End, how outcome, r *sessionRun, out *rawPipe) End {
	l := s.live
	outs := pipes{{r: out.reader(), buf: l.buf}}
	outs.read(func(_ Stream, p []byte) bool { r.out(p); return true })
	if how == timedOut || how == cancelled {
		return s.cut(how, r, outs)
	}
	timer := time.NewTimer(time.Until(r.deadline))
	defer timer.Stop()
	if outs.settle(r.ctx, timer) {
		return s.cut(cancelled, r, outs)
	}
	if how == ended {
		st := l.tree.State()
		end.ExitCode, end.Signal = st.ExitCode, st.Signal
		end.Warnings = l.tree.Warnings()
	}
	if end.Held = outs.held(); len(end.Held) > 0 {
		end.Background = l.tree.Background()
	}
	if how == ended {
		s.retire("the session's shell ended with the last command")
	}
	return end
}

// keep remembers what a later shell has to be told.
func (s *Session) keep(rep report) {
	s.last = rep
	cwd := rep.pwd
	if !s.live.plain || cwd != s.cwd {
		cwd = s.live.cwd(rep)
	}
	s.mu.Lock()
	s.cwd = cwd
	s.mu.Unlock()
}

// cut ends everything of the session, and reads what a trap printed on its way out.
func (s *Session) cut(how outcome, r *sessionRun, outs pipes) End {
	end := End{TimedOut: how == timedOut, Cancelled: how == cancelled}
	s.lost = "the session's shell was ended with the last command, which was cancelled"
	if end.TimedOut {
		s.lost = "the session's shell was ended with the last command, which timed out"
	}
	end.Survivors = s.endAll(r.Hurry)
	if outs != nil {
		<-outs.drain(endDrainIdle, endDrainCap)
		outs.closeReaders()
	}
	return end
}

// retire lets go of a shell that ended by itself, or is of no use. Its background jobs stay the session's. The shell is
// gone before its pipes are closed: it opens them by number, and that will soon be somebody else's.
func (s *Session) retire(why string) {
	l := s.live
	s.lost = why
	l.tree.KillLeader()
	select {
	case <-l.tree.Done():
	case <-time.After(leaveLimit):
		l.tree.End(0, nil)
	}
	l.close()
	var old []*ps.Tree
	for _, t := range append(s.old, l.tree) {
		if len(t.Background()) == 0 {
			_ = t.Release()
			continue
		}
		old = append(old, t)
	}
	s.mu.Lock()
	s.live, s.old = nil, old
	s.mu.Unlock()
}

// endAll ends all trees of the session at once, and counts what could not be ended. The caller is the run that goes
// on, or Close.
func (s *Session) endAll(hurry <-chan struct{}) int {
	s.mu.Lock()
	l, trees := s.live, s.trees()
	s.live, s.old = nil, nil
	s.mu.Unlock()
	survivors := make([]int, len(trees))
	var wg sync.WaitGroup
	for i, t := range trees {
		wg.Go(func() { survivors[i] = t.End(endGrace, hurry).Survivors })
	}
	wg.Wait()
	if l != nil {
		l.close()
	}
	n := 0
	for _, k := range survivors {
		n += k
	}
	return n
}

// trees are all trees that the session is answerable for. The caller holds mu, or is the run that goes on.
func (s *Session) trees() []*ps.Tree {
	trees := s.old[:len(s.old):len(s.old)]
	if s.live != nil {
		trees = append(trees, s.live.tree)
	}
	return trees
}
