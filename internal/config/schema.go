package config

import (
	"strings"
	"time"
	"unicode"
)

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

// Key is one setting of the schema.
type Key struct {
	Name string // as in the file, dots between section and key: "bash.timeout"
	Why  string // one line for people

	flag     string // the flag that sets it for every command; empty: none
	kind     kind
	choices  []string
	min, max int64 // bounds of kindSize
	orZero   bool  // 0 is allowed below min
	bare     bool  // a bare name is no path but looked up on PATH
	field    func(*Config) any
}

// Keys is the whole schema, in the order of the documentation.
func Keys() []Key {
	return []Key{
		{Name: "bash.virtualTerminal", Why: "run commands in a pseudo-terminal when pi itself runs on one", kind: kindChoice, choices: []string{"off", "on"},
			field: func(c *Config) any { return &c.Bash.VirtualTerminal }},
		{Name: "bash.unattended", Why: "pagers, editors and prompts are set so that nothing waits for a person", kind: kindBool,
			field: func(c *Config) any { return &c.Bash.Unattended }},
		{Name: "bash.timeout", Why: "seconds, or a duration such as 90s or 10m, after which a command is ended", kind: kindTime,
			field: func(c *Config) any { return &c.Bash.Timeout }},
		{Name: "bash.maxBytes", Why: "bytes of output shown, 1 KiB to 16 MiB; the rest is in the artifact", kind: kindSize, min: MinShown, max: MaxShown,
			field: func(c *Config) any { return &c.Bash.MaxBytes }},
		{Name: "bash.ptyText", Why: "the text of a run in a pseudo-terminal: what was left on the screen, or all that was printed", kind: kindChoice, choices: []string{"transcript", "stream"},
			field: func(c *Config) any { return &c.Bash.PtyText }},
		{Name: "bashInterceptor.enabled", Why: "refuse commands for which the caller has a better tool", kind: kindBool,
			field: func(c *Config) any { return &c.BashInterceptor.Enabled }},
		{Name: "bashInterceptor.patterns", Why: "own rules, each with pattern, tool, message and optional flags", kind: kindRules,
			field: func(c *Config) any { return &c.BashInterceptor.Patterns }},
		{Name: "bashInterceptor.replaceDefaults", Why: "use the own rules alone instead of adding them to the built-in ones", kind: kindBool,
			field: func(c *Config) any { return &c.BashInterceptor.ReplaceDefaults }},
		{Name: "tools", Why: "tools the caller has; a rule blocks only in favour of one of these", kind: kindList,
			field: func(c *Config) any { return &c.Tools }},
		{Name: "shell.path", Why: "the shell that runs commands; empty: $SHELL when it is bash or zsh, else bash, else sh; embedded: part of pi", kind: kindPath, bare: true,
			field: func(c *Config) any { return &c.Shell.Path }},
		{Name: "shell.env", Why: "variables added to the environment of every command", kind: kindMap,
			field: func(c *Config) any { return &c.Shell.Env }},
		{Name: "shell.prefix", Why: "words put before every command, for example nice -n 10", kind: kindText,
			field: func(c *Config) any { return &c.Shell.Prefix }},
		{Name: "shell.snapshot", Why: "take aliases, functions and PATH from the rc file of the shell", kind: kindChoice, choices: []string{"auto", "off"},
			field: func(c *Config) any { return &c.Shell.Snapshot }},
		{Name: "artifacts.dir", Why: "where full outputs are kept; empty: ${XDG_STATE_HOME:-~/.local/state}/pi/artifacts", flag: "--artifacts-dir", kind: kindPath,
			field: func(c *Config) any { return &c.Artifacts.Dir }},
		{Name: "artifacts.maxBytes", Why: "bytes one artifact may hold; 0 saves none", kind: kindSize, min: 1 << 10, max: 1 << 50, orZero: true,
			field: func(c *Config) any { return &c.Artifacts.MaxBytes }},
		{Name: "artifacts.maxTotalBytes", Why: "bytes the whole store may hold; the oldest artifacts go first", kind: kindSize, min: 1 << 10, max: 1 << 50,
			field: func(c *Config) any { return &c.Artifacts.MaxTotalBytes }},
		{Name: "pty.escape", Why: "whose key Esc is in the terminal overlay: kill ends the session, forward gives it to the command", kind: kindChoice, choices: []string{"auto", "kill", "forward"},
			field: func(c *Config) any { return &c.Pty.Escape }},
		{Name: "output.format", Why: "how a result is printed", kind: kindChoice, choices: []string{"text", "json", "stream-json"},
			field: func(c *Config) any { return &c.Output.Format }},
		{Name: "output.color", Why: "colours in pi's own output; auto: on a terminal without NO_COLOR", flag: "--color", kind: kindChoice, choices: []string{"auto", "always", "never"},
			field: func(c *Config) any { return &c.Output.Color }},
		{Name: "output.carriageReturn", Why: "a lone carriage return overwrites its line, ends it, or is dropped", kind: kindChoice, choices: []string{"collapse", "newline", "strip"},
			field: func(c *Config) any { return &c.Output.CarriageReturn }},
	}
}

// Variable is the environment variable of the key: PI_, then the name with an underscore for every dot and before
// every capital, in capitals. bashInterceptor.replaceDefaults is PI_BASH_INTERCEPTOR_REPLACE_DEFAULTS.
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

// Expects says in words what may be written for the key.
func (k Key) Expects() string {
	switch k.kind {
	case kindBool:
		return "true or false"
	case kindChoice:
		return strings.Join(k.choices[:len(k.choices)-1], ", ") + " or " + k.choices[len(k.choices)-1]
	case kindTime:
		return "seconds above 0, or a duration such as 90s or 10m"
	case kindSize:
		return k.expectsSize()
	case kindPath:
		if k.bare {
			return "a name on PATH, or a path that is absolute or starts with ~/"
		}
		return "a path that is absolute or starts with ~/"
	case kindList:
		return "a list of names"
	case kindRules:
		return "a list of rules with pattern, tool, message and optional flags"
	case kindMap:
		return "names with values"
	}
	return "a text"
}

func (k Key) expectsSize() string {
	words := "a size from " + FormatSize(k.min) + " to " + FormatSize(k.max)
	if k.orZero {
		words += ", or 0"
	}
	return words
}

// value is the key's value in c, of the kind's Go type.
func (k Key) value(c *Config) any {
	switch p := k.field(c).(type) {
	case *bool:
		return *p
	case *string:
		return *p
	case *time.Duration:
		return *p
	case *int64:
		return *p
	case *[]string:
		return *p
	case *[]Rule:
		return *p
	case *map[string]string:
		return *p
	}
	return nil
}

// store puts v, a value of the kind's Go type, into c.
func (k Key) store(c *Config, v any) {
	switch p := k.field(c).(type) {
	case *bool:
		*p, _ = v.(bool)
	case *string:
		*p, _ = v.(string)
	case *time.Duration:
		*p, _ = v.(time.Duration)
	case *int64:
		*p, _ = v.(int64)
	case *[]string:
		*p, _ = v.([]string)
	case *[]Rule:
		*p, _ = v.([]Rule)
	case *map[string]string:
		*p, _ = v.(map[string]string)
	}
}

// findKey is the key of that exact name.
func findKey(keys []Key, name string) (Key, bool) {
	for _, k := range keys {
		if k.Name == name {
			return k, true
		}
	}
	return Key{}, false
}

// isSection reports whether keys stand below name.
func isSection(keys []Key, name string) bool {
	for _, k := range keys {
		if strings.HasPrefix(k.Name, name+".") {
			return true
		}
	}
	return false
}
