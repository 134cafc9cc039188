package cmd

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"pi/internal/config"
	"pi/internal/present"
	"pi/internal/run"
)

type runOptions struct {
	cwd, timeout string
	env          []string
	head, tail   lineCount
	maxBytes     byteCount
	stdin        bool
	tools        string
	output       string
	noNormalize  bool
	noIntercept  bool
	stream       bool
	session      string
	noWait       bool
	expanded     bool
	toolsGiven   bool
	timeoutGiven bool
	terminal     terminalOptions
	hint         string // a correct call, shown if no command is named
}

const runExample = `  pi run -- 'make test 2>&1 | tail -20'        # the last 20 lines; the whole log is saved
  pi run -t 90 -C src -- go build ./...        # an argument vector, in ./src, at most 90 s
  x=$(pi run -- git rev-parse HEAD)            # standard output is the command's text alone
  pi run -o json -- 'seq 1 100000'             # one JSON object: text, status, counts, artifact id
  pi run --stream -- make | tee log            # as it is printed, without a limit
  pi run -i -- 'wc -l' < notes.txt             # with pi's own standard input
  pi run --session web -- '. venv/bin/activate; cd src'   # a shell that stays alive:
  pi run --session web -- python -m pytest                # … same directory, variables, functions, jobs`

func newRunCmd(env *Env) *cobra.Command {
	o := runOptions{hint: "pi run -- 'make test | tail -20'"}
	c := &cobra.Command{
		Use:   "run [flags] -- COMMAND [ARG…]",
		Short: "Run a command with bounded output and a timeout",
		Long: `Run COMMAND in your shell and print the end of its output, at most 50 KB of whole lines. The full output is saved
as an artifact (see pi artifact). At the timeout, or when pi is interrupted, the command's whole process tree is
killed. Standard input is empty unless -i is given.

With --session, run the command in a named shell that stays alive between calls and keeps its directory, variables,
functions and background jobs. It ends after 30 idle minutes or with pi session stop. Concurrent calls take turns.

A single COMMAND is shell text. Several words are an argument vector and are passed on unchanged. - reads the text from
standard input. Notices go to standard error.

Exit status: the command's own; 128+n if signal n killed it; 124 timeout; 125 pi failed; 126 blocked by a rule;
130, 143, 129 if pi was killed by SIGINT, SIGTERM, SIGHUP.`,
		Example: runExample,
	}
	o.serve(c, env)
	o.runFlags(c)
	return c
}

// runFlags adds the flags that pi run has and pi pty has not.
func (o *runOptions) runFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.session, "session", "", "run in the persistent shell `NAME`, starting it if needed")
	f.BoolVar(&o.noWait, "no-wait", false, "with --session: fail if the session is busy")
	f.BoolVar(&o.terminal.wanted, "pty", false, "run in a pseudo-terminal, like pi pty")
	f.BoolVar(&o.terminal.unwanted, "no-pty", false, "do not use a pseudo-terminal, even if bash.virtualTerminal is on")
}

// serve makes c run commands: it adds the flags shared by all subcommands that do.
func (o *runOptions) serve(c *cobra.Command, env *Env) {
	c.RunE = func(c *cobra.Command, args []string) error {
		o.toolsGiven, o.timeoutGiven = c.Flags().Changed("tools"), c.Flags().Changed("timeout")
		return env.answer(runRun(c, env, o, args))
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return env.answer(flagError(c, err)) })
	f := c.Flags()
	f.SetInterspersed(false)
	f.StringVarP(&o.cwd, "cwd", "C", "", "run in `DIR`")
	f.StringVarP(&o.timeout, "timeout", "t", "", "kill the command after `SECONDS` or a duration such as 2m30s (1s to 1h; default 300)")
	f.StringArrayVarP(&o.env, "env", "e", nil, "set `NAME=VALUE` for the command (repeatable)")
	f.Var(&o.head, "head", "show only the first `N` lines")
	f.Var(&o.tail, "tail", "show only the last `N` lines")
	f.BoolVarP(&o.stdin, "stdin", "i", false, "pass standard input to the command instead of /dev/null")
	f.StringVar(&o.tools, "tools", "", "tools the caller has, `a,b,c`: a rule only blocks if it suggests one of them")
	f.StringVarP(&o.output, "output", "o", "", "output format: `text|json|stream-json` (default text)")
	f.BoolVar(&o.noNormalize, "no-normalize", false, "let the shell run a trailing | head or | tail")
	f.BoolVar(&o.noIntercept, "no-intercept", false, "skip the interception rules")
	f.Var(&o.maxBytes, "max-bytes", "show at most `N` bytes of text, 1KiB to 16MiB (default 51200)")
	f.BoolVar(&o.expanded, "expanded", false, "on a terminal: show the whole result, not only its last 10 rows")
	f.BoolVar(&o.stream, "stream", false, "print output as it is produced, without a limit")
}

// byteCount is a flag that takes a limit for the text shown, in bytes.
type byteCount int

func (n *byteCount) String() string { return strconv.Itoa(int(*n)) }
func (n *byteCount) Type() string   { return "N" }
func (n *byteCount) Set(s string) error {
	v, err := config.ParseSize(s)
	if err != nil || v < config.MinShown || v > config.MaxShown {
		return errors.New("must be a size from 1KiB to 16MiB")
	}
	*n = byteCount(v)
	return nil
}

// lineCount is a flag that takes a positive integer.
type lineCount int

func (n *lineCount) String() string { return strconv.Itoa(int(*n)) }
func (n *lineCount) Type() string   { return "N" }
func (n *lineCount) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err != nil || v < 1 {
		return errors.New("must be a positive integer")
	}
	*n = lineCount(v)
	return nil
}

func runRun(c *cobra.Command, env *Env, o *runOptions, args []string) error {
	call, err := o.call(env, args)
	if err != nil {
		return err
	}
	loaded, err := loadConfig(c, env)
	if err != nil {
		return err
	}
	cfg := loaded.Config
	plan, err := present.NewPlan(o.ask(env, cfg), env.streams(cfg))
	if err != nil {
		return err
	}
	ctx, force, stop := interrupts()
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if plan.PTY {
		call.Request.PTY = &run.PTY{Cols: int(o.terminal.cols), Rows: int(o.terminal.rows)}
	}
	call.Request.Force = force
	output := env.output(cfg, cancel)
	output.Expanded = o.expanded
	presenter := present.New(plan, output)
	presenter.Prepare(&call.Request)
	res, err := execute(ctx, env, cfg, call)
	if err != nil {
		return err
	}
	res.Details.Warnings = append(res.Details.Warnings, loaded.Warnings...)
	if plan.Warning != "" {
		res.Details.Warnings = append(res.Details.Warnings, plan.Warning)
	}
	if err := presenter.Finish(res); err != nil {
		return err
	}
	return exitOf(ctx, res)
}

// exitOf returns the exit status for a result that has been shown.
func exitOf(ctx context.Context, res run.Result) error {
	code := res.ExitStatus()
	if res.Details.Status == run.Cancelled {
		code = cancelStatus(ctx)
	}
	if code == 0 {
		return nil
	}
	return &ExitError{Code: code}
}
