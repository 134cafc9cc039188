// Package agents registers pi with coding agents: it adds pi's MCP server to an agent's own settings and, for agents that
// run a command before each tool call, a hook that sends shell commands through pi run.
//
// It edits settings as text. Everything but pi's own entry stays byte for byte, including comments and white space.
// Before anything is written, the new text is parsed and compared with what was intended. A file that cannot be parsed
// stays untouched. docs/agents.md names the files of each agent and the documents that describe them.
//
// To add an agent, add an entry to [All] and a directory of examples to testdata.
package agents

import (
	"path/filepath"
	"slices"

	"pi/internal/environ"
)

// All returns the agents, sorted by name.
func All() []Agent {
	stdio := `{"type": "stdio", "command": "$PI", "args": ["mcp"]}`
	return []Agent{
		{"claude", "Claude Code", []settingsFile{
			{env: "CLAUDE_CONFIG_DIR", names: []string{".claude.json"},
				what: "MCP server", editor: jsonEntry{"mcpServers", stdio}},
			{env: "CLAUDE_CONFIG_DIR", dir: ".claude", names: []string{"settings.json"},
				what: "hook for shell commands", hook: true, editor: claudeHook{}},
		}},
		{"codex", "Codex CLI", []settingsFile{
			{env: "CODEX_HOME", dir: ".codex", names: []string{"config.toml"},
				what: "MCP server", editor: tomlServer{"tool_timeout_sec = 3700"}},
		}},
		{"cursor", "Cursor", []settingsFile{
			{dir: ".cursor", names: []string{"mcp.json"},
				what: "MCP server", editor: jsonEntry{"mcpServers", stdio}},
		}},
		{"gemini", "Gemini CLI", []settingsFile{
			{env: "GEMINI_CLI_HOME", names: []string{".gemini/settings.json"},
				what: "MCP server", editor: jsonEntry{"mcpServers", `{"command": "$PI", "args": ["mcp"], "timeout": 3700000}`}},
		}},
		{"opencode", "opencode", []settingsFile{ // it reads both files, and the .jsonc last
			{env: "XDG_CONFIG_HOME", dir: ".config", names: []string{"opencode/opencode.jsonc", "opencode/opencode.json"},
				what: "MCP server", editor: jsonEntry{"mcp", `{"type": "local", "command": ["$PI", "mcp"], "enabled": true}`}},
		}},
	}
	// The timeouts of 3700 s are longer than pi's longest, so that pi ends a command itself and returns its output.
}

// Find returns the agent of that name.
func Find(name string) (Agent, bool) {
	for _, a := range All() {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// Agent is a coding agent that pi can be registered with.
type Agent struct {
	Name  string // the argument of pi init
	Title string // the name of the product
	files []settingsFile
}

// settingsFile is one file of an agent's settings with pi's entry in it.
type settingsFile struct {
	env    string   // variable that names the base directory if its value is absolute; empty: none
	dir    string   // base directory otherwise, below the home directory; empty: the home directory
	names  []string // file below the base directory, slash-separated: the first that exists, else the last
	what   string   // pi's entry, for messages
	hook   bool     // the entry is a hook
	editor editor
}

// editor adds and removes pi's entry in the text of a file. An empty text stands for a missing file. Errors name the
// line.
type editor interface {
	// add adds or updates the entry, which starts the program exe. It returns the text itself if nothing changes.
	add(text []byte, exe string) ([]byte, error)
	// remove removes the entry. It returns the text itself if there is none.
	remove(text []byte) ([]byte, error)
	// program returns the program that the entry starts, or an empty string if there is no entry or text is invalid.
	program(text []byte) string
}

// path returns the absolute path of the file. It looks on the disk only if the file has several possible names.
func (f settingsFile) path(env []string, home string) string {
	base := filepath.Join(home, filepath.FromSlash(f.dir))
	if f.env != "" {
		if dir := environ.Get(env, f.env); filepath.IsAbs(dir) {
			base = dir
		}
	}
	last := len(f.names) - 1
	for _, name := range f.names[:last] {
		if path := filepath.Join(base, filepath.FromSlash(name)); exists(path) {
			return path
		}
	}
	return filepath.Join(base, filepath.FromSlash(f.names[last]))
}

// HasHook reports whether the agent has a hook for shell commands.
func (a Agent) HasHook() bool {
	return slices.ContainsFunc(a.files, func(f settingsFile) bool { return f.hook })
}
