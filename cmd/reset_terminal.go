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
		Short: "Restore a terminal that a killed program left in a bad state",
		Long: `Undo what a full-screen program leaves behind when it is killed: raw mode and missing echo, the alternate screen,
keyboard and mouse reports, a hidden cursor, colours and line drawing characters. Unlike reset(1), it keeps the text on
the screen.

If you cannot see what you type, type it anyway: Ctrl-J pi reset-terminal Ctrl-J.`,
		Example: "  pi reset-terminal\n  ssh -t host 'pi reset-terminal'",
		Args:    atMost(0),
		RunE: func(*cobra.Command, []string) error {
			t := env.anyTerminal()
			if t == nil {
				return failf("reset-terminal: standard input, output and error are not terminals")
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

// anyTerminal returns the first standard stream that is a terminal, nil if there is none.
func (env *Env) anyTerminal() *os.File {
	for _, f := range []any{env.Stdout, env.Stderr, env.Stdin} {
		if isTerminal(f) {
			return f.(*os.File)
		}
	}
	return nil
}
