package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/console"
	"pi/internal/console/tty"
	"pi/internal/environ"
	"pi/internal/keys"
	"pi/internal/present"
	"pi/internal/run"
	"pi/internal/shelltext"
)

func newShellCmd(env *Env) *cobra.Command {
	var cwd, timeout string
	c := &cobra.Command{
		Use:   "shell [flags]",
		Short: "Start an interactive prompt in a persistent session",
		Long: `Run commands in one shell that keeps its directory, variables and functions. Commands have no terminal and no
standard input, so nothing waits for an answer; use pi pty for full-screen programs.

The last 20 lines of a long output are shown; Ctrl-O shows all of it, and the full text is saved as an artifact. Esc or
Ctrl-C cancels a command and everything it started; Ctrl-D or exit leaves. The prompt has the editing keys of bash and
Emacs, and Ctrl-R searches the history. A line that begins with a space is not saved to the history.

If standard input or output is not a terminal, commands are read like a script, and their output is printed as it is
produced. See pi help console for details.

Exit status: that of exit N, else of the last command; 143, 129 if pi was killed by SIGTERM, SIGHUP.`,
		Example: "  pi shell\n  pi shell -C src\n  printf 'cd /tmp\\npwd\\n' | pi shell",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			s := &shellRun{env: env, timeout: run.MaxTimeout}
			if c.Flags().Changed("timeout") {
				d, err := config.ParseTimeout(timeout)
				if err != nil {
					return err
				}
				s.timeout = d
			}
			return s.start(c, cwd)
		},
	}
	c.Flags().StringVarP(&cwd, "cwd", "C", "", "start in `DIR`")
	c.Flags().StringVarP(&timeout, "timeout", "t", "", "kill a command after `SECONDS` or a duration such as 2m30s (default 1h)")
	return c
}

// shellRun is one call of pi shell. It implements console.Runner.
type shellRun struct {
	env      *Env
	cfg      config.Config
	timeout  time.Duration
	runner   *run.Runner
	sessions *run.Sessions
	cwd      string
}

// sessionName is the name of the only session, which no other process can reach.
const sessionName = "shell"

func (s *shellRun) start(c *cobra.Command, cwd string) error {
	loaded, err := loadConfig(c, s.env)
	if err != nil {
		return err
	}
	for _, w := range loaded.Warnings {
		s.env.notef("warning: %s", w)
	}
	s.cfg = loaded.Config
	if s.cwd, err = run.Directory("", cwd); err != nil {
		return err
	}
	s.runner, s.sessions = run.New(s.cfg, s.env.Environ, runStore(s.env, s.cfg)), run.NewSessions()
	defer s.sessions.Close()
	t := s.env.terminal()
	onTerminal := t != nil
	profile := console.NewProfile(s.cfg.Output.Color, s.env.Environ, onTerminal)
	typing := s.env.Stdin != nil && isTerminal(s.env.Stdin)
	if !onTerminal || !typing || profile.Dumb {
		return s.script(profile.Dumb && onTerminal && typing)
	}
	return s.prompt(t, profile)
}

// Run runs one command in the session. Commands that a person types are neither rewritten nor checked against rules.
func (s *shellRun) Run(ctx context.Context, command string, live run.Live, force <-chan struct{}) run.Result {
	r := s.sessions.Run(ctx, s.runner, run.In{Name: sessionName, Dir: s.cwd}, run.Request{
		Command: command, Timeout: s.timeout, TimeoutSet: true, NoNormalize: true, NoIntercept: true, Live: live, Force: force,
	})
	if d := r.Details.Session; d != nil && d.Cwd != "" {
		s.cwd = d.Cwd
	}
	return r
}

// Cwd returns the directory of the next command.
func (s *shellRun) Cwd() string { return s.cwd }

// over reports whether a command ended the session, as exit does, and with which status pi exits then.
func over(r run.Result) (status int, yes bool) {
	d := r.Details
	ended := d.Status == run.OK || d.Status == run.Failed
	switch {
	case !ended:
	case d.Session != nil:
		yes = d.Session.Dropped
	default: // the embedded shell has no session that ends
		words := strings.Fields(d.Command)
		yes = len(words) > 0 && len(words) <= 2 && words[0] == "exit"
	}
	return r.ExitStatus(), yes
}

