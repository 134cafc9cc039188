package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// write creates a configuration file in a new directory and returns its path.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// with returns the defaults with changes.
func with(change func(*Config)) Config {
	c := Defaults()
	change(&c)
	return c
}

func TestLoadFile(t *testing.T) {
	home := t.TempDir()
	for _, tt := range []struct {
		name, text string
		want       Config
	}{
		{"empty", "", Defaults()},
		{"comments", "# nothing\n", Defaults()},
		{"null", "~\n", Defaults()},
		{"empty section", "bash:\n  # timeout: 5\n", Defaults()},
		{"byte order mark", "\ufefftools: []\n", with(func(c *Config) { c.Tools = []string{} })},
		{"seconds", "bash: {timeout: 5}", with(func(c *Config) { c.Bash.Timeout = 5 * time.Second })},
		{"fraction", "bash: {timeout: 1.5}", with(func(c *Config) { c.Bash.Timeout = 1500 * time.Millisecond })},
		{"duration", "bash: {timeout: 10m}", with(func(c *Config) { c.Bash.Timeout = 10 * time.Minute })},
		{"on is a choice", "bash: {virtualTerminal: on}", with(func(c *Config) { c.Bash.VirtualTerminal = "on" })},
		{"terminal text", "bash: {ptyText: stream}", with(func(c *Config) { c.Bash.PtyText = "stream" })},
		{"no is a boolean", "bash: {unattended: no}", with(func(c *Config) { c.Bash.Unattended = false })},
		{"size", "artifacts: {maxBytes: 1 MiB, maxTotalBytes: 5000}", with(func(c *Config) {
			c.Artifacts = Artifacts{MaxBytes: 1 << 20, MaxTotalBytes: 5000}
		})},
		{"artifacts off", "artifacts: {maxBytes: 0}", with(func(c *Config) { c.Artifacts.MaxBytes = 0 })},
		{"home", "artifacts: {dir: ~/a}\nshell: {path: zsh}", with(func(c *Config) {
			c.Artifacts.Dir, c.Shell.Path = filepath.Join(home, "a"), "zsh"
		})},
		{"variable names keep their case", "shell:\n  env: {Foo: a, FOO: b, n: 5, t: yes, empty: ''}", with(func(c *Config) {
			c.Shell.Env = map[string]string{"Foo": "a", "FOO": "b", "n": "5", "t": "yes", "empty": ""}
		})},
		{"rules", "bashInterceptor:\n  enabled: true\n  patterns:\n  - {pattern: ^x, tool: Read, message: M}\n  - {pattern: y, flags: i, tool: t, message: m}", with(func(c *Config) {
			c.BashInterceptor = BashInterceptor{Enabled: true, Patterns: []Rule{{"^x", "", "Read", "M"}, {"y", "i", "t", "m"}}}
		})},
		{"alias", "bash: {timeout: &t 7}\ntools: &l [a]\noutput: {format: json}\nshell: {env: {T: *t}}", with(func(c *Config) {
			c.Bash.Timeout, c.Tools, c.Output.Format = 7*time.Second, []string{"a"}, "json"
			c.Shell.Env = map[string]string{"T": "7"}
		})},
		{"json", `{"bash": {"timeout": 5}, "tools": ["a"]}`, with(func(c *Config) { c.Bash.Timeout, c.Tools = 5*time.Second, []string{"a"} })},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, tt.text)
			loaded, err := Load(LoadOptions{File: path, Environ: []string{"HOME=" + home}})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, loaded.Config); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if loaded.File != path {
				t.Errorf("File = %q", loaded.File)
			}
		})
	}
}

