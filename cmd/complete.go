package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pi/internal/artifact"
	"pi/internal/present"
	"pi/internal/vt"
)

// prepareCompletion adds completions of arguments and flag values to the commands. It is called only for a shell's
// completion requests, so that other calls do not pay for it.
func prepareCompletion(root *cobra.Command, env *Env) {
	arguments := map[string]cobra.CompletionFunc{
		"init":          first(words(agentNames()...)),
		"hook":          first(words("claude")),
		"artifact cat":  first(artifactNames(env)),
		"artifact path": first(artifactNames(env)),
		"artifact rm":   artifactNames(env),
		"session stop":  sessionNames(env),
	}
	flags := map[string]cobra.CompletionFunc{
		"output":  words(present.FormatText, present.FormatJSON, present.FormatEvents),
		"color":   words("auto", "always", "never"),
		"session": sessionNames(env),
	}
	eachCommand(root, func(c *cobra.Command) {
		if f := arguments[strings.TrimPrefix(c.CommandPath(), root.Name()+" ")]; f != nil {
			c.ValidArgsFunction = f
		}
		plain := func(f *pflag.Flag) {
			f.Usage = strings.ReplaceAll(f.Usage, "`", "") // the quotes of a value name in a help text
			if complete := flags[f.Name]; complete != nil {
				_ = c.RegisterFlagCompletionFunc(f.Name, complete) // an error means that it has one already: a flag shared by commands
			}
		}
		c.LocalFlags().VisitAll(plain)
		c.PersistentFlags().VisitAll(plain)
	})
}

// completing reports whether this call is a completion request of a shell.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

func eachCommand(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		eachCommand(sub, do)
	}
}

func words(w ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(w, cobra.ShellCompDirectiveNoFileComp)
}

// first completes the first argument only.
func first(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return f(c, args, toComplete)
	}
}

// maxCompletions bounds the number of artifacts offered.
const maxCompletions = 50

// artifactNames completes the newest artifacts that are not among the arguments yet, with their commands.
func artifactNames(env *Env) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, _ string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
		none := cobra.ShellCompDirectiveNoFileComp
		store, err := loadStore(c, env)
		if err != nil {
			return nil, none
		}
		var known []artifact.Meta
		if known, _, err = store.List(maxCompletions); err != nil || len(known) == 0 {
			return nil, none
		}
		offer := func(id, command string) {
			if !slices.Contains(args, id) {
				list = append(list, cobra.CompletionWithDesc(id, vt.ReplaceControls(firstLine(command))))
			}
		}
		offer("last", known[0].Command)
		for _, m := range known {
			offer(m.ID, m.Command)
		}
		return list, none | cobra.ShellCompDirectiveKeepOrder
	}
}

// sessionNames completes the sessions that are not among the arguments yet, with their directories.
func sessionNames(env *Env) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
		none := cobra.ShellCompDirectiveNoFileComp
		client, err := sessionClient(env)
		if err != nil {
			return nil, none
		}
		known, _ := client.List() // those that respond
		for _, s := range known {
			if !slices.Contains(args, s.Name) {
				list = append(list, cobra.CompletionWithDesc(s.Name, oneLine(s.Cwd)))
			}
		}
		return list, none
	}
}
