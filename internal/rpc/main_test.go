package rpc

import (
	"context"
	"sync"
	"testing"

	"pi/internal/config"
	"pi/internal/ps"
	"pi/internal/run"
	"pi/internal/testmain"
	"pi/internal/toolcall"
)

func TestMain(m *testing.M) { testmain.Run(m, ps.RunHidden) }

// oneShots is an engine that runs every command in a fresh shell and remembers the names of sessions.
type oneShots struct {
	runner *run.Runner

	mu     sync.Mutex
	names  map[string]bool
	calls  []toolcall.Call
	closed bool
}

func newOneShots() *oneShots {
	cfg := config.Defaults()
	cfg.Shell.Path = "/bin/sh"
	return &oneShots{runner: run.New(cfg, []string{"PATH=/usr/bin:/bin"}, nil), names: map[string]bool{}}
}

func (e *oneShots) Run(ctx context.Context, c toolcall.Call) (run.Result, error) {
	e.mu.Lock()
	e.calls = append(e.calls, c)
	if c.Session != "" {
		e.names[c.Session] = true
	}
	e.mu.Unlock()
	return e.runner.Run(ctx, c.Request), nil
}

func (e *oneShots) Sessions() (list []run.SessionInfo) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for n := range e.names {
		list = append(list, run.SessionInfo{Name: n, Shell: "/bin/sh", Cwd: "/", BackgroundJobs: []run.Job{}})
	}
	return list
}

func (e *oneShots) CloseSession(name string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	was := e.names[name]
	delete(e.names, name)
	return was
}

func (e *oneShots) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
}

type runResult = run.Result
