package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pi/internal/manual"
	"pi/internal/present"
)

// newHelpCmd shows the help of a command or a page of the manual. Where both have one name, the command comes first and
// NAME.md is the page, so that "docs/rpc.md" in a text can be typed as it stands.
func newHelpCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "Help about a command or a topic",
		Long: `Show the help of a command, or a page of the manual. Without an argument, list both.

On a terminal a page is shown by $PAGER, or by less. Where a command and a page have the same name, TOPIC.md is the page.`,
		Example: "  pi help run\n  pi help configuration\n  pi help rpc.md",
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return helpNames(c.Root(), args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return runHelp(c.Root(), env, args) },
	}
}

func runHelp(root *cobra.Command, env *Env, args []string) error {
	if len(args) > 0 {
		if found, rest, err := root.Find(args); err == nil && len(rest) == 0 {
			found.InitDefaultHelpFlag() // as COMMAND --help shows it
			return found.Help()
		}
	}
	pages, err := manual.Pages()
	if err != nil {
		return failf("read the manual: %w", err)
	}
	if len(args) == 0 {
		if err := root.Help(); err != nil {
			return err
		}
		return present.WriteError(listTopics(root, env, pages))
	}
	if len(args) == 1 {
		topic := strings.TrimSuffix(strings.TrimPrefix(args[0], "docs/"), ".md")
		if i := slices.IndexFunc(pages, func(p manual.Page) bool { return p.Topic == topic }); i >= 0 {
			return page(env, Rename(pages[i].Text, root.Name()))
		}
	}
	return noHelp(root, pages, args)
}

// listTopics prints the pages of the manual below the help of the root command.
func listTopics(root *cobra.Command, env *Env, pages []manual.Page) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\nTopics (%s help TOPIC):\n", root.Name())
	for _, p := range pages {
		fmt.Fprintf(&b, "  %-16s %s\n", pageName(root, p), Rename(p.Title, root.Name()))
	}
	_, err := env.Stdout.Write([]byte(b.String()))
	return err
}

// pageName returns what to type for a page: its topic, with .md if a command has the same name.
func pageName(root *cobra.Command, p manual.Page) string {
	for _, c := range root.Commands() {
		if c.Name() == p.Topic {
			return p.Topic + ".md"
		}
	}
	return p.Topic
}

// noHelp reports a name that is neither a command nor a topic, with the closest of both.
func noHelp(root *cobra.Command, pages []manual.Page, args []string) error {
	e := &ExitError{
		Code: exitFailure, Err: fmt.Errorf("no help about %q", strings.Join(args, " ")),
		Hint: root.Name() + " help lists the commands and topics",
	}
	names := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra's own measure of what is close
	for _, name := range helpNamesOf(root, pages) {
		names.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	if near := names.SuggestionsFor(args[0]); len(near) > 0 {
		prefix := root.Name() + " help "
		e.Hint = "did you mean " + prefix + strings.Join(near, " or "+prefix) + "?"
	}
	return e
}

func helpNames(root *cobra.Command, args []string) []cobra.Completion {
	if found, _, err := root.Find(args); err == nil && len(args) > 0 {
		return commandNames(found)
	}
	pages, err := manual.Pages()
	if err != nil || len(args) > 0 {
		return nil
	}
	return helpNamesOf(root, pages)
}

func helpNamesOf(root *cobra.Command, pages []manual.Page) []string {
	names := commandNames(root)
	for _, p := range pages {
		names = append(names, pageName(root, p))
	}
	return names
}

func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}
