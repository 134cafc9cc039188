package agents

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"pi/internal/shelltext"
	"pi/internal/testmain"
)

// hooks are examples of the second file of Claude Code, before and after add.
var hooks = []struct{ name, before, after string }{
	{"no hook", "{\n  \"model\": \"opus\"\n}\n", `{
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "/opt/bin/pi hook claude",
            "timeout": 10
          }
        ]
      }
    ]
  }
}
`},
	{"other hooks", `{
  "hooks": {
    "PreToolUse": [
      {"matcher": "Edit", "hooks": [{"type": "command", "command": "lint"}]}
    ],
    "Stop": []
  }
}`, `{
  "hooks": {
    "PreToolUse": [
      {"matcher": "Edit", "hooks": [{"type": "command", "command": "lint"}]},
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "/opt/bin/pi hook claude",
            "timeout": 10
          }
        ]
      }
    ],
    "Stop": []
  }
}`},
	{"other program, beside another hook", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"log"},{"type":"command","command":"'/a b/pi' hook claude"}]}]}}`,
		`{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"log"},{"type":"command","command":"/opt/bin/pi hook claude"}]}]}}`},
}

func TestClaudeHookEntry(t *testing.T) {
	for _, h := range hooks {
		t.Run(h.name, func(t *testing.T) {
			after, err := claudeHook{}.add([]byte(h.before), exe)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(h.after, string(after)); diff != "" {
				t.Error(diff)
			}
			without, err := claudeHook{}.remove(after)
			if err != nil || strings.Contains(string(without), "hook claude") {
				t.Errorf("removed: %s, %v", without, err)
			}
			if strings.Contains(h.before, "log") && !strings.Contains(string(without), `"hooks":[{"type":"command","command":"log"}]`) {
				t.Errorf("the other hook is gone: %s", without)
			}
		})
	}
	for _, bad := range []struct{ text, reason string }{
		{"{\"hooks\": []}", "is not an object"}, {"{\"hooks\":\n{\"PreToolUse\": {}}}", "line 2: hooks.PreToolUse is not an array"},
	} {
		if _, err := (claudeHook{}).add([]byte(bad.text), exe); err == nil || !strings.Contains(err.Error(), bad.reason) {
			t.Errorf("%s: %v", bad.text, err)
		}
	}
}

// If one of an agent's files cannot be edited, no file is.
func TestAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".claude", "settings.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, _ := Find("claude")
	if changes, err := a.Add(Options{Environ: []string{"HOME=" + dir}, Exe: exe}); err == nil || changes != nil {
		t.Errorf("%v, %v", changes, err)
	}
}

func TestShellRules(t *testing.T) {
	got := ShellRules([]byte(`{"permissions":{"allow":["Bash(git:*)","Read"],"deny":["Bash(rm -rf:*)"]}, // mine
	}`))
	if diff := cmp.Diff([]string{"Bash(rm -rf:*)", "Bash(git:*)"}, got); diff != "" {
		t.Error(diff)
	}
}

func event(input string) []byte {
	return []byte(`{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":` + input + `,"tool_use_id":"t"}`)
}

