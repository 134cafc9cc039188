package cmd

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"pi/internal/agents"
	"pi/internal/present"
	"pi/internal/self"
)

type initOptions struct {
	list, json, dryRun, undo, noHook bool
}

func newInitCmd(env *Env) *cobra.Command {
	var o initOptions
	c := &cobra.Command{
		Use:   "init AGENT",
		Short: "Register pi with a coding agent",
		Long: `Add pi mcp to the settings of AGENT: ` + strings.Join(agentNames(), ", ") + `.
For Claude Code, also add a hook that runs its shell commands with pi run.

Other settings are preserved byte for byte, and the original file is saved as FILE.before-pi. A file that cannot be
parsed is not changed. Running the command again changes nothing. See pi help agents for the files.

Exit status: 0 success, or nothing to do; 125 usage, or a file cannot be edited.`,
		Example: "  pi init --list\n  pi init claude --dry-run    # show the changes\n  pi init claude\n  pi init claude --undo",
		RunE: func(_ *cobra.Command, args []string) error {
			if o.list {
				if len(args) > 0 {
					return failf("init --list takes no argument, got %q", args[0])
				}
				return listAgents(env, o.json)
			}
			if o.json {
				return failf("--json can only be used with --list")
			}
			return runInit(env, o, args)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.list, "list", false, "list the agents, their files and whether pi is registered")
	f.BoolVar(&o.json, "json", false, "with --list: print a JSON array")
	f.BoolVar(&o.dryRun, "dry-run", false, "show the changes without making them")
	f.BoolVar(&o.undo, "undo", false, "remove pi from the settings")
	f.BoolVar(&o.noHook, "no-hook", false, "register only the MCP server, not the hook")
	return c
}

func runInit(env *Env, o initOptions, args []string) error {
	names := agentNames()
	if len(args) != 1 {
		return &ExitError{Code: exitFailure, Err: fmt.Errorf("init takes one agent, got %d", len(args)), Hint: "pi init " + strings.Join(names, "|")}
	}
	agent, ok := agents.Find(args[0])
	if !ok {
		return &ExitError{Code: exitFailure, Err: fmt.Errorf("unknown agent %q", args[0]), Hint: "agents: " + strings.Join(names, ", ")}
	}
	exe, err := ownPath()
	if err != nil {
		return err
	}
	plan, opt := agent.Add, agents.Options{Environ: env.Environ, Exe: exe, NoHook: o.noHook && !o.undo}
	if o.undo {
		plan = agent.Remove
	}
	changes, err := plan(opt)
	if err != nil {
		return failf("%w", err)
	}
	for _, c := range changes {
		if o.dryRun && !c.Same() {
			if _, err := env.Stdout.Write(unified(c)); err != nil {
				return present.WriteError(err)
			}
			continue
		}
		if err := c.Apply(); err != nil { // does nothing if there is no change
			return failf("%w", err)
		}
		fmt.Fprintf(env.Stdout, "%s: %s\n", c.Path, outcome(c, o.undo))
	}
	if o.noHook && !agent.HasHook() {
		env.notef("%s has no hook; --no-hook has no effect", agent.Title)
	}
	if !o.undo {
		warnOfTemporary(env, changes, exe)
		warnOfRules(env, changes)
	}
	return nil
}

// warnOfTemporary warns if the settings now name a program in a directory where programs do not stay.
func warnOfTemporary(env *Env, changes []agents.Change, exe string) {
	if !slices.ContainsFunc(changes, func(c agents.Change) bool { return !c.Same() }) {
		return
	}
	if where := temporaryPlace(filepath.Dir(exe), os.TempDir(), "/tmp", "/var/tmp"); where != "" {
		env.notef("warning: the agent's settings name %s, which is in %s; install pi first, "+
			"for example: sudo install -m 755 %[1]s /usr/local/bin/", exe, where)
	}
}

// temporaryPlace describes a directory where programs do not stay: a temporary one, or a checkout of pi's own sources.
// It returns "" for any other.
func temporaryPlace(dir string, temporary ...string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for up := dir; ; up = filepath.Dir(up) {
		if slices.ContainsFunc(temporary, func(t string) bool { return up != filepath.Dir(up) && sameFile(t, up) }) {
			return "a temporary directory"
		}
		mod, err := os.ReadFile(filepath.Join(up, "go.mod"))
		if _, gerr := os.Stat(filepath.Join(up, ".git")); err == nil && gerr == nil && bytes.HasPrefix(mod, []byte("module pi\n")) {
			return "a checkout of its sources"
		}
		if up == filepath.Dir(up) {
			return ""
		}
	}
}

// outcome describes what happened to a file.
func outcome(c agents.Change, undo bool) string {
	switch {
	case c.Same() && undo:
		return c.What + " is not registered"
	case c.Same():
		return c.What + " is already registered"
	case undo && c.After == nil:
		return c.What + " removed, together with the file"
	case undo:
		return c.What + " removed"
	case c.MakesBackup():
		return c.What + " registered; original saved as " + c.Backup()
	}
	return c.What + " registered"
}

// warnOfRules warns about permission rules that the rewritten commands no longer match.
func warnOfRules(env *Env, changes []agents.Change) {
	for _, c := range changes {
		if !strings.HasPrefix(c.What, "hook") || c.Same() {
			continue
		}
		if rules := agents.ShellRules(c.After); len(rules) > 0 {
			env.notef("warning: Claude Code checks its permission rules (%s) against the rewritten commands, %s run -- '…', "+
				"so they may no longer match; use --no-hook to keep them working", strings.Join(rules[:min(len(rules), 3)], ", "), self.Name())
		}
	}
}

func agentNames() (names []string) {
	for _, a := range agents.All() {
		names = append(names, a.Name)
	}
	return names
}

// listedAgent is one file of an agent in `init --list --json`.
type listedAgent struct {
	Agent      string `json:"agent"`
	Program    string `json:"program"`
	What       string `json:"what"` // what pi registers there
	Registered bool   `json:"registered"`
	File       string `json:"file"`
	Found      bool   `json:"found"` // the file exists
	Error      string `json:"error,omitempty"`
}

func listAgents(env *Env, asJSON bool) error {
	if asJSON {
		return present.WriteError(printJSON(env, listedAgents(env)))
	}
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "AGENT\tPROGRAM\tSTATE\tFILE")
	for _, a := range agents.All() {
		for _, s := range a.States(agents.Options{Environ: env.Environ}) {
			state := "not registered"
			switch {
			case s.Err != nil:
				state = "unreadable"
			case s.Registered:
				state = s.What
			case !s.Found:
				state = "no file"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", a.Name, a.Title, state, s.Path)
		}
	}
	_ = w.Flush()
	_, err := env.Stdout.Write(b.Bytes())
	return present.WriteError(err)
}

func listedAgents(env *Env) (list []listedAgent) {
	for _, a := range agents.All() {
		for _, s := range a.States(agents.Options{Environ: env.Environ}) {
			l := listedAgent{Agent: a.Name, Program: a.Title, What: s.What, Registered: s.Registered, File: s.Path, Found: s.Found}
			if s.Err != nil {
				l.Error = s.Err.Error()
			}
			list = append(list, l)
		}
	}
	return list
}

// ownPath returns the path of this program for the settings of others: the one on PATH if it is the same file, so that
// an upgrade of pi is found there, else the path of its file.
func ownPath() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", failf("cannot find the path of pi: %w", err)
	}
	if name, err := exec.LookPath(self.Name()); err == nil {
		if abs, err := filepath.Abs(name); err == nil && sameFile(abs, exe) {
			return abs, nil
		}
	}
	if base := filepath.Base(exe); !strings.EqualFold(strings.TrimSuffix(strings.ToLower(base), ".exe"), self.Name()) {
		return "", failf("the file of this program is named %s, not %s", base, self.Name())
	}
	return exe, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// unified returns a change in the format of diff -u.
func unified(c agents.Change) []byte {
	name := func(text []byte) string {
		if text == nil {
			return os.DevNull
		}
		return c.Path
	}
	text := diff.Diff(name(c.Before), c.Before, name(c.After), c.After)
	_, text, _ = bytes.Cut(text, []byte("\n")) // the first line is the command of a diff that nobody ran
	return text
}
