package cmd

import (
	"github.com/spf13/cobra"

	"pi/internal/config"
	"pi/internal/environ"
	"pi/internal/run"
)

// terminalOptions are the flags that choose the pseudo-terminal and say what it is like.
type terminalOptions struct {
	wanted, unwanted bool
	headless         bool
	cols, rows       lineCount
}

const ptyExample = `  pi pty -- vim notes.txt                      # a full-screen program, in a box of its own
  pi pty -- 'read -p "name? " x; echo "$x"'    # a program that asks
  pi pty --headless -- make                    # colours and progress bars as on a terminal, for scripts and CI
  pi pty --headless --cols 80 -- 'ls -C /usr'  # a window of 80 columns
  pi pty --headless -i -- ./ask < answers      # the answers are typed`

func newPTYCmd(env *Env) *cobra.Command {
	o := runOptions{terminal: terminalOptions{wanted: true}, hint: "pi pty -- vim notes.txt"}
	c := &cobra.Command{
		Use:   "pty [flags] -- COMMAND [ARG…]",
		Short: "Run a command in a pseudo-terminal",
		Long: `Run COMMAND with sh -lc in a pseudo-terminal, with the timeout, the bounds and the artifacts of pi run.

On a terminal you see the command's screen and type into it. Afterwards the text that it left on the screen stays:
progress bars in their final state, one line for a full-screen program. Since you are there, pagers, editors and
prompts work as usual, and there is no timeout unless --timeout names one.

With --headless nobody watches: for scripts and CI. Standard output gets the text when the command has ended; the
command's input is at its end, or is typed from standard input with -i. Without --headless, and where standard input
or output is no terminal, or PI_NO_PTY is 1, the command runs as with pi run, and a warning says so.

A trailing | head or | tail is left to the shell: a command that writes to a pipe is another than one that writes
to a terminal. Exit status: as of pi run.`,
		Example: ptyExample,
	}
	o.serve(c, env)
	f := c.Flags()
	f.BoolVar(&o.terminal.headless, "headless", false, "without showing it: for scripts and CI")
	f.Var(&o.terminal.cols, "cols", "`N` columns, 20 to 400 (default: those of your terminal, else 120)")
	f.Var(&o.terminal.rows, "rows", "`N` rows, 5 to 200 (default: those of your terminal, else 40)")
	return c
}

func (o *runOptions) checkTerminal() error {
	switch t := o.terminal; {
	case t.wanted && t.unwanted:
		return failf("--pty and --no-pty contradict each other")
	case t.wanted && o.session != "":
		return failf("--pty: a session has no terminal; leave out --session")
	}
	return nil
}

// engine is what runs a command.
type engine struct {
	pty      bool   // the pseudo-terminal, else the shell
	attended bool   // somebody watches and types
	notice   string // why it is not the one that was asked for; empty: it is
}

// engine chooses: a pseudo-terminal needs somebody who has asked for it, once for this call or in the settings, and a
// terminal to show it on, unless it is headless. The settings alone never give one to callers that read the result.
func (o *runOptions) engine(env *Env, cfg config.Config) engine {
	t := o.terminal
	shown := o.format(cfg) == formatText && !o.stream
	switch {
	case t.unwanted || o.session != "":
		return engine{}
	case !t.wanted && (cfg.Bash.VirtualTerminal != "on" || !shown || o.stdin):
		return engine{}
	}
	why := ""
	switch {
	case environ.Get(env.Environ, "PI_NO_PTY") == "1":
		why = "PI_NO_PTY is 1: the command ran without a pseudo-terminal"
	case t.headless:
		return engine{pty: true}
	case !isTerminal(env.Stdin):
		why = "standard input is no terminal: the command ran without a pseudo-terminal; pi pty --headless gives it one"
	case !isTerminal(env.Stdout):
		why = "standard output is no terminal: the command ran without a pseudo-terminal; pi pty --headless gives it one"
	default:
		return engine{pty: true, attended: shown}
	}
	if !t.wanted {
		why = ""
	}
	return engine{notice: why}
}

// A terminalDoor shows a pseudo-terminal while its command runs. attach has it watch p; hurry adds to the ways of saying
// "now" the one that it offers.
type terminalDoor interface {
	door
	attach(p *run.PTY)
	hurry(signals <-chan struct{}) <-chan struct{}
}

// pty is the pseudo-terminal of a request, which d shows if it can; nil where the shell runs the command.
func (o *runOptions) pty(env *Env, e engine, d door) *run.PTY {
	if !e.pty {
		return nil
	}
	p := &run.PTY{Cols: int(o.terminal.cols), Rows: int(o.terminal.rows)}
	if o.stream {
		p.Text = run.PTYStream
	}
	switch d := d.(type) {
	case terminalDoor:
		p.Attended, p.ColorTerm = true, environ.Get(env.Environ, "COLORTERM")
		d.attach(p)
	default:
		if o.stdin {
			p.Terminal = run.NewTerminal()
			p.Ready = func() { go func() { _ = p.Terminal.Feed(env.Stdin) }() }
		}
	}
	return p
}
