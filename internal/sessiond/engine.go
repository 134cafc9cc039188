package sessiond

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/run"
	"pi/internal/self"
	"pi/internal/toolcall"
)

// engine runs the commands of a daemon in its session, each under the settings of its caller.
type engine struct {
	launch   launchConfig
	environ  []string
	sessions *run.Sessions
	leave    func() // lets another daemon have the name

	mu       sync.Mutex
	settings []byte // of the last caller
	runner   *run.Runner
	warning  string // if the last caller's shell settings differ from the session's
}

func newEngine(launch launchConfig, environ []string, leave func()) *engine {
	return &engine{launch: launch, environ: environ, sessions: run.NewSessions(), leave: leave}
}

// Run implements [toolcall.Runner].
func (e *engine) Run(ctx context.Context, c toolcall.Call) (run.Result, error) {
	if c.Session != e.launch.Name {
		return run.Result{}, fmt.Errorf("this is the host of session %s, not of %q", e.launch.Name, c.Session)
	}
	runner, warning, err := e.configured(c.Settings)
	if err != nil {
		return run.Result{}, err
	}
	res := e.sessions.Run(ctx, runner, run.In{Name: c.Session, Busy: c.Busy, Dir: c.SessionCwd}, c.Request)
	if warning != "" {
		res.Details.Warnings = append(res.Details.Warnings, warning)
	}
	return res, nil
}

// configured returns the runner for a caller's settings, and a warning. The shell settings are always the session's.
func (e *engine) configured(settings json.RawMessage) (*run.Runner, string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.runner != nil && bytes.Equal(settings, e.settings) {
		return e.runner, e.warning, nil
	}
	var cfg config.Config
	if len(settings) == 0 {
		return nil, "", errors.New("args: settings are missing")
	}
	if err := json.Unmarshal(settings, &cfg); err != nil {
		return nil, "", fmt.Errorf("args: settings: %w", err)
	}
	e.warning = ""
	if !sameShell(cfg.Shell, e.launch.Shell) || cfg.Bash.Unattended != e.launch.Unattended {
		e.warning = fmt.Sprintf("session %s keeps the shell settings of its first call; `%s session stop %s` ends it", e.launch.Name, self.Name(), e.launch.Name)
	}
	cfg.Shell, cfg.Bash.Unattended = e.launch.Shell, e.launch.Unattended
	var store *artifact.Store
	if cfg.Artifacts.MaxBytes > 0 && cfg.Artifacts.Dir != "" {
		store = run.OpenStore(cfg.Artifacts, e.environ)
	}
	e.settings, e.runner = bytes.Clone(settings), run.New(cfg, e.environ, store)
	return e.runner, e.warning, nil
}

func sameShell(a, b config.Shell) bool {
	return a.Path == b.Path && a.Prefix == b.Prefix && a.Snapshot == b.Snapshot && maps.Equal(a.Env, b.Env)
}

// Sessions implements [toolcall.Engine]. A daemon without a shell, before its first command or with the embedded shell, is
// listed, too: it can be stopped.
func (e *engine) Sessions() []run.SessionInfo {
	list := e.sessions.List()
	if len(list) == 0 {
		list = append(list, run.SessionInfo{Name: e.launch.Name, Cwd: "/", BackgroundJobs: []run.Job{}})
	}
	return list
}

// CloseSession implements [toolcall.Engine].
func (e *engine) CloseSession(name string) bool { return e.sessions.CloseSession(name) }

// Close implements [toolcall.Engine].
func (e *engine) Close() {
	e.leave()
	e.sessions.Close()
}
