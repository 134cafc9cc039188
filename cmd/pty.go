package cmd

import (
	"github.com/spf13/cobra"
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
