package cmd

import (
	"github.com/spf13/cobra"
)

// terminalOptions are the flags that ask for a pseudo-terminal and describe it.
type terminalOptions struct {
	wanted, unwanted bool
	headless         bool
	cols, rows       lineCount
}

const ptyExample = `  pi pty -- vim notes.txt                      # a full-screen program, in a box
  pi pty -- 'read -p "name? " x; echo "$x"'    # a program that prompts
  pi pty --headless -- make                    # colours and progress bars, for scripts and CI
  pi pty --headless --cols 80 -- 'ls -C /usr'  # 80 columns wide
  pi pty --headless -i -- ./ask < answers      # typed from standard input`

func newPTYCmd(env *Env) *cobra.Command {
	o := runOptions{terminal: terminalOptions{wanted: true}, hint: "pi pty -- vim notes.txt"}
	c := &cobra.Command{
		Use:   "pty [flags] -- COMMAND [ARG…]",
		Short: "Run a command in a pseudo-terminal",
		Long: `Run COMMAND with sh -lc in a pseudo-terminal. Timeout, limits and artifacts work as in pi run.

On a terminal, the command's screen is shown in a box and you type into it. When it exits, the text it left on the
screen stays: progress bars in their final state, one line for a full-screen program. Pagers, editors and prompts work
as usual, and there is no timeout unless you set --timeout.

With --headless, for scripts and CI, nothing is shown while the command runs: its text is printed when it exits. Its
input is empty, or is typed from standard input with -i. Without --headless, if standard input or output is not a
terminal or PI_NO_PTY is 1, the command runs as with pi run and a warning says so.

The shell runs a trailing | head or | tail itself, since a command behaves differently when it writes to a pipe.
See pi help pty.md for details. Exit status: as for pi run.`,
		Example: ptyExample,
	}
	o.serve(c, env)
	f := c.Flags()
	f.BoolVar(&o.terminal.headless, "headless", false, "do not show the terminal: for scripts and CI")
	f.Var(&o.terminal.cols, "cols", "`N` columns, 20 to 400 (default: as your terminal, else 120)")
	f.Var(&o.terminal.rows, "rows", "`N` rows, 5 to 200 (default: as your terminal, else 40)")
	return c
}
