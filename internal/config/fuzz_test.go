package config

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Any text in a file: no panic, and either every problem is one line or the result is a configuration
// that can be written and read back.
func FuzzParseFile(f *testing.F) {
	if example, err := os.ReadFile("../../config.example.yaml"); err == nil {
		f.Add(example)
	}
	for _, seed := range []string{
		"", "~", "bash: {timeout: 5}", "bash.timeout: 5", "a: &a {b: *a}", "tools: &t [*t]", "shell: {env: &e {A: *e}}", "? [a]\n: b", "<<: x",
		"---\n---\n", "tools: [a]\ntools: [b]", "bash: {unattended: \"true\"}", "\xff\xfe", "\ufefftools: []", "!!map {}", "tools: !!binary aGk=",
		"bashInterceptor: {patterns: [{pattern: x, tool: t, message: m}, {flags: *f}]}", "bash:\n\ttimeout: 5", "bash: |\n  x\n", "%YAML 1.1\n---\n{}",
		"shell: {env: {A: \"a\\0b\", 1: x, ~: y, true: z, 0.5: w}}", "artifacts: {maxBytes: 99999999999999999999T}", "bash: {timeout: 0o7}", "{" + strings.Repeat("[", 100),
	} {
		f.Add([]byte(seed))
	}
	keys := Keys()
	f.Fuzz(func(t *testing.T, text []byte) {
		set, problems := parseFile(keys, "f", text, "/home/u")
		for _, p := range problems {
			if p.File != "f" || p.Line < 0 || p.Line > 1+strings.Count(string(text), "\n")+strings.Count(string(text), "\r")+strings.Count(string(text), "\u0085")+strings.Count(string(text), "\u2028")+strings.Count(string(text), "\u2029") {
				t.Errorf("line of %+v", p)
			}
			if p.Reason == "" || strings.ContainsAny(p.Error(), "\n\x00") {
				t.Errorf("message %q", p.Error())
			}
		}
		if len(problems) > 0 {
			return
		}
		config, origins := merge(keys, set)
		out, err := (&Loaded{Config: config, origins: origins}).YAML(true)
		if err != nil {
			t.Fatal(err)
		}
		if _, problems := parseFile(keys, "f", out, "/home/u"); len(problems) > 0 {
			t.Errorf("%v\n%s", problems[0], out)
		}
	})
}

// Any text in a variable: no panic, and either a value of the type of the key or problems of one line.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "1", "true", "5m", "1.5GiB", "a,b", "A=1,B=2", `["a"]`, `{"A":"b"}`, `[{"pattern":"x","tool":"t","message":"m"}]`, "~/x", "~", "[*a]", "{", "\x00", "../x"} {
		f.Add(seed)
	}
	keys := Keys()
	f.Fuzz(func(t *testing.T, text string) {
		for _, k := range keys {
			value, problems := k.parseText(text, pathBase{home: "/home/u"})
			for _, p := range problems {
				if strings.Contains(p.Error(), "\n") {
					t.Errorf("message %q", p.Error())
				}
			}
			if len(problems) > 0 {
				continue
			}
			c := Defaults()
			k.store(&c, value)
			if d := cmp.Diff(value, k.value(&c)); d != "" {
				t.Errorf("%s: wrong type:\n%s", k.Name, d)
			}
		}
	})
}
