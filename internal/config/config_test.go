package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// write puts a configuration file into a fresh directory.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// with is the defaults after some changes.
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
		{"on is a word", "bash: {virtualTerminal: on}", with(func(c *Config) { c.Bash.VirtualTerminal = "on" })},
		{"terminal text", "bash: {ptyText: stream}", with(func(c *Config) { c.Bash.PtyText = "stream" })},
		{"no is a switch", "bash: {unattended: no}", with(func(c *Config) { c.Bash.Unattended = false })},
		{"size", "artifacts: {maxBytes: 1 MiB, maxTotalBytes: 5000}", with(func(c *Config) {
			c.Artifacts = Artifacts{MaxBytes: 1 << 20, MaxTotalBytes: 5000}
		})},
		{"artifacts off", "artifacts: {maxBytes: 0}", with(func(c *Config) { c.Artifacts.MaxBytes = 0 })},
		{"home", "artifacts: {dir: ~/a}\nshell: {path: zsh}", with(func(c *Config) {
			c.Artifacts.Dir, c.Shell.Path = filepath.Join(home, "a"), "zsh"
		})},
		{"environment keeps case", "shell:\n  env: {Foo: a, FOO: b, n: 5, t: yes, empty: ''}", with(func(c *Config) {
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
		{"unknown", "bash:\n  timout: 5", []string{`:2: unknown key "bash.timout", the nearest valid name is "bash.timeout"`}},
		{"wrong case", "bashinterceptor: {enabled: true}", []string{`:1: unknown key "bashinterceptor", the nearest valid name is "bashInterceptor"`}},
		{"no section", "timeout: 5", []string{`:1: unknown key "timeout", the nearest valid name is "bash.timeout"`}},
		{"wrong section", "output: {maxBytes: 5}", []string{`:1: unknown key "output.maxBytes", the nearest valid name is "bash.maxBytes"`}},
		{"dotted", "bash.timeout: 5", []string{":1: bash.timeout: write it as a section: `bash:`, and below it, indented, `timeout:`"}},
		{"wrong type", "bash: {timeout: [5]}", []string{`:1: bash.timeout: expected seconds above 0, or a duration such as 90s or 10m, found a list`}},
		{"section is a text", "bash: fast", []string{`:1: bash: expected a section with keys below it, found the text "fast"`}},
		{"switch in quotes", `bash: {unattended: "true"}`, []string{`:1: bash.unattended: expected true or false, found the text "true"`}},
		{"no switch", `bash: {unattended: maybe}`, []string{`:1: bash.unattended: "maybe" is neither, expected true or false`}},
		{"number as text", "shell: {prefix: 5}", []string{`:1: shell.prefix: expected a text, found 5`}},
		{"no choice", "output: {format: xml}", []string{`:1: output.format: "xml" is none of these, expected text, json or stream-json`}},
		{"no value", "shell:\n  path: ~", []string{`:2: shell.path: has no value; remove the line, or write a name on PATH, or a path that is absolute or starts with ~/`}},
		{"zero timeout", "bash: {timeout: 0}", []string{`:1: bash.timeout: "0" is not above 0, expected seconds above 0, or a duration such as 90s or 10m`}},
		{"negative timeout", "bash: {timeout: -5s}", []string{`:1: bash.timeout: "-5s" is not above 0, expected seconds above 0, or a duration such as 90s or 10m`}},
		{"endless timeout", "bash: {timeout: .inf}", []string{`:1: bash.timeout: ".inf" is no time, expected seconds above 0, or a duration such as 90s or 10m`}},
		{"long timeout", "bash: {timeout: 99999999999999999999}", []string{`:1: bash.timeout: "99999999999999999999" is too long, expected seconds above 0, or a duration such as 90s or 10m`}},
		{"small bound", "bash: {maxBytes: 1023}", []string{`:1: bash.maxBytes: "1023" is too small, expected a size from 1024 to 16MiB`}},
		{"large bound", "bash: {maxBytes: 17 MiB}", []string{`:1: bash.maxBytes: "17 MiB" is too large, expected a size from 1024 to 16MiB`}},
		{"negative size", "artifacts: {maxBytes: -1}", []string{`:1: artifacts.maxBytes: "-1" is no size, expected a size from 1024 to 1024TiB, or 0`}},
		{"relative directory", "artifacts: {dir: a/b}", []string{`:1: artifacts.dir: "a/b" is a relative path, expected a path that is absolute or starts with ~/`}},
		{"relative shell", "shell: {path: ./sh}", []string{`:1: shell.path: "./sh" is a relative path, expected a name on PATH, or a path that is absolute or starts with ~/`}},
		{"home unknown", "artifacts: {dir: ~/a}", []string{`:1: artifacts.dir: "~/a" needs a home directory, and HOME is not set, expected a path that is absolute or starts with ~/`}},
		{"twice", "tools: [a]\ntools: [b]", []string{`:2: tools: is set twice, first on line 1`}},
		{"section twice", "bash: {timeout: 1}\nbash: {maxBytes: 5000}", []string{`:2: bash: is set twice, first on line 1`}},
		{"merge key", "x: &x {timeout: 5}\nbash: {<<: *x}", []string{
			`:1: unknown key "x", the nearest valid name is "pty"`,
			`:2: bash.<<: merge keys are not supported, write the settings out`,
		}},
		{"list as file", "- a", []string{":1: expected settings such as `tools: [read]`, found a list"}},
		{"text as file", "hello", []string{":1: expected settings such as `tools: [read]`, found the text \"hello\""}},
		{"list as key", "? [a]\n: b", []string{":1: expected a name as key, found a list"}},
		{"two documents", "tools: [a]\n---\ntools: [b]", []string{`:2: a second document starts here, only one is allowed`}},
		{"broken", "bash:\n  timeout: [5\ntools: []", []string{`:2: not valid YAML: did not find expected ',' or ']'`}},
		{"broken on line one", "[a", []string{`:1: not valid YAML: did not find expected ',' or ']'`}},
		{"broken mapping", "bash:\n  timeout: 5\n x: 1", []string{`:3: not valid YAML: did not find expected key`}},
		{"unknown anchor", "tools: *t", []string{`: not valid YAML: unknown anchor 't' referenced`}},
		{"tab", "bash:\n\ttimeout: 5", []string{`:2: not valid YAML: found character that cannot start any token`}},
		{"tool is a number", "tools: [read, 5, ~]", []string{`:1: tools[1]: expected a name, found 5`, `:1: tools[2]: expected a name, found nothing`}},
		{"tools is a text", "tools: read", []string{`:1: tools: expected a list of names, found the text "read"`}},
		{"variable name", "shell:\n  env:\n    A-B: x", []string{`:3: shell.env.A-B: "A-B" is no variable name: letters, digits and _ are allowed, a digit not first`}},
		{"variable value", "shell:\n  env: {A: [x], B: ~, C: \"a\\0b\"}", []string{
			`:2: shell.env.A: expected a text, found a list`,
			`:2: shell.env.B: expected a text, found nothing`,
			`:2: shell.env.C: holds a NUL byte at offset 1`,
		}},
		{"variable twice", "shell:\n  env: {A: x, A: y}", []string{`:2: shell.env.A: is set twice, first on line 2`}},
		{"rule is a text", "bashInterceptor: {patterns: [x]}", []string{`:1: bashInterceptor.patterns[0]: expected a rule with pattern, tool, message and optional flags, found the text "x"`}},
		{"rule unknown field", "bashInterceptor: {patterns: [{patern: x}]}", []string{`:1: unknown key "bashInterceptor.patterns[0].patern", the nearest valid name is "pattern"`}},
		{"rule incomplete", "bashInterceptor:\n  patterns:\n  - pattern: x\n    tool: read", []string{`:3: bashInterceptor.patterns[0]: message is missing`}},
		{"rule wrong type", "bashInterceptor: {patterns: [{pattern: 5, tool: t, message: m}]}", []string{`:1: bashInterceptor.patterns[0].pattern: expected a text, found 5`}},
		{"all at once", "bash: {timeout: x}\ntools: 5\nshel: {}", []string{
			`:1: bash.timeout: "x" is no time, expected seconds above 0, or a duration such as 90s or 10m`,
			`:2: tools: expected a list of names, found 5`,
			`:3: unknown key "shel", the nearest valid name is "shell"`,
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
