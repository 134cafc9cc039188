package config

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestYAML(t *testing.T) {
	path := write(t, "bashInterceptor:\n  patterns: [{pattern: ^x, flags: i, tool: t, message: \"a: b\"}]\nshell: {env: {A: 'yes'}}\ntools: [read, 'null']\n")
	loaded, err := Load(LoadOptions{File: path, Environ: []string{"PI_BASH_TIMEOUT=1.5"}})
	if err != nil {
		t.Fatal(err)
	}
	loaded.origins["bashInterceptor.patterns"] = Origin{Kind: FromFile, Name: "F", Line: 2}
	loaded.origins["shell.env"] = Origin{Kind: FromFile, Name: "F", Line: 3}
	loaded.origins["tools"] = Origin{Kind: FromFile, Name: "F", Line: 4}
	got, err := loaded.YAML(true)
	if err != nil {
		t.Fatal(err)
	}
	want := `bash:
  virtualTerminal: off # default
  unattended: true # default
  timeout: 1.5 # PI_BASH_TIMEOUT
  maxBytes: 51200 # default
  ptyText: transcript # default
bashInterceptor:
  enabled: false # default
  patterns: # F:2
    - pattern: ^x
      flags: i
      tool: t
      message: 'a: b'
  replaceDefaults: false # default
tools: [read, "null"] # F:4
shell:
  path: "" # default
  env: # F:3
    A: yes
  prefix: "" # default
  snapshot: auto # default
artifacts:
  dir: "" # default
  maxBytes: 256MiB # default
  maxTotalBytes: 10GiB # default
pty:
  escape: auto # default
output:
  format: text # default
  color: auto # default
  carriageReturn: collapse # default
`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// The output of `config show` is a file with the same settings.
func TestYAMLRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[ -~äñ漢\n\t#:'"]*`), rapid.SampledFrom([]string{"", "null", "yes", "5", "~", "- a", "<<", "a # b", "\u0085", "\ufeff"}))
		word := rapid.OneOf(rapid.StringMatching(`[ -~]+`), rapid.SampledFrom([]string{"null", "no", "1.5", "=", "!!x", "\u2028"}))
		loaded := &Loaded{Config: Defaults()}
		c := &loaded.Config
		c.Bash.Timeout = time.Duration(rapid.Int64Range(1, 1e15).Draw(rt, "timeout"))
		c.Bash.MaxBytes = rapid.Int64Range(1024, 16<<20).Draw(rt, "maxBytes")
		c.Bash.Unattended = rapid.Bool().Draw(rt, "unattended")
		c.Tools = rapid.SliceOf(word).Draw(rt, "tools")
		c.Shell.Prefix = text.Draw(rt, "prefix")
		c.Shell.Env = rapid.MapOf(rapid.StringMatching(`[A-Za-z_][A-Za-z0-9_]*`), text).Draw(rt, "env")
		c.BashInterceptor.Patterns = rapid.SliceOf(rapid.Custom(func(t *rapid.T) Rule {
			return Rule{word.Draw(t, "pattern"), text.Draw(t, "flags"), word.Draw(t, "tool"), word.Draw(t, "message")}
		})).Draw(rt, "patterns")
		for _, origins := range []bool{false, true} {
			out, err := loaded.YAML(origins)
			if err != nil {
				rt.Fatal(err)
			}
			set, problems := parseFile(Keys(), "f", out, "")
			if len(problems) > 0 {
				rt.Fatalf("%v\n%s", problems[0], out)
			}
			got, _ := merge(Keys(), set)
			if d := cmp.Diff(*c, got); d != "" {
				rt.Fatalf("(-want +got):\n%s\n%s", d, out)
			}
		}
	})
}
