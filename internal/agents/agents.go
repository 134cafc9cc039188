// Package agents makes pi known to coding agents: it writes the MCP server into an agent's own configuration file, and
// for agents that run commands before their tools, a hook that sends shell calls through pi run.
//
// Files are changed as text. All that is not pi's own entry stays byte for byte, comments and spacing included; what was
// written is parsed again and compared with what was meant before it reaches the disk. A file that cannot be parsed is
// left alone. Where each agent keeps its settings, and which of its documents say so, is in docs/agents.md.
package agents

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"pi/internal/environ"
	"pi/internal/self"
)

// Agent is a program that pi can be registered with.
type Agent struct {
	Name  string // as pi init takes it
	Title string // as people know it
	// places are the files to change; env holds NAME=VALUE.
	places func(env []string, home string) []place
}

// place is a file with what pi puts into it.
type place struct {
	path string
	what string // for messages
	hook bool
	edit editor
}

// editor changes the text of one kind of file. An empty text is that of a file that is not there. Errors name the line.
type editor interface {
	// add puts in the entry for the program exe, or brings it up to date; where it is right already the text is the same.
	add(text []byte, exe string) ([]byte, error)
	// remove takes the entry out; where there is none the text is the same.
	remove(text []byte) ([]byte, error)
}

// All lists the agents, in the order of their names.
func All() []Agent {
	return []Agent{
		{"claude", "Claude Code", claudePlaces},
		{"codex", "Codex CLI", codexPlaces},
		{"cursor", "Cursor", cursorPlaces},
		{"gemini", "Gemini CLI", geminiPlaces},
		{"opencode", "opencode", opencodePlaces},
	}
}

