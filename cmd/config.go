package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pi/internal/config"
	"pi/internal/run"
)

// loadConfig loads the configuration that the persistent flags ask for.
func loadConfig(cmd *cobra.Command, env *Env) (*config.Loaded, error) {
	o, err := loadOptions(cmd, env)
	if err != nil {
		return nil, err
	}
	loaded, err := config.Load(o)
	if err != nil {
		return nil, configFailure(err)
	}
	return loaded, nil
}

// loadOptions translates --config, --artifacts-dir and --color.
func loadOptions(cmd *cobra.Command, env *Env) (config.LoadOptions, error) {
	o := config.LoadOptions{Environ: env.Environ}
	if f := cmd.Flag("config"); f != nil && f.Changed {
		if o.File = f.Value.String(); o.File == "" {
			return o, failf("--config needs a file name")
		}
	}
	for _, flag := range []struct{ name, key string }{{"artifacts-dir", "artifacts.dir"}, {"color", "output.color"}} {
		f := cmd.Flag(flag.name)
		if f == nil || !f.Changed {
			continue
		}
		if o.Overrides == nil {
			o.Overrides = map[string]string{}
		}
		o.Overrides[flag.key] = f.Value.String()
	}
	return o, nil
}

// configFailure returns the first problem, with the number of the others.
func configFailure(err error) error {
	problems := config.Problems(err)
	if len(problems) > 1 {
		err = fmt.Errorf("%w (and %d more)", problems[0], len(problems)-1)
	}
	return &ExitError{Code: exitFailure, Err: err, Hint: "`pi config check` lists every problem"}
}

func newConfigCmd(env *Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Show and check the settings",
		Long: "Settings come from defaults, the configuration file, PI_ environment variables and flags; later ones win.\n" +
			"The file is --config, else $PI_CONFIG, else ${XDG_CONFIG_HOME:-~/.config}/pi/config.yaml.\n" +
			"See pi help configuration for all settings.",
		Args: cobra.ArbitraryArgs,
		RunE: needSubcommand,
	}
	c.AddCommand(newConfigShowCmd(env), newConfigCheckCmd(env), newConfigPathCmd(env))
	return c
}

func newConfigShowCmd(env *Env) *cobra.Command {
	var asJSON, origin bool
	c := &cobra.Command{
		Use:     "show",
		Short:   "Print the effective settings and where each came from",
		Example: "  pi config show\n  pi config show --json\n  pi config show --origin=false > ~/.config/pi/config.yaml",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			loaded, err := loadConfig(c, env)
			if err != nil {
				return err
			}
			env.warnConfig(loaded)
			return showConfig(env, loaded, asJSON, origin)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: file, settings, origins")
	c.Flags().BoolVar(&origin, "origin", true, "print where each value came from")
	return c
}

func showConfig(env *Env, loaded *config.Loaded, asJSON, origin bool) error {
	if asJSON {
		return printJSON(env, shownConfig(loaded, origin))
	}
	text, err := loaded.YAML(origin)
	if err != nil {
		return err
	}
	_, err = env.Stdout.Write(text)
	return err
}

// shownConfig returns the object of `config show --json`.
func shownConfig(loaded *config.Loaded, origin bool) any {
	shown := struct {
		File     *string           `json:"file"`
		Settings map[string]any    `json:"settings"`
		Origins  map[string]string `json:"origins,omitempty"`
	}{Settings: loaded.Tree()}
	if loaded.File != "" {
		shown.File = &loaded.File
	}
	if origin {
		shown.Origins = map[string]string{}
		for _, k := range config.Keys() {
			shown.Origins[k.Name] = loaded.Origin(k.Name).String()
		}
	}
	return shown
}

// printJSON prints one indented JSON value, without escaping < and >.
func printJSON(env *Env, v any) error {
	e := json.NewEncoder(env.Stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// warnConfig prints the warnings about settings.
func (env *Env) warnConfig(loaded *config.Loaded) {
	for _, w := range loaded.Warnings {
		env.notef("warning: %s", w)
	}
}

func newConfigCheckCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a configuration file, or the current settings",
		Long: "With FILE, check only that file. Otherwise check the settings that pi would use: file and PI_ variables.\n" +
			"Problems are printed one per line. Exit status: 0 no problems; 1 problems; 125 usage, or no such file.",
		Example: "  pi config check\n  pi config check config.example.yaml",
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := loadOptions(c, env)
			if err != nil {
				return err
			}
			if len(args) == 1 {
				o = config.LoadOptions{File: args[0], Environ: withoutSettings(env.Environ)}
			}
			return checkConfig(env, o)
		},
	}
}

// withoutSettings returns the environment without PI_ variables, so that a file is checked alone.
func withoutSettings(environ []string) []string {
	var rest []string
	for _, entry := range environ {
		if !strings.HasPrefix(entry, "PI_") {
			rest = append(rest, entry)
		}
	}
	return rest
}

func checkConfig(env *Env, o config.LoadOptions) error {
	where := config.Locate(o)
	if _, err := os.Stat(where.Path); where.Explicit() && errors.Is(err, os.ErrNotExist) {
		return failf("no such file: %s (named by %s)", where.Path, where.Source)
	}
	loaded, err := config.Load(o)
	if err != nil {
		for _, p := range config.Problems(err) {
			fmt.Fprintln(env.Stdout, p)
		}
		return &ExitError{Code: 1}
	}
	env.warnConfig(loaded)
	if bad := invalidPatterns(loaded); len(bad) > 0 {
		fmt.Fprintln(env.Stdout, strings.Join(bad, "\n"))
		return &ExitError{Code: 1}
	}
	name := loaded.File
	if name == "" {
		name = "no config file found; using defaults and environment"
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: ok\n", name)
	return err
}

// invalidPatterns describes, one per line, the rules that a run would skip.
func invalidPatterns(loaded *config.Loaded) []string {
	const key = "bashInterceptor.patterns"
	if len(loaded.Config.BashInterceptor.Patterns) == 0 {
		return nil
	}
	_, invalid := run.NewChecker(loaded.Config)
	lines := make([]string, len(invalid))
	for i, r := range invalid {
		lines[i] = fmt.Sprintf("%s: %s[%d]: pattern %q: %s", loaded.Origin(key), key, r.Index, r.Pattern, r.Reason)
	}
	return lines
}

func newConfigPathCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print the path of the configuration file",
		Args:  atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := loadOptions(c, env)
			if err != nil {
				return err
			}
			return printConfigPath(env, config.Locate(o))
		},
	}
}

// printConfigPath prints only the path on standard output, so that `$EDITOR "$(pi config path)"` works.
func printConfigPath(env *Env, where config.Location) error {
	if where.Path == "" {
		return failf("no configuration file: neither XDG_CONFIG_HOME nor HOME is an absolute path")
	}
	fmt.Fprintln(env.Stdout, where.Path)
	state := "exists"
	if _, err := os.Stat(where.Path); errors.Is(err, os.ErrNotExist) {
		state = "does not exist"
	} else if err != nil {
		state = "cannot be read: " + err.Error()
	}
	env.notef("%s (%s)", state, where.Source)
	return nil
}
