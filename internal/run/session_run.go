package run

import (
	"context"
	"fmt"
	"time"

	"pi/internal/normalize"
	"pi/internal/shell"
	shellsession "pi/internal/shell/session"
)

// inSession runs a job in a session, of which it has the turn.
func (j *job) inSession(ctx context.Context, s *Sessions, one *session) Result {
	o, err := j.sessionOptions(one)
	if err != nil {
		return j.fail(err)
	}
	j.handoff = s.late.keep
	return j.collect(ctx, func(out func(shell.Stream, []byte) bool) (shell.End, error) {
		var r shellsession.Result
		var err error
		if j.split {
			r, err = one.shell.RunSplit(ctx, o, out)
		} else {
			r, err = one.shell.Run(ctx, o, func(p []byte) { out(shell.Stdout, p) })
		}
		if err != nil {
			return r.End, fmt.Errorf("session %s: %w", one.name, err)
		}
		j.d.Session = &SessionDetails{one.name, r.Cwd, r.Fresh, r.Dropped}
		r.End.Background = one.shell.Jobs()
		return r.End, nil
	})
}

// sessionOptions sets the directory, the text and the remaining time.
func (j *job) sessionOptions(one *session) (shellsession.Options, error) {
	o := shellsession.Options{Env: j.q.Env, Timeout: max(j.timeout-time.Since(j.began), time.Millisecond), Force: j.q.Force}
	for _, kv := range j.q.Env {
		if err := CheckVariable(kv); err != nil {
			return o, err
		}
	}
	cwd := one.shell.Cwd()
	j.d.Cwd = cwd
	if j.q.Cwd != "" {
		dir, err := Directory(cwd, j.q.Cwd)
		if err != nil {
			return o, err
		}
		j.d.Cwd, o.Dir = dir, dir
	}
	if j.split && !one.shell.Splits() {
		j.unrewrite()
	}
	o.Command = j.d.Command
	return o, nil
}

// unrewrite puts an extracted limit back into the text.
func (j *job) unrewrite() {
	was := j.q.NoNormalize
	j.q.NoNormalize = true
	j.split, j.headEnd, j.limits = false, false, normalize.Limits{}
	j.normalize()
	j.q.NoNormalize = was
}