// prompt runs the shell on a terminal.
func (s *shellRun) prompt(t *tty.TTY, p console.Profile) error {
	history, err := console.OpenHistory(historyPath(s.env.Environ))
	if err != nil {
		s.env.notef("warning: cannot read the history: %v", err)
	}
	sh := console.NewShell(t, console.ShellOptions{
		Profile: p, Keyboard: t, Wake: t.Wake, Runner: s, History: history, Home: environ.Get(s.env.Environ, "HOME"),
		Escape: keys.EscapeDelay(s.env.Environ), Incomplete: shelltext.Incomplete, Keep: run.Keeper(runStore(s.env, s.cfg)), Over: over,
	})
	ctx, stop := shellSignals(sh.Interrupt)
	defer stop()
	defer t.Close()
	defer t.Guard()
	if err := t.Enter(console.PromptMode); err != nil {
		return failf("set the terminal to raw mode: %w", err)
	}
	defer t.Restore()
	defer t.Watch(tty.Events{Resized: sh.Resized, Stop: sh.Pause, Resumed: sh.Resumed})()
	status, err := sh.Run(ctx)
	var sig errSignal
	switch {
	case errors.As(err, &sig):
		return &ExitError{Code: cancelStatus(ctx)}
	case err != nil:
		return failf("read the terminal: %w", err)
	}
	return statusError(status)
}

func statusError(code int) error {
	if code == 0 {
		return nil
	}
	return &ExitError{Code: code}
}

func historyPath(env []string) string {
	dir := artifact.DefaultDir(env)
	if dir == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(dir), "history")
}

// shellSignals returns a context that signals cancel, except for an interrupt, which is a call of its own.
func shellSignals(interrupt func()) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	got, release := takeEndSignals()
	done := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-got:
				if s == os.Interrupt {
					interrupt()
					continue
				}
				cancel(errSignal{s.(syscall.Signal)})
			case <-done:
				return
			}
		}
	}()
	return ctx, func() {
		release()
		close(done)
	}
}

// script runs commands from standard input. A terminal without cursor movement gets a prompt.
func (s *shellRun) script(prompt bool) error {
	ctx, force, stop := interrupts()
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if s.env.Stdin == nil {
		return nil
	}
	in, output := bufio.NewReader(s.env.Stdin), s.env.output(s.cfg, cancel)
	status := 0
	for ctx.Err() == nil {
		text, err := s.command(in, prompt)
		if strings.TrimSpace(text) != "" {
			var q run.Request
			p := present.New(present.Plan{View: present.Stream}, output)
			p.Prepare(&q)
			r := s.Run(ctx, text, q.Live, force)
			if err := p.Finish(unadorned(r)); err != nil {
				return err
			}
			if status = r.ExitStatus(); r.Details.Status == run.Cancelled {
				status = cancelStatus(ctx)
			}
			if code, yes := over(r); yes {
				return statusError(code)
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return failf("read the commands: %w", err)
		}
	}
	if ctx.Err() != nil {
		status = cancelStatus(ctx)
	}
	return statusError(status)
}

// unadorned removes the notices that a shell does not print for the commands of a script: no output, exit status.
func unadorned(r run.Result) run.Result {
	if d := r.Details; d.Status == run.OK || d.Status == run.Failed && d.ExitCode != nil {
		r.Notices = slices.DeleteFunc(slices.Clone(r.Notices), func(n string) bool { return !strings.HasPrefix(n, "[") })
	}
	return r
}

// command reads lines until they form a complete command.
func (s *shellRun) command(in *bufio.Reader, prompt bool) (string, error) {
	text := ""
	for {
		if prompt {
			sign := "$ "
			if text != "" {
				sign = "> "
			}
			fmt.Fprint(s.env.Stdout, sign)
		}
		line, err := in.ReadString('\n')
		text += line
		if len(text) > maxCommandText {
			return "", fmt.Errorf("a command is longer than %d MiB", maxCommandText>>20)
		}
		if err != nil || !shelltext.Incomplete(strings.TrimSuffix(text, "\n")) {
			return strings.TrimSuffix(text, "\n"), err
		}
	}
}