// Find gives the agent of that name.
func Find(name string) (Agent, bool) {
	for _, a := range All() {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// stdio is the entry that most agents have for a server: a program, its arguments, and what else belongs to it.
type stdioEntry struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Timeout int      `json:"timeout,omitempty"` // milliseconds
}

// callLimit is what agents are told to wait for a call at most, in seconds: longer than pi's longest timeout, so that
// it is pi that ends a command, and tells what it printed.
const callLimit = 3700

func claudePlaces(env []string, home string) []place {
	settings, servers := filepath.Join(home, ".claude", "settings.json"), filepath.Join(home, ".claude.json")
	if dir := environ.Get(env, "CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		settings, servers = filepath.Join(dir, "settings.json"), filepath.Join(dir, ".claude.json")
	}
	return []place{
		{servers, "MCP server", false, member{[]string{"mcpServers", self.Name()}, func(exe string) any {
			return stdioEntry{Type: "stdio", Command: exe, Args: []string{"mcp"}}
		}}},
		{settings, "hook for shell commands", true, claudeHook{}},
	}
}

func codexPlaces(env []string, home string) []place {
	dir := filepath.Join(home, ".codex")
	if d := environ.Get(env, "CODEX_HOME"); filepath.IsAbs(d) {
		dir = d
	}
	return []place{{filepath.Join(dir, "config.toml"), "MCP server", false, table{}}}
}

func cursorPlaces(_ []string, home string) []place {
	return []place{{filepath.Join(home, ".cursor", "mcp.json"), "MCP server", false, member{[]string{"mcpServers", self.Name()}, func(exe string) any {
		return stdioEntry{Type: "stdio", Command: exe, Args: []string{"mcp"}}
	}}}}
}

func geminiPlaces(env []string, home string) []place {
	if d := environ.Get(env, "GEMINI_CLI_HOME"); filepath.IsAbs(d) {
		home = d
	}
	return []place{{filepath.Join(home, ".gemini", "settings.json"), "MCP server", false, member{[]string{"mcpServers", self.Name()}, func(exe string) any {
		return stdioEntry{Command: exe, Args: []string{"mcp"}, Timeout: callLimit * 1000}
	}}}}
}

func opencodePlaces(env []string, home string) []place {
	dir := filepath.Join(home, ".config")
	if d := environ.Get(env, "XDG_CONFIG_HOME"); filepath.IsAbs(d) {
		dir = d
	}
	file := filepath.Join(dir, "opencode", "opencode.jsonc") // read last, so what it says counts
	if !isThere(file) {
		file = filepath.Join(dir, "opencode", "opencode.json")
	}
	return []place{{file, "MCP server", false, member{[]string{"mcp", self.Name()}, func(exe string) any {
		return struct {
			Type    string   `json:"type"`
			Command []string `json:"command"`
			Enabled bool     `json:"enabled"`
		}{"local", []string{exe, "mcp"}, true}
	}}}}
}

// Options say what is to be done, and for whom.
type Options struct {
	Environ []string // NAME=VALUE
	Exe     string   // absolute path of the program that agents are to start
	NoHook  bool     // the MCP server only
}

// Change is what is to become of one file.
type Change struct {
	Path          string // links followed
	What          string
	Before, After []byte // Before is nil when there was no file, After when there is to be none
	file          file
	backup        string // the file beside it
	keep, unkeep  bool   // it is to be written with Before, or to go
}

// Same tells whether there is nothing to do.
func (c Change) Same() bool {
	return string(c.Before) == string(c.After) && (c.Before == nil) == (c.After == nil)
}

// Backup is where the text from before pi is, or will be, kept; empty if it is not.
func (c Change) Backup() string { return c.backup }

// Kept tells whether the text from before pi is kept by doing the change.
func (c Change) Kept() bool { return c.keep }

func (a Agent) each(o Options, do func(place, file) (Change, error)) ([]Change, error) {
	home := environ.Home(o.Environ)
	if home == "" {
		return nil, errors.New("HOME names no directory")
	}
	var list []Change
	for _, p := range a.places(o.Environ, home) {
		if p.hook && o.NoHook {
			continue
		}
		f, err := readFile(p.path)
		if err != nil {
			return nil, err
		}
		c, err := do(p, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// Add works out how pi is registered. Nothing is written.
func (a Agent) Add(o Options) ([]Change, error) {
	return a.each(o, func(p place, f file) (Change, error) {
		after, err := p.edit.add(f.text, o.Exe)
		if err != nil {
			return Change{}, err
		}
		c := Change{Path: f.path, What: p.what, Before: f.text, After: after, file: f}
		if without, rerr := p.edit.remove(f.text); rerr == nil && f.text != nil && bytes.Equal(without, f.text) && !c.Same() {
			c.keep = true // nothing of pi is in it yet
			c.backup, err = freeBackup(f)
		}
		return c, err
	})
}

// Remove works out how pi's entries go. A file that is just as pi left it becomes what it was before, to the byte, or
// goes if there was none.
func (a Agent) Remove(o Options) ([]Change, error) {
	return a.each(o, func(p place, f file) (Change, error) {
		c := Change{Path: f.path, What: p.what, Before: f.text, file: f}
		var err error
		if c.After, err = p.edit.remove(f.text); err != nil || c.Same() {
			return c, err
		}
		return c.restore(p.edit), nil
	})
}

// restore makes a removal give back the text from before pi, if the file is just as pi left it, and takes the backup
// away that pi made. That is one which holds just what the file will hold; all others are somebody else's, or say more
// than the file.
func (c Change) restore(e editor) Change {
	exe := exeOf(e, c.Before)
	asLeft := func(before []byte) bool {
		again, err := e.add(before, exe)
		return err == nil && bytes.Equal(again, c.Before)
	}
	for _, path := range backups(c.Path) {
		saved, err := readBackup(path)
		if err == nil && (bytes.Equal(saved, c.After) || asLeft(saved)) {
			c.After, c.backup, c.unkeep = saved, path, true
			return c
		}
	}
	if asLeft(nil) {
		c.After = nil
	}
	return c
}

// exeOf is the program that an entry names, as far as the editor can tell.
func exeOf(e editor, text []byte) string {
	if r, ok := e.(interface{ exe([]byte) string }); ok {
		return r.exe(text)
	}
	return ""
}

// State tells of each file of an agent whether pi's entry is in it.
type State struct {
	Path, What string
	Found      bool // the file is there
	Registered bool
	Err        error // it cannot be read
}

// HasHook tells whether the agent has a hook for shell commands.
func (a Agent) HasHook(o Options) bool {
	return slices.ContainsFunc(a.places(o.Environ, environ.Home(o.Environ)), func(p place) bool { return p.hook })
}

// States looks at the files of an agent.
func (a Agent) States(o Options) (list []State) {
	for _, p := range a.places(o.Environ, environ.Home(o.Environ)) {
		s := State{Path: p.path, What: p.what}
		f, err := readFile(p.path)
		if err == nil && f.text != nil {
			var without []byte
			without, err = p.edit.remove(f.text)
			s.Found, s.Registered = true, err == nil && string(without) != string(f.text)
		}
		s.Err = err
		list = append(list, s)
	}
	return list
}
