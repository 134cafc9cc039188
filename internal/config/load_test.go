package config

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLoadNothing(t *testing.T) {
	loaded, err := Load(LoadOptions{Environ: []string{"HOME=" + t.TempDir(), "PATH=/bin", "PI_NO_PTY=1", "PI_BASH_TIMEOUT="}})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&Loaded{Config: Defaults()}, loaded, cmp.AllowUnexported(Loaded{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestLoadEnvironment(t *testing.T) {
	work := t.TempDir()
	t.Chdir(work)
	for _, tt := range []struct {
		name, entry string
		want        Config
	}{
		{"boolean", "PI_BASH_INTERCEPTOR_ENABLED=1", with(func(c *Config) { c.BashInterceptor.Enabled = true })},
		{"timeout", "PI_BASH_TIMEOUT=2.5", with(func(c *Config) { c.Bash.Timeout = 2500 * time.Millisecond })},
		{"choice", "PI_OUTPUT_CARRIAGE_RETURN=strip", with(func(c *Config) { c.Output.CarriageReturn = "strip" })},
		{"size", "PI_ARTIFACTS_MAX_TOTAL_BYTES=1g", with(func(c *Config) { c.Artifacts.MaxTotalBytes = 1 << 30 })},
		{"directory", "PI_ARTIFACTS_DIR=store", with(func(c *Config) { c.Artifacts.Dir = filepath.Join(work, "store") })},
		{"shell by name", "PI_SHELL_PATH=zsh", with(func(c *Config) { c.Shell.Path = "zsh" })},
		{"list", "PI_TOOLS= read, Grep,", with(func(c *Config) { c.Tools = []string{"read", "Grep"} })},
		{"list as JSON", `PI_TOOLS=["a,b"]`, with(func(c *Config) { c.Tools = []string{"a,b"} })},
		{"empty list", "PI_TOOLS=[]", with(func(c *Config) { c.Tools = []string{} })},
		{"pairs", "PI_SHELL_ENV=A=1,b=x=y", with(func(c *Config) { c.Shell.Env = map[string]string{"A": "1", "b": "x=y"} })},
		{"map as JSON", `PI_SHELL_ENV={"A":"1,2"}`, with(func(c *Config) { c.Shell.Env = map[string]string{"A": "1,2"} })},
		{"rules", `PI_BASH_INTERCEPTOR_PATTERNS=[{"pattern":"^\\s*x","tool":"t","message":"m"}]`, with(func(c *Config) {
			c.BashInterceptor.Patterns = []Rule{{`^\s*x`, "", "t", "m"}}
		})},
		{"of another program", "PI_HOLE=1", Defaults()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			loaded, err := Load(LoadOptions{Environ: []string{tt.entry, "PI_DISTRACTION=x"}})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, loaded.Config); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestLoadEnvironmentProblems(t *testing.T) {
	for entry, want := range map[string]string{
		"PI_BASH_TIMEOUT=soon":                        `PI_BASH_TIMEOUT: bash.timeout: "soon" is not a duration; expected seconds greater than 0, or a duration such as 90s or 10m`,
		"PI_BASH_TIMEOUT=NaN":                         `PI_BASH_TIMEOUT: bash.timeout: "NaN" is not a duration; expected seconds greater than 0, or a duration such as 90s or 10m`,
		"PI_SHELL_ENV=A":                              `PI_SHELL_ENV: shell.env: expected NAME=VALUE,… or a JSON object, found "A"`,
		"PI_SHELL_ENV=1A=x":                           `PI_SHELL_ENV: shell.env: "1A" is not a valid variable name: use letters, digits and _, and do not start with a digit`,
		"PI_SHELL_ENV={":                              `PI_SHELL_ENV: shell.env: expected a mapping of names to values as JSON: not valid YAML: did not find expected node content`,
		"PI_TOOLS=[1]":                                `PI_TOOLS: tools[0]: expected a name, found 1`,
		"PI_BASH_INTERCEPTOR_PATTERNS=^x":             `PI_BASH_INTERCEPTOR_PATTERNS: bashInterceptor.patterns: expected a list of rules with pattern, tool, message and optional flags, found the string "^x"`,
		"PI_BASH_INTERCEPTOR_PATTERNS=[{\"tool\":5}]": `PI_BASH_INTERCEPTOR_PATTERNS: bashInterceptor.patterns[0].tool: expected a string, found 5`,
		"PI_BASH_INTERCEPTOR_PATTERNS= ":              `PI_BASH_INTERCEPTOR_PATTERNS: bashInterceptor.patterns: expected a list of rules with pattern, tool, message and optional flags as JSON, found nothing`,
	} {
		_, err := Load(LoadOptions{Environ: []string{entry}})
		if err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", entry, err, want)
		}
	}
}

func TestLaterWins(t *testing.T) {
	path := write(t, "bash:\n  timeout: 1\n  maxBytes: 2000\noutput: {format: json, color: never}\nshell: {env: {A: file, B: file}}\n")
	loaded, err := Load(LoadOptions{
		Environ:   []string{"PI_CONFIG=" + path, "PI_BASH_MAX_BYTES=3000", "PI_OUTPUT_COLOR=auto", "PI_SHELL_ENV=A=env", "PI_BASH_MAX_BYTES=4000"},
		Overrides: map[string]string{"output.color": "always"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := with(func(c *Config) {
		c.Bash.Timeout, c.Bash.MaxBytes = time.Second, 3000
		c.Output.Format, c.Output.Color = "json", "always"
		c.Shell.Env = map[string]string{"A": "env"} // a value replaces the previous one, maps are not merged
	})
	if d := cmp.Diff(want, loaded.Config); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for key, origin := range map[string]string{
		"bash.timeout":    path + ":2",
		"bash.maxBytes":   "PI_BASH_MAX_BYTES",
		"bash.unattended": "default",
		"output.format":   path + ":4",
		"output.color":    "--color",
		"shell.env":       "PI_SHELL_ENV",
	} {
		if got := loaded.Origin(key).String(); got != origin {
			t.Errorf("origin of %s = %s, want %s", key, got, origin)
		}
	}
}

func TestProblemsOfAllSources(t *testing.T) {
	path := write(t, "bash: {timeout: x}")
	_, err := Load(LoadOptions{File: path, Environ: []string{"PI_TOOLS=[1]"}, Overrides: map[string]string{"output.color": "red", "no.key": "x"}})
	want := strings.Join([]string{
		path + `:1: bash.timeout: "x" is not a duration; expected seconds greater than 0, or a duration such as 90s or 10m`,
		`PI_TOOLS: tools[0]: expected a name, found 1`,
		`no.key: has no flag`,
		`--color: output.color: "red" is not valid; expected auto, always or never`,
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if n := len(Problems(err)); n != 4 {
		t.Errorf("%d problems", n)
	}
}

func TestMisspelled(t *testing.T) {
	loaded, err := Load(LoadOptions{Environ: []string{"PI_BASHINTERCEPTOR_ENABLED=1", "PI_BASH_TIMOUT=5", "PI_HOLE=x", "PI_TOOL=x", "PI_BASH_TIMEOUT=7"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"unknown setting PI_BASHINTERCEPTOR_ENABLED ignored; did you mean PI_BASH_INTERCEPTOR_ENABLED?",
		"unknown setting PI_BASH_TIMOUT ignored; did you mean PI_BASH_TIMEOUT?",
		"unknown setting PI_TOOL ignored; did you mean PI_TOOLS?",
	}
	if d := cmp.Diff(want, loaded.Warnings); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
