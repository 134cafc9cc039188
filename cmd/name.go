package cmd

import (
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// defaultName is the program's name. People who have another pi install this one under a name of their choice.
const defaultName = "pi"

// Tree returns all commands of a program called name, for generators of man pages and completions.
func Tree(name string) *cobra.Command {
	root := newRootCmd(&Env{Name: name, Stdin: os.Stdin, Stdout: io.Discard, Stderr: io.Discard, Environ: os.Environ()})
	renameTree(root)
	return root
}

// callWords is what follows the name of the program where it is called. A test compares it with the commands.
const callWords = `run|pty|shell|session|rpc|mcp|init|hook|artifact|killtree|parse-key|reset-terminal|intercept-check|config|doctor|version|help|completion|COMMAND|AGENT`

// Rename returns text with name in the place of pi wherever pi is called, as in `pi run`. The project's name stays.
func Rename(text, name string) string {
	if name == defaultName || !strings.Contains(text, defaultName) {
		return text
	}
	call := regexp.MustCompile(`(^|[^\w./~-])` + defaultName + ` ((?:` + callWords + `)\b|-|\[)`)
	return call.ReplaceAllString(text, "${1}"+strings.ReplaceAll(name, "$", "$$")+" ${2}")
}

// renameTree puts the name of root into the help of all commands.
func renameTree(root *cobra.Command) {
	name := root.Name()
	if name == defaultName {
		return
	}
	eachCommand(root, func(c *cobra.Command) {
		c.Short, c.Long, c.Example = Rename(c.Short, name), Rename(c.Long, name), Rename(c.Example, name)
		usage := func(f *pflag.Flag) { f.Usage = Rename(f.Usage, name) }
		c.Flags().VisitAll(usage)
		c.PersistentFlags().VisitAll(usage)
	})
}

// renameOnHelp renames the help texts when one of them is shown, so that other calls do not pay for it.
func renameOnHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		renameTree(root)
		help(c, args)
	})
}
