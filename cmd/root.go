package cmd

import (
	"os"

	"github.com/spf13/cobra"
)

// Main runs pi with the process's own arguments and gives the exit status.
func Main() int {
	env := &Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ()}
	root := newRootCmd(env)
	root.SetArgs(os.Args[1:])
	return env.report(root.Execute())
}

func newRootCmd(env *Env) *cobra.Command {
	root := &cobra.Command{
		Use:           "pi",
		Short:         "Run shell commands with bounded output, sure timeouts and no processes left behind",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	return root
}
