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

	"github.com/spf13/cobra"

	"pi/internal/agents"
	"pi/internal/present"
)

type initOptions struct {
	list, json, dryRun, undo, noHook bool
}

func newInitCmd(env *Env) *cobra.Command {
	var o initOptions
	c := &cobra.Command{
		Use:   "init AGENT",
		Short: "Register pi with a coding agent, in the agent's own settings",
		Long: `Write pi mcp into the settings of AGENT: claude, codex, cursor, gemini or opencode. With Claude Code a hook is added,
too, which sends its shell commands through pi run.

All other settings stay as they are, to the byte. The file as it was is kept beside it (FILE.before-pi). A file that
cannot be parsed is not touched. Doing it again changes nothing. docs/agents.md names the files.

Exit status: 0 done, or nothing to do; 125 usage, a file that cannot be edited.`,
		Example: "  pi init --list\n  pi init claude --dry-run    # show what would be changed\n  pi init claude\n  pi init claude --undo",
		RunE: func(_ *cobra.Command, args []string) error {
			if o.list {
				if len(args) > 0 {
					return failf("init --list takes no argument, got %q", args[0])
				}
				return listAgents(env, o.json)
			}
			if o.json {
				return failf("--json goes with --list")
			}
			return runInit(env, o, args)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.list, "list", false, "list the agents, their files and whether pi is registered")
	f.BoolVar(&o.json, "json", false, "with --list: print a JSON array")
	f.BoolVar(&o.dryRun, "dry-run", false, "show the changes and make none")
	f.BoolVar(&o.undo, "undo", false, "take pi out again")
	f.BoolVar(&o.noHook, "no-hook", false, "register the MCP server only, leave shell commands alone")
	return c
}

func runInit(env *Env, o initOptions, args []string) error {
	names := agentNames()
	if len(args) != 1 {
		return &ExitError{Code: exitFailure, Err: fmt.Errorf("init takes one agent, got %d", len(args)), Hint: "pi init " + strings.Join(names, "|")}
	}
	agent, ok := agents.Find(args[0])
	if !ok {
		return &ExitError{Code: exitFailure, Err: fmt.Errorf("unknown agent %q", args[0]), Hint: "there are " + strings.Join(names, ", ")}
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
			if _, err := env.Stdout.Write(difference(c)); err != nil {
				return present.WriteError(err)
			}
			continue
		}
		if err := c.Do(); err != nil { // nothing where all is as it is to be
			return failf("%w", err)
		}
		fmt.Fprintf(env.Stdout, "%s: %s\n", c.Path, outcome(c, o.undo))
	}
	if o.noHook && !agent.HasHook(opt) {
		fmt.Fprintf(env.Stderr, "pi: %s has no hook, so --no-hook changes nothing\n", agent.Title)
	}
	if !o.undo {
		warnOfPlace(env, changes, exe)
		warnOfRules(env, changes)
	}
	return nil
}

// warnOfPlace tells when the agent is given the path of a program that will not stay.
func warnOfPlace(env *Env, changes []agents.Change, exe string) {
	if !slices.ContainsFunc(changes, func(c agents.Change) bool { return !c.Same() }) {
		return
	}
	if where := passing(filepath.Dir(exe), os.TempDir(), "/tmp", "/var/tmp"); where != "" {
		fmt.Fprintf(env.Stderr, "pi: warning: the agent's settings name %s, which lies in %s; install pi first, "+
			"for example: sudo install -m 755 %[1]s /usr/local/bin/ (README, Install)\n", exe, where)
	}
}

// passing says what a directory is that programs do not stay in, a temporary one or a checkout of pi's own sources; ""
// for any other.
func passing(dir string, temporary ...string) string {
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

// outcome says what became of a file.
func outcome(c agents.Change, undo bool) string {
	switch {
	case c.Same() && undo:
		return "no " + c.What + " of pi's"
	case c.Same():
		return c.What + " is registered already"
	case undo && c.After == nil:
		return c.What + " removed, and with it the file"
	case undo:
		return c.What + " removed"
	case c.Kept():
		return c.What + " registered; as it was: " + c.Backup()
	}
	return c.What + " registered"
}

// warnOfRules tells of permission rules that meet other commands from now on.
func warnOfRules(env *Env, changes []agents.Change) {
	for _, c := range changes {
		if !strings.HasPrefix(c.What, "hook") || c.Same() {
			continue
		}
		if rules := agents.ShellRules(c.After); len(rules) > 0 {
			fmt.Fprintf(env.Stderr, "pi: warning: Claude Code matches its rules (%s) against the commands as the hook rewrites them, pi run -- '…'; "+
				"they no longer mean what they meant. With --no-hook they do.\n", strings.Join(rules[:min(len(rules), 3)], ", "))
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
	What       string `json:"what"` // what of pi's is registered there
	Registered bool   `json:"registered"`
	File       string `json:"file"`
	Found      bool   `json:"found"` // the file is there
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

// ownPath is the name under which this program is found again: the one on PATH if that is it, so that an update of pi
// is found there, else its own.
func ownPath() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", failf("where pi lies is not known: %w", err)
	}
	if name, err := exec.LookPath("pi"); err == nil {
		if abs, err := filepath.Abs(name); err == nil && sameFile(abs, self) {
			return abs, nil
		}
	}
	if strings.TrimSuffix(strings.ToLower(filepath.Base(self)), ".exe") != "pi" {
		return "", failf("this program is called %s; agents are told of one called pi", filepath.Base(self))
	}
	return self, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// difference writes a change as diff -u does, with the lines that go and come and three around them.
func difference(c agents.Change) []byte {
	if c.Same() {
		return nil
	}
	var b bytes.Buffer
	before, after := lines(c.Before), lines(c.After)
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	end := 0
	for end < min(len(before), len(after))-same && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	const context = 3
	from, tail := max(same-context, 0), min(end, context)
	name := func(text []byte) string {
		if text == nil {
			return os.DevNull
		}
		return c.Path
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n@@ -%s +%s @@\n", name(c.Before), name(c.After),
		span(from, len(before)-end+tail), span(from, len(after)-end+tail))
	put := func(sign string, list []string) {
		for _, l := range list {
			b.WriteString(sign + l)
			if !strings.HasSuffix(l, "\n") {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
	put(" ", before[from:same])
	put("-", before[same:len(before)-end])
	put("+", after[same:len(after)-end])
	put(" ", before[len(before)-end:len(before)-end+tail])
	return b.Bytes()
}

// span writes the lines from ≤ n < to as diff counts them: an empty one by the line before it.
func span(from, to int) string {
	if to == from {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func lines(text []byte) []string {
	return slices.DeleteFunc(strings.SplitAfter(string(text), "\n"), func(l string) bool { return l == "" })
}
