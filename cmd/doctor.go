package cmd

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pi/internal/doctor"
	"pi/internal/present"
)

func newDoctorCmd(env *Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check the shell, settings and machine for problems",
		Long: `Check the program on PATH, the configuration, the shell, the artifact store, the terminal and the limits of the
machine. One harmless command is run in the shell.

Exit status: 0 no problems; 1 a problem that would stop pi run or lose its output.`,
		Example: "  pi doctor\n  pi doctor --json",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := loadOptions(c, env)
			if err != nil {
				return err
			}
			r := doctor.Examine(context.Background(), doctor.Input{
				Build: newBuildInfo(), Name: c.Root().Name(), Environ: env.Environ, Config: o, Terminal: env.doctorTerminal(),
			})
			if asJSON {
				err = printJSON(env, r)
			} else {
				_, err = io.WriteString(env.Stdout, r.Text())
			}
			if err == nil && len(r.Problems) > 0 {
				return &ExitError{Code: 1}
			}
			return present.WriteError(err)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// doctorTerminal returns what only the command line knows of the terminal.
func (env *Env) doctorTerminal() doctor.Terminal {
	t := doctor.Terminal{Stdin: isTerminal(env.Stdin), Stdout: isTerminal(env.Stdout), Stderr: isTerminal(env.Stderr)}
	if f := env.anyTerminal(); f != nil {
		t.Columns, t.Rows, _ = term.GetSize(int(f.Fd()))
	}
	return t
}