func TestLoadFileProblems(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string // without the path
	}{
		{"unknown", "bash:\n  timout: 5", []string{`:2: unknown setting "bash.timout"; did you mean "bash.timeout"?`}},
		{"wrong case", "bashinterceptor: {enabled: true}", []string{`:1: unknown setting "bashinterceptor"; did you mean "bashInterceptor"?`}},
		{"missing section", "timeout: 5", []string{`:1: unknown setting "timeout"; did you mean "bash.timeout"?`}},
		{"wrong section", "output: {maxBytes: 5}", []string{`:1: unknown setting "output.maxBytes"; did you mean "bash.maxBytes"?`}},
		{"dotted", "bash.timeout: 5", []string{":1: bash.timeout: write it as a section: `bash:` and, indented below it, `timeout:`"}},
		{"wrong type", "bash: {timeout: [5]}", []string{`:1: bash.timeout: expected seconds greater than 0, or a duration such as 90s or 10m, found a list`}},
		{"section is a string", "bash: fast", []string{`:1: bash: expected a section with keys below it, found the string "fast"`}},
		{"quoted boolean", `bash: {unattended: "true"}`, []string{`:1: bash.unattended: expected true or false, found the string "true"`}},
		{"not a boolean", `bash: {unattended: maybe}`, []string{`:1: bash.unattended: "maybe" is not a boolean; expected true or false`}},
		{"number as string", "shell: {prefix: 5}", []string{`:1: shell.prefix: expected a string, found 5`}},
		{"invalid choice", "output: {format: xml}", []string{`:1: output.format: "xml" is not valid; expected text, json or stream-json`}},
		{"no value", "shell:\n  path: ~", []string{`:2: shell.path: has no value; remove the line or write a name on PATH, an absolute path, or a path that starts with ~/`}},
		{"zero timeout", "bash: {timeout: 0}", []string{`:1: bash.timeout: "0" is not greater than 0; expected seconds greater than 0, or a duration such as 90s or 10m`}},
		{"negative timeout", "bash: {timeout: -5s}", []string{`:1: bash.timeout: "-5s" is not greater than 0; expected seconds greater than 0, or a duration such as 90s or 10m`}},
		{"endless timeout", "bash: {timeout: .inf}", []string{`:1: bash.timeout: ".inf" is not a duration; expected seconds greater than 0, or a duration such as 90s or 10m`}},
		{"long timeout", "bash: {timeout: 99999999999999999999}", []string{`:1: bash.timeout: "99999999999999999999" is too long; expected seconds greater than 0, or a duration such as 90s or 10m`}},
		{"small bound", "bash: {maxBytes: 1023}", []string{`:1: bash.maxBytes: "1023" is too small; expected a size from 1024 to 16MiB`}},
		{"large bound", "bash: {maxBytes: 17 MiB}", []string{`:1: bash.maxBytes: "17 MiB" is too large; expected a size from 1024 to 16MiB`}},
		{"negative size", "artifacts: {maxBytes: -1}", []string{`:1: artifacts.maxBytes: "-1" is not a size; expected a size from 1024 to 1024TiB, or 0`}},
		{"relative directory", "artifacts: {dir: a/b}", []string{`:1: artifacts.dir: "a/b" is a relative path; expected an absolute path, or a path that starts with ~/`}},
		{"relative shell", "shell: {path: ./sh}", []string{`:1: shell.path: "./sh" is a relative path; expected a name on PATH, an absolute path, or a path that starts with ~/`}},
		{"unknown home", "artifacts: {dir: ~/a}", []string{`:1: artifacts.dir: "~/a" needs a home directory, and HOME is not set; expected an absolute path, or a path that starts with ~/`}},
		{"duplicate", "tools: [a]\ntools: [b]", []string{`:2: tools: is already set on line 1`}},
		{"duplicate section", "bash: {timeout: 1}\nbash: {maxBytes: 5000}", []string{`:2: bash: is already set on line 1`}},
		{"merge key", "x: &x {timeout: 5}\nbash: {<<: *x}", []string{
			`:1: unknown setting "x"; did you mean "pty"?`,
			`:2: bash.<<: merge keys are not supported; write the settings out`,
		}},
		{"list as file", "- a", []string{":1: expected settings such as `tools: [read]`, found a list"}},
		{"string as file", "hello", []string{":1: expected settings such as `tools: [read]`, found the string \"hello\""}},
		{"list as key", "? [a]\n: b", []string{":1: expected a name as the key, found a list"}},
		{"two documents", "tools: [a]\n---\ntools: [b]", []string{`:2: second document starts here; only one is allowed`}},
		{"invalid", "bash:\n  timeout: [5\ntools: []", []string{`:2: not valid YAML: did not find expected ',' or ']'`}},
		{"invalid on line 1", "[a", []string{`:1: not valid YAML: did not find expected ',' or ']'`}},
		{"invalid mapping", "bash:\n  timeout: 5\n x: 1", []string{`:3: not valid YAML: did not find expected key`}},
		{"unknown anchor", "tools: *t", []string{`: not valid YAML: unknown anchor 't' referenced`}},
		{"tab", "bash:\n\ttimeout: 5", []string{`:2: not valid YAML: found character that cannot start any token`}},
		{"tool is a number", "tools: [read, 5, ~]", []string{`:1: tools[1]: expected a name, found 5`, `:1: tools[2]: expected a name, found nothing`}},
		{"tools is a string", "tools: read", []string{`:1: tools: expected a list of names, found the string "read"`}},
		{"invalid variable name", "shell:\n  env:\n    A-B: x", []string{`:3: shell.env.A-B: "A-B" is not a valid variable name: use letters, digits and _, and do not start with a digit`}},
		{"invalid variable value", "shell:\n  env: {A: [x], B: ~, C: \"a\\0b\"}", []string{
			`:2: shell.env.A: expected a string, found a list`,
			`:2: shell.env.B: expected a string, found nothing`,
			`:2: shell.env.C: contains a NUL byte at offset 1`,
		}},
		{"duplicate variable", "shell:\n  env: {A: x, A: y}", []string{`:2: shell.env.A: is already set on line 2`}},
		{"rule is a string", "bashInterceptor: {patterns: [x]}", []string{`:1: bashInterceptor.patterns[0]: expected a rule with pattern, tool, message and optional flags, found the string "x"`}},
		{"rule unknown field", "bashInterceptor: {patterns: [{patern: x}]}", []string{`:1: unknown setting "bashInterceptor.patterns[0].patern"; did you mean "pattern"?`}},
		{"rule incomplete", "bashInterceptor:\n  patterns:\n  - pattern: x\n    tool: read", []string{`:3: bashInterceptor.patterns[0]: message is missing`}},
		{"rule wrong type", "bashInterceptor: {patterns: [{pattern: 5, tool: t, message: m}]}", []string{`:1: bashInterceptor.patterns[0].pattern: expected a string, found 5`}},
		{"several problems", "bash: {timeout: x}\ntools: 5\nshel: {}", []string{
			`:1: bash.timeout: "x" is not a duration; expected seconds greater than 0, or a duration such as 90s or 10m`,
			`:2: tools: expected a list of names, found 5`,
			`:3: unknown setting "shel"; did you mean "shell"?`,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, tt.text)
			loaded, err := Load(LoadOptions{File: path})
			if err == nil {
				t.Fatalf("accepted: %+v", loaded.Config)
			}
			var got []string
			for _, p := range Problems(err) {
				got = append(got, strings.TrimPrefix(p.Error(), path))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
