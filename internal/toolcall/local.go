package toolcall

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"pi/internal/run"
)

// Local is the [Engine] that runs commands in this process: in sessions that end with it, or each in a shell of its own.
// Create one with [NewLocal].
type Local struct {
	runner   *run.Runner
	sessions *run.Sessions
	dir      string
}

// NewLocal returns a new engine. Sessions start in dir, which is absolute, unless a call says otherwise.
func NewLocal(r *run.Runner, dir string) *Local {
	return &Local{runner: r, sessions: run.NewSessions(), dir: dir}
}

// Run implements [Runner].
func (l *Local) Run(ctx context.Context, c Call) (run.Result, error) {
	switch {
	case c.Session == "", c.Busy == run.BusyOneShot && runtime.GOOS == "windows": // no sessions there
		return l.runner.Run(ctx, c.Request), nil
	case c.SessionCwd == "":
		c.SessionCwd = l.dir
	}
	return l.sessions.Run(ctx, l.runner, run.In{Name: c.Session, Busy: c.Busy, Dir: c.SessionCwd}, c.Request), nil
}

// Sessions implements [Engine]. The list is sorted by name.
func (l *Local) Sessions() []run.SessionInfo {
	list := l.sessions.List()
	slices.SortFunc(list, func(a, b run.SessionInfo) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// CloseSession implements [Engine].
func (l *Local) CloseSession(name string) bool { return l.sessions.CloseSession(name) }

// Close implements [Engine].
func (l *Local) Close() { l.sessions.Close() }
