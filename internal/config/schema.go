package config

import (
	"reflect"
	"strings"
	"unicode"
)

//go:generate go test -run TestGenerated -update

// kind is the type of a setting as users write it.
type kind uint8

const (
	kindBool   kind = iota // bool
	kindChoice             // string, one of Key.choices
	kindTime               // time.Duration, seconds or a Go duration
	kindSize               // int64 bytes, with or without a unit
	kindText               // string
	kindPath               // string, `~/` expanded
	kindList               // []string
	kindRules              // []Rule
	kindMap                // map[string]string
)

// Key describes one setting.
type Key struct {
	Name string // as in the file, with a dot between section and key: "bash.timeout"
	Doc  string // what the setting does, in Markdown on one line; the comments and tables for users are made from it

	flag      string // the flag that sets it for every command; empty: none
	kind      kind
	choices   []string          // of kindChoice
	min, max  int64             // limits of kindSize
	allowZero bool              // 0 is valid although it is below min
	bareName  bool              // of kindPath: a name without a slash is looked up on PATH
	field     func(*Config) any // pointer to the field; its type is the one noted beside the kind
}

// Keys returns every setting, in the order of the documentation.
func Keys() []Key {
	return []Key{
		{Name: "bash.virtualTerminal", kind: kindChoice, choices: []string{"off", "on"},
			Doc:   "Run commands in a [pseudo-terminal](pty.md) when standard input and output are terminals.",
			field: func(c *Config) any { return &c.Bash.VirtualTerminal }},
		{Name: "bash.unattended", kind: kindBool,
			Doc:   "Set pagers, editors and prompts so that no command waits for a person. Has no effect in a [pseudo-terminal](pty.md#when-a-person-is-watching) that a person sees.",
			field: func(c *Config) any { return &c.Bash.Unattended }},
		{Name: "bash.timeout", kind: kindTime,
			Doc:   "Time limit of a command; values outside 1 s to 1 h are clamped, with a warning. In a [pseudo-terminal](pty.md#when-a-person-is-watching) that a person sees only `-t` sets one.",
			field: func(c *Config) any { return &c.Bash.Timeout }},
		{Name: "bash.maxBytes", kind: kindSize, min: MinShown, max: MaxShown,
			Doc:   "How much output is shown; the [artifact](artifacts.md) holds all of it.",
			field: func(c *Config) any { return &c.Bash.MaxBytes }},
		{Name: "bash.ptyText", kind: kindChoice, choices: []string{"transcript", "stream"},
			Doc:   "The text of a run in a [pseudo-terminal](pty.md): `transcript` is what remains on the screen and in its scrollback, `stream` is everything that was printed, with carriage returns as line ends.",
			field: func(c *Config) any { return &c.Bash.PtyText }},
		{Name: "bashInterceptor.enabled", kind: kindBool,
			Doc:   "[Refuse commands](interception.md) for which the caller has a better tool.",
			field: func(c *Config) any { return &c.BashInterceptor.Enabled }},
		{Name: "bashInterceptor.patterns", kind: kindRules,
			Doc:   "Your own rules, tried before the built-in ones, for example `{pattern: '^\\s*jq\\b', tool: read, message: Use read.}`. `pattern` is a JavaScript regular expression.",
			field: func(c *Config) any { return &c.BashInterceptor.Patterns }},
		{Name: "bashInterceptor.replaceDefaults", kind: kindBool,
			Doc:   "Use your own rules only, not the built-in ones.",
			field: func(c *Config) any { return &c.BashInterceptor.ReplaceDefaults }},
		{Name: "tools", kind: kindList,
			Doc:   "Tools the caller has. A rule blocks a command only in favour of one of these.",
			field: func(c *Config) any { return &c.Tools }},
		{Name: "shell.path", kind: kindPath, bareName: true,
			Doc:   "The shell that runs commands. Empty: `$SHELL` if it is bash or zsh, else bash, sh or zsh on PATH, else the [embedded shell](embedded-shell.md). `fish` is used only if it is named here. `embedded`: always the embedded shell.",
			field: func(c *Config) any { return &c.Shell.Path }},
		{Name: "shell.env", kind: kindMap,
			Doc:   "Variables added to the environment of every command, for example `{LANG: C.UTF-8}`. Names keep their case.",
			field: func(c *Config) any { return &c.Shell.Env }},
		{Name: "shell.prefix", kind: kindText,
			Doc:   "Words put before every command, for example `nice -n 10`.",
			field: func(c *Config) any { return &c.Shell.Prefix }},
		{Name: "shell.snapshot", kind: kindChoice, choices: []string{"auto", "off"},
			Doc:   "Load aliases, functions and PATH from the shell's [rc file](snapshot.md).",
			field: func(c *Config) any { return &c.Shell.Snapshot }},
		{Name: "artifacts.dir", flag: "--artifacts-dir", kind: kindPath,
			Doc:   "Directory of the [artifacts](artifacts.md), which hold full outputs. Empty: `${XDG_STATE_HOME:-~/.local/state}/pi/artifacts`.",
			field: func(c *Config) any { return &c.Artifacts.Dir }},
		{Name: "artifacts.maxBytes", kind: kindSize, min: 1 << 10, max: 1 << 50, allowZero: true,
			Doc:   "Size limit of one artifact, which keeps the beginning and the end of a longer output. `0` saves no artifacts.",
			field: func(c *Config) any { return &c.Artifacts.MaxBytes }},
		{Name: "artifacts.maxTotalBytes", kind: kindSize, min: 1 << 10, max: 1 << 50,
			Doc:   "Size limit of all artifacts together; the oldest are deleted first.",
			field: func(c *Config) any { return &c.Artifacts.MaxTotalBytes }},
		{Name: "pty.escape", kind: kindChoice, choices: []string{"auto", "kill", "forward"},
			Doc:   "What Esc does in the terminal overlay: `kill` ends the session, `forward` sends the key to the command, `auto` forwards it while the command uses the alternate screen.",
			field: func(c *Config) any { return &c.Pty.Escape }},
		{Name: "output.format", kind: kindChoice, choices: []string{"text", "json", "stream-json"},
			Doc:   "[Format](output.md) of the result.",
			field: func(c *Config) any { return &c.Output.Format }},
		{Name: "output.color", flag: "--color", kind: kindChoice, choices: []string{"auto", "always", "never"},
			Doc:   "Colours in pi's own output. `auto`: on a terminal, unless NO_COLOR is set.",
			field: func(c *Config) any { return &c.Output.Color }},
		{Name: "output.carriageReturn", kind: kindChoice, choices: []string{"collapse", "newline", "strip"},
			Doc:   "What a carriage return without a line feed does: overwrite its line as on a terminal, end the line, or nothing.",
			field: func(c *Config) any { return &c.Output.CarriageReturn }},
	}
}

