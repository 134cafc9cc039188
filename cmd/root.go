package cmd

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pi/internal/self"
)

// Main runs pi with the arguments of this process, and returns the exit status.
func Main() int {
	self.SetName(os.Args[0])
	if code, done := runHidden(os.Args[1:]); done {
		return code
	}
	quitQuietly()
	env := &Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ()}
	return Run(env)
}

// Run runs one command line in env and returns the exit status.
func Run(env *Env) int {
	root := newRootCmd(env)
	root.SetArgs(env.Args)
	return env.report(root.Execute())
}

func newRootCmd(env *Env) *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use:   cmp.Or(env.Name, self.Name()),
		Short: "Run shell commands with bounded output, reliable timeouts and no leftover processes",
		Long: `pi runs shell commands for coding agents, scripts and people. It never hangs, never floods its caller, never
loses output and never leaves behind a process it was told to end.`,
		Example:       "  pi run -- 'make test 2>&1 | tail -20'\n  pi artifact cat last --grep FAIL\n  pi killtree 4711",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if showVersion {
				_, err := fmt.Fprintln(env.Stdout, newBuildInfo())
				return err
			}
			return runRoot(c, args)
		},
	}
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	f := root.PersistentFlags()
	f.String("config", "", "read settings from `FILE`")
	f.String("artifacts-dir", "", "store artifacts in `DIR`")
	f.String("color", "", "colour notices: `auto|always|never` (default auto; respects NO_COLOR)")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return flagError(c, err) })
	root.SetHelpCommand(newHelpCmd(env))
	addCommands(root, env)
	renameOnHelp(root)
	if completing(env.Args) {
		renameTree(root)
		prepareCompletion(root, env)
	}
	return root
}

// commands are the subcommands, in the order of the help text.
var commands = [...]struct {
	name string
	make func(*Env) *cobra.Command
}{
	{"run", newRunCmd},
	{"pty", newPTYCmd},
	{"shell", newShellCmd},
	{"session", newSessionCmd},
	{"rpc", newRPCCmd},
	{"mcp", newMCPCmd},
	{"init", newInitCmd},
	{"hook", newHookCmd},
	{"artifact", newArtifactCmd},
	{"killtree", newKilltreeCmd},
	{"parse-key", newParseKeyCmd},
	{"reset-terminal", newResetTerminalCmd},
	{"intercept-check", newInterceptCheckCmd},
	{"config", newConfigCmd},
	{"doctor", newDoctorCmd},
	{"version", newVersionCmd},
}

// addCommands adds only the subcommand that the first argument names: creating all of them would take a twentieth of
// the time of a short run. Any other first argument may need all of them.
func addCommands(root *cobra.Command, env *Env) {
	for _, c := range commands {
		if len(env.Args) > 0 && env.Args[0] == c.name {
			root.AddCommand(c.make(env))
			return
		}
	}
	for _, c := range commands {
		root.AddCommand(c.make(env))
	}
}

// runRoot handles a call without a subcommand: it prints the help, or suggests a similar name.
func runRoot(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	return unknownCommand(c, args[0])
}

// needSubcommand handles a call of a command that does nothing without a subcommand.
func needSubcommand(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(c, args[0])
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return failf("%s needs one of %s", c.Name(), strings.Join(names, ", "))
}

// unknownCommand returns the error for a word that is not a subcommand of c, with similar names.
func unknownCommand(c *cobra.Command, word string) error {
	path := c.CommandPath() + " "
	e := &ExitError{
		Code: exitFailure, Err: fmt.Errorf("unknown command %q", strings.TrimPrefix(path+word, c.Root().Name()+" ")),
		Hint: path + "--help lists the commands",
	}
	if c.SuggestionsMinimumDistance <= 0 {
		c.SuggestionsMinimumDistance = 2
	}
	if near := c.SuggestionsFor(word); len(near) > 0 {
		e.Hint = "did you mean " + path + strings.Join(near, " or "+path) + "?"
	}
	return e
}
