package cmd

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"pi/internal/console"
	"pi/internal/console/tty"
)

func newResetTerminalCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "reset-terminal",
		Short: "Make a terminal usable again that a killed program left in a mess",
		Long: `Undo what a full-screen program leaves behind that had no chance to do so itself, as after SIGKILL: raw mode and
missing echo, the alternate screen, keyboard and mouse reports, a hidden cursor, colours and line drawing characters.
What is on the screen stays, other than with reset(1).

Where typing shows nothing, type it all the same: Ctrl-J pi reset-terminal Ctrl-J.`,
		Example: "  pi reset-terminal\n  ssh -t host 'pi reset-terminal'",
		Args:    atMost(0),
		RunE: func(*cobra.Command, []string) error {
			t := env.anyTerminal()
			if t == nil {
				return failf("reset-terminal: none of the standard streams is a terminal")
			}
			if _, err := io.WriteString(t, console.Reset); err != nil {
				return failf("reset-terminal: %w", err)
			}
			if err := tty.Sane(t); err != nil {
				return failf("reset-terminal: %w", err)
			}
			return nil
		},
	}
}

// anyTerminal gives the first of the standard streams that is a terminal.
func (env *Env) anyTerminal() *os.File {
	for _, f := range []any{env.Stdout, env.Stderr, env.Stdin} {
		if isTerminal(f) {
			return f.(*os.File)
		}
	}
	return nil
}