// Variable returns the environment variable of the key: PI_, then the name in capitals, with an underscore for every
// dot and before every capital. bashInterceptor.replaceDefaults is PI_BASH_INTERCEPTOR_REPLACE_DEFAULTS.
func (k Key) Variable() string {
	var b strings.Builder
	b.WriteString("PI_")
	for _, r := range k.Name {
		switch {
		case r == '.':
			r = '_'
		case unicode.IsUpper(r):
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

// Expects describes the values the key accepts, for the end of a sentence that begins with "expected".
func (k Key) Expects() string {
	switch k.kind {
	case kindBool:
		return "true or false"
	case kindChoice:
		last := len(k.choices) - 1
		return strings.Join(k.choices[:last], ", ") + " or " + k.choices[last]
	case kindTime:
		return "seconds greater than 0, or a duration such as 90s or 10m"
	case kindSize:
		return k.expectsSize()
	case kindPath:
		if k.bareName {
			return "a name on PATH, an absolute path, or a path that starts with ~/"
		}
		return "an absolute path, or a path that starts with ~/"
	case kindList:
		return "a list of names"
	case kindRules:
		return "a list of rules with " + ruleFields()
	case kindMap:
		return "a mapping of names to values"
	}
	return "a string"
}

// ruleFields describes the fields of a rule: "pattern, tool, message and optional flags".
func ruleFields() string {
	var required, optional []string
	for _, f := range new(Rule).fields() {
		if f.optional {
			optional = append(optional, f.name)
		} else {
			required = append(required, f.name)
		}
	}
	return strings.Join(required, ", ") + " and optional " + strings.Join(optional, ", ")
}

func (k Key) expectsSize() string {
	words := "a size from " + FormatSize(k.min) + " to " + FormatSize(k.max)
	if k.allowZero {
		words += ", or 0"
	}
	return words
}

// value returns the key's value in c. Its type is the one of the key's kind.
func (k Key) value(c *Config) any { return reflect.ValueOf(k.field(c)).Elem().Interface() }

// store sets the key in c to v, which must be of the type of the key's kind.
func (k Key) store(c *Config, v any) { reflect.ValueOf(k.field(c)).Elem().Set(reflect.ValueOf(v)) }

// findKey returns the key of exactly that name.
func findKey(keys []Key, name string) (Key, bool) {
	for _, k := range keys {
		if k.Name == name {
			return k, true
		}
	}
	return Key{}, false
}

// isSection reports whether name is a section, that is, whether a key's name starts with it and a dot.
func isSection(keys []Key, name string) bool {
	for _, k := range keys {
		if strings.HasPrefix(k.Name, name+".") {
			return true
		}
	}
	return false
}
