package cmd

import (
	"context"
	"os"

	"github.com/mattn/go-isatty"

	"pi/internal/config"
	"pi/internal/console"
	"pi/internal/console/tty"
	"pi/internal/environ"
	"pi/internal/keys"
	"pi/internal/present"
	"pi/internal/run"
)

// ask translates flags, settings and environment into the presenter's options.
func (o *runOptions) ask(env *Env, cfg config.Config) present.Options {
	format := cfg.Output.Format
	if o.output != "" {
		format = o.output
	}
	return present.Options{
		Format: format, Stream: o.stream, Limited: o.head > 0 || o.tail > 0,
		PTY: o.terminal.wanted, NoPTY: o.terminal.unwanted, Headless: o.terminal.headless,
		PreferPTY: cfg.Bash.VirtualTerminal == "on", BanPTY: environ.Get(env.Environ, "PI_NO_PTY") == "1",
		Session: o.session != "", Stdin: o.stdin,
	}
}

// streams reports what the standard streams are.
func (env *Env) streams(cfg config.Config) present.Streams {
	return present.Streams{
		In: isTerminal(env.Stdin), Out: isTerminal(env.Stdout), Err: isTerminal(env.Stderr),
		Dumb: console.NewProfile(cfg.Output.Color, env.Environ, true).Dumb,
	}
}

// output is where a presenter writes to. cancel ends the run.
func (env *Env) output(cfg config.Config, cancel context.CancelCauseFunc) present.Output {
	return present.Output{
		Out: env.Stdout, Err: env.Stderr, In: env.Stdin, TTY: env.terminal(),
		Profile:   console.NewProfile(cfg.Output.Color, env.Environ, true),
		Colors:    present.NewColors(cfg.Output.Color, env.Environ, isTerminal(env.Stderr)),
		ColorTerm: environ.Get(env.Environ, "COLORTERM"),
		Escape:    console.EscapeRule(cfg.Pty.Escape), EscapeDelay: keys.EscapeDelay(env.Environ),
		Cancel: cancel, Keep: run.Keeper(runStore(env, cfg)), Fault: testFault,
	}
}

// testFault lets tests inject a panic; nil except in the tests' binary.
var testFault func(where string)

// terminal returns the terminal of standard output, nil where it is not one. Keys are read from standard input if that
// is a terminal, too.
func (env *Env) terminal() *tty.TTY {
	out, ok := env.Stdout.(*os.File)
	if !ok || !isTerminal(out) {
		return nil
	}
	in := out
	if env.Stdin != nil && isTerminal(env.Stdin) {
		in = env.Stdin
	}
	return tty.New(in, out)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
