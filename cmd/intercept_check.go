package cmd

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pi/internal/intercept"
	"pi/internal/normalize"
	"pi/internal/run"
)

// Exit statuses of intercept-check.
const (
	exitWouldBlock = 1
	exitNoVerdict  = 2 // usage or configuration error
)

func newInterceptCheckCmd(env *Env) *cobra.Command {
	var asJSON bool
	var tools string
	c := &cobra.Command{
		Use:   "intercept-check [flags] -- COMMAND [ARG…]",
		Short: "Check whether a command would be blocked, and by which rule",
		Long: `Check COMMAND against the interception rules without running it. COMMAND is read as by pi run. If interception is off
(bashInterceptor.enabled), the command is checked anyway and a note says so. See pi help interception for the rules.

Exit status: 0 allowed; 1 blocked by a rule; 2 usage or configuration error.`,
		Example: "  pi intercept-check -- 'cd src && cat main.go'\n  pi intercept-check --json --tools read,grep -- 'grep -rn TODO .'",
		RunE: func(c *cobra.Command, args []string) error {
			check, err := checkIntercept(c, env, args, tools)
			switch {
			case err != nil:
				return noVerdict(env, asJSON, err)
			case asJSON:
				err = printJSON(env, check)
			default:
				check.print(env)
			}
			if err == nil && check.Blocked {
				err = &ExitError{Code: exitWouldBlock}
			}
			return err
		},
	}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		end := slices.Index(append(slices.Clone(env.Args), "--"), "--")
		return noVerdict(env, slices.Contains(env.Args[:end], "--json"), err)
	})
	f := c.Flags()
	f.SetInterspersed(false)
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	f.StringVar(&tools, "tools", "", "tools the caller has, `a,b,c` (default: the configured ones)")
	return c
}

// interceptCheck is the result. Fields that do not apply are null.
type interceptCheck struct {
	Blocked      bool          `json:"blocked"`
	Rule         *string       `json:"rule"`
	Tool         *string       `json:"tool"`
	Message      *string       `json:"message"`
	Command      string        `json:"command"`
	Fragment     *string       `json:"fragment"`
	Enabled      bool          `json:"enabled"`
	InvalidRules []invalidRule `json:"invalidRules"`
}

type invalidRule struct {
	Index   int    `json:"index"`
	Pattern string `json:"pattern"`
	Reason  string `json:"reason"`
}

func checkIntercept(c *cobra.Command, env *Env, args []string, tools string) (*interceptCheck, error) {
	if len(args) == 0 {
		return nil, &ExitError{Err: errors.New("no command given"), Hint: "pi intercept-check -- 'cat notes.txt'"}
	}
	loaded, err := loadConfig(c, env)
	if err != nil {
		return nil, err
	}
	env.warnConfig(loaded)
	text, err := commandText(env, args)
	if err != nil {
		return nil, err
	}
	available := loaded.Config.Tools
	if c.Flags().Changed("tools") {
		available = splitList(tools)
	}
	checker, invalid := run.NewChecker(loaded.Config)
	check := &interceptCheck{Command: text, Enabled: loaded.Config.BashInterceptor.Enabled, InvalidRules: []invalidRule{}}
	for _, r := range invalid {
		check.InvalidRules = append(check.InvalidRules, invalidRule(r))
	}
	// As in pi run: the rules see the normalised text, the message shows the original.
	if v := checker.Check(normalize.Command(text).Command, available); v.Blocked {
		message := intercept.Message(v.Reason, text)
		check.Blocked, check.Rule, check.Tool, check.Message, check.Fragment = true, &v.RuleID, &v.Tool, &message, &v.Fragment
	}
	return check, nil
}

// print prints the verdict on standard output, and invalid rules on standard error.
func (check *interceptCheck) print(env *Env) {
	for _, r := range check.InvalidRules {
		env.notef("warning: bashInterceptor.patterns[%d] is skipped: pattern %q: %s", r.Index, r.Pattern, r.Reason)
	}
	if check.Blocked {
		fmt.Fprintf(env.Stdout, "blocked by rule %s, which suggests the tool %s\nmatched: %s\n\n%s\n",
			*check.Rule, *check.Tool, *check.Fragment, *check.Message)
	} else {
		fmt.Fprintln(env.Stdout, "allowed")
	}
	if !check.Enabled {
		fmt.Fprintln(env.Stdout, "\ninterception is off (bashInterceptor.enabled): pi run blocks nothing")
	}
}

// noVerdict returns err with the exit status of this command. With --json it prints an object instead.
func noVerdict(env *Env, asJSON bool, err error) error {
	failure := &ExitError{Code: exitNoVerdict, Err: err}
	var e *ExitError
	if errors.As(err, &e) {
		failure.Err, failure.Hint = e.Err, e.Hint
	}
	if !asJSON {
		return failure
	}
	if perr := printJSON(env, map[string]string{"error": failure.Err.Error()}); perr != nil {
		return perr
	}
	return &ExitError{Code: exitNoVerdict}
}