func TestClaudeHookAnswers(t *testing.T) {
	for _, tt := range []struct{ name, input, want string }{
		{"a command", `{"command":"make 2>&1 | tail","description":"Build"}`, `{"command":"pi run -- 'make 2\u003e\u00261 | tail'","description":"Build"}`},
		{"a plain word", `{"command":"make"}`, `{"command":"pi run -- make"}`},
		{"quotes", `{"command":"echo 'a'"}`, `{"command":"pi run -- 'echo '\\''a'\\'''"}`},
		{"a timeout", `{"command":"make","timeout":90500}`, `{"command":"pi run -t 90.5 -- make","timeout":95500}`},
		{"unknown fields", `{"command":"make","x":{"y":[1.50]}}`, `{"command":"pi run -- make","x":{"y":[1.50]}}`},
		{"directory of a subshell", `{"command":"(cd x; make)"}`, `{"command":"pi run -- '(cd x; make)'"}`},
		{"background", `{"command":"make","run_in_background":true}`, ``},
		{"changes the directory", `{"command":"cd x \u0026\u0026 make"}`, ``},
		{"in a function", `{"command":"f() { cd x; }; f"}`, ``},
		{"in a loop", `{"command":"for d in a b; do pushd $d; make; popd; done"}`, ``},
		{"in a variable", `{"command":"$x y"}`, ``},
		{"sourced file", `{"command":". venv/bin/activate"}`, ``},
		{"name with a backslash", `{"command":"c\\d /tmp"}`, ``},
		{"quoted name", `{"command":"\"cd\" x"}`, ``},
		{"partly quoted name", `{"command":"c'd' x"}`, ``},
		{"name over two lines", `{"command":"c\\\nd x"}`, ``},
		{"name in $'…'", `{"command":"$'\\x63d' x"}`, ``},
		{"brace expansion", `{"command":"{cd,/tmp}"}`, ``},
		{"pattern", `{"command":"c? /tmp"}`, ``},
		{"an alias", `{"command":"alias c=cd; c /x"}`, ``},
		{"a quoted alias", `{"command":"\\alias c=cd\nc /x"}`, ``},
		{"last stage, in zsh", `{"command":"echo a | b | cd x"}`, ``},
		{"first stage", `{"command":"cd x | echo a | b"}`, `{"command":"pi run -- 'cd x | echo a | b'"}`},
		{"trap at exit", `{"command":"trap 'cd /x' EXIT"}`, ``},
		{"quoted path", `{"command":"\"/a b/make\" x"}`, `{"command":"pi run -- '\"/a b/make\" x'"}`},
		{"a test", `{"command":"[ -f x ]"}`, `{"command":"pi run -- '[ -f x ]'"}`},
		{"pi itself, in quotes", `{"command":"'/a b/pi' run -- make"}`, ``},
		{"invalid UTF-8", "{\"command\":\"rm \xff\"}", ``},
		{"half a surrogate pair", `{"command":"rm \ud800"}`, ``},
		{"non-ASCII", `{"command":"rm ☃"}`, `{"command":"pi run -- 'rm ☃'"}`},
		{"pi itself", `{"command":"/usr/bin/pi run -- make"}`, ``},
		{"a dash", `{"command":"-"}`, ``},
		{"blank", `{"command":"  \n"}`, ``},
		{"a comment", `{"command":"# x"}`, ``},
		{"a NUL", `{"command":"a \u0000"}`, ``},
		{"invalid shell text", `{"command":"echo 'a"}`, ``},
		{"a number", `{"command":7}`, ``},
		{"no command", `{}`, ``},
		{"no input", `null`, ``},
		{"timeout is a string", `{"command":"make","timeout":"soon"}`, ``},
		{"negative timeout", `{"command":"make","timeout":-5}`, ``},
		{"a very long command", `{"command":"echo ` + strings.Repeat("x", 200_000) + `"}`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := string(ClaudeHook(event(tt.input), "pi"))
			want := ""
			if tt.want != "" {
				want = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":` + tt.want + "}}\n"
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	for _, other := range []string{``, `x`, `[]`, `null`, `{}`, `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"command":"make"}}`} {
		if got := ClaudeHook([]byte(other), "pi"); got != nil {
			t.Errorf("%s: %s", other, got)
		}
	}
}

// bash passes the exact bytes of the original command to pi.
func TestRewriteIsExact(t *testing.T) {
	bash := testmain.Tool(t, "bash")
	rapid.Check(t, func(t *rapid.T) {
		command := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune(" \t\n'\"\\$`!&|;<>(){}[]*?~#=%-ab1é☃")), rapid.Rune())).Draw(t, "command")
		if strings.IndexByte(command, 0) < 0 { // most random text is not rewritten; check how it would be quoted
			out, err := exec.Command(bash, "-c", "printf %s "+shelltext.Quote(command)).Output()
			if err != nil || string(out) != command {
				t.Fatalf("%q became %q: %v", command, out, err)
			}
		}
		if text, ok := Rewrite(command, "printf %s"); ok {
			out, err := exec.Command(bash, "-c", text).Output()
			if err != nil || string(out) != command {
				t.Fatalf("%q became %q: %v", command, out, err)
			}
		}
	})
}

func FuzzClaudeHook(f *testing.F) {
	f.Add(event(`{"command":"make"}`))
	f.Add(event(`{"command":"a; cd b","timeout":5000}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, q []byte) {
		answer := ClaudeHook(q, "pi")
		if answer != nil && !json.Valid(answer) {
			t.Fatalf("%q", answer)
		}
	})
}
