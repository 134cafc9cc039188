package cmd

import (
	"context"
	"errors"
	"strings"
	"syscall"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/run"
	"pi/internal/toolcall"
)

// call translates the flags and COMMAND into the call to run, and reports what is wrong with them before anything runs.
func (o *runOptions) call(env *Env, args []string) (toolcall.Call, error) {
	c := toolcall.Call{
		Request: run.Request{
			Cwd: o.cwd, Env: o.env, Head: int(o.head), Tail: int(o.tail), MaxBytes: int(o.maxBytes),
			NoNormalize: o.noNormalize, NoIntercept: o.noIntercept,
		},
		Session: o.session, Busy: run.BusyWait,
	}
	if o.toolsGiven {
		c.Request.Tools = splitList(o.tools)
	}
	if o.timeoutGiven {
		d, err := config.ParseTimeout(o.timeout)
		if err != nil {
			return c, err
		}
		c.Request.Timeout, c.Request.TimeoutSet = d, true
	}
	if o.noWait {
		c.Busy = run.BusyRefuse
	}
	if err := errors.Join(o.checkSession(), c.Check()); err != nil {
		return c, err
	}
	if o.session != "" {
		dir, err := syscall.Getwd() // the physical path; os.Getwd would trust $PWD
		if err != nil {
			return c, failf("Working directory does not exist: pi was started in a directory that is gone")
		}
		c.SessionCwd = dir
	}
	if o.stdin {
		if len(args) == 1 && args[0] == "-" {
			return c, failf("--stdin cannot be used with the command -: both read standard input")
		}
		c.Request.Stdin = env.Stdin
	}
	var err error
	if c.Request.Command, err = commandText(env, args); errors.Is(err, errNoCommand) {
		err = &ExitError{Code: exitFailure, Err: err, Hint: o.hint}
	}
	return c, err
}

// checkSession returns an error if the flags of sessions contradict others.
func (o *runOptions) checkSession() error {
	switch {
	case o.session == "" && o.noWait:
		return failf("--no-wait needs --session")
	case o.session != "" && o.stdin:
		return failf("--stdin does not go with --session: commands of a session have no standard input")
	}
	return nil
}

// splitList splits a comma-separated list; the empty list is not nil.
func splitList(s string) []string {
	list := []string{}
	for _, w := range strings.Split(s, ",") {
		if w = strings.TrimSpace(w); w != "" {
			list = append(list, w)
		}
	}
	return list
}

// execute runs the call in this process, or in the daemon of its session.
func execute(ctx context.Context, env *Env, cfg config.Config, call toolcall.Call) (run.Result, error) {
	if call.Session == "" {
		return run.New(cfg, env.Environ, runStore(env, cfg)).Run(ctx, call.Request), nil
	}
	client, err := sessionClient(env)
	if err != nil {
		return run.Result{}, err
	}
	if cfg.Artifacts.Dir == "" {
		cfg.Artifacts.Dir = artifact.DefaultDir(env.Environ)
	}
	return client.Run(ctx, cfg, call), nil
}
