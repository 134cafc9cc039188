package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const exe = "/opt/bin/pi"

// samples are settings as people have them, with what becomes of them. A file that is empty is one that is not there.
var samples = []struct{ name, agent, before, after string }{
	{"nothing", "cursor", "", `{
  "mcpServers": {
    "pi": {
      "type": "stdio",
      "command": "/opt/bin/pi",
      "args": [
        "mcp"
      ]
    }
  }
}
`},
	{"an empty object", "cursor", `{}`, `{
  "mcpServers": {
    "pi": {
      "type": "stdio",
      "command": "/opt/bin/pi",
      "args": [
        "mcp"
      ]
    }
  }
}`},
	{"other servers, indented by four", "cursor", `{
    "mcpServers": {
        "github": { "command": "npx", "args": ["-y", "x"] }
    },
    "zoom": 1.50
}
`, `{
    "mcpServers": {
        "github": { "command": "npx", "args": ["-y", "x"] },
        "pi": {
            "type": "stdio",
            "command": "/opt/bin/pi",
            "args": [
                "mcp"
            ]
        }
    },
    "zoom": 1.50
}
`},
	{"one line", "gemini", `{"theme":"Dracula","mcpServers":{"a":{"command":"b"}}}`,
		`{"theme":"Dracula","mcpServers":{"a":{"command":"b"}, "pi": {"command":"/opt/bin/pi","args":["mcp"],"timeout":3700000}}}`},
	{"comments and a comma at the end", "opencode", `{
	// the model
	"$schema": "https://opencode.ai/config.json", /* and more */
	"model": "a/b", // mine
}
`, `{
	// the model
	"$schema": "https://opencode.ai/config.json", /* and more */
	"model": "a/b", // mine
	"mcp": {
		"pi": {
			"type": "local",
			"command": [
				"/opt/bin/pi",
				"mcp"
			],
			"enabled": true
		}
	},
}
`},
	{"a comment behind the last member", "opencode", `{
  "model": "a/b" // mine
  // "share": "auto"
}
`, `{
  "model": "a/b", // mine
  // "share": "auto"
  "mcp": {
    "pi": {
      "type": "local",
      "command": [
        "/opt/bin/pi",
        "mcp"
      ],
      "enabled": true
    }
  }
}
`},
	{"lines of Windows", "gemini", "{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"pi\": {\r\n      \"command\": \"/opt/bin/pi\",\r\n      \"args\": [\r\n        \"mcp\"\r\n      ],\r\n      \"timeout\": 3700000\r\n    }\r\n  }\r\n}\r\n"},
	{"an entry of an older pi, with the user's own settings", "gemini", `{"mcpServers": {"pi": {"command": "/old/pi", "args": ["mcp"], "trust": true}}}`,
		`{"mcpServers": {"pi": {"command": "/opt/bin/pi", "args": ["mcp"], "trust": true}}}`},
	{"an entry that is right", "opencode", `{"mcp":{"pi":{"type":"local","command":["/opt/bin/pi","mcp"],"enabled":false}}}`,
		`{"mcp":{"pi":{"type":"local","command":["/opt/bin/pi","mcp"],"enabled":false}}}`},

	{"nothing", "codex", "", `[mcp_servers.pi]
command = "/opt/bin/pi"
args = ["mcp"]
tool_timeout_sec = 3700
`},
	{"other tables", "codex", `# mine
model = "o5"  # good

[mcp_servers.docs]
command = "docs"

[profiles.quick]
model = "o5-mini"`, `# mine
model = "o5"  # good

[mcp_servers.docs]
command = "docs"

[profiles.quick]
model = "o5-mini"

[mcp_servers.pi]
command = "/opt/bin/pi"
args = ["mcp"]
tool_timeout_sec = 3700
`},
	{"an entry of an older pi", "codex", `[mcp_servers.pi]
args = ["mcp"]
command = '/old/pi' # there
env = { A = "1" }

# the rest
[tui]
x = 1
`, `[mcp_servers.pi]
args = ["mcp"]
command = "/opt/bin/pi" # there
env = { A = "1" }

# the rest
[tui]
x = 1
`},
	{"dotted names", "codex", "mcp_servers.docs.command = \"docs\"\n", "mcp_servers.docs.command = \"docs\"\n\n[mcp_servers.pi]\ncommand = \"/opt/bin/pi\"\nargs = [\"mcp\"]\ntool_timeout_sec = 3700\n"},
}

// home makes a home directory with an agent's file in it.
func home(t *testing.T, agent, text string) (o Options, file string) {
	t.Helper()
	dir := t.TempDir()
	o = Options{Environ: []string{"HOME=" + dir}, Exe: exe, NoHook: true}
	a, _ := Find(agent)
	file = a.places(o.Environ, dir)[0].path
	if text != "" {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return o, file
}

func do(t *testing.T, changes []Change, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if err := c.Do(); err != nil {
			t.Fatal(err)
		}
	}
}

func content(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

func TestAddAndRemove(t *testing.T) {
	for _, s := range samples {
		t.Run(s.agent+" "+s.name, func(t *testing.T) {
			o, file := home(t, s.agent, s.before)
			a, _ := Find(s.agent)
			for range 2 { // the second time there is nothing to do
				changes, err := a.Add(o)
				do(t, changes, err)
				if diff := cmp.Diff(s.after, content(t, file)); diff != "" {
					t.Fatal(diff)
				}
			}
			fresh := s.before != s.after && !strings.Contains(s.before, "/old/pi")
			if kept := content(t, file+backupSuffix); fresh && kept != s.before {
				t.Errorf("the backup holds %q", kept)
			}
			if list := a.States(o); !list[0].Registered {
				t.Errorf("state %+v", list)
			}
			changes, err := a.Remove(o)
			do(t, changes, err)
			got := content(t, file)
			switch {
			case fresh && got != s.before:
				t.Errorf("removed: %q, want %q", got, s.before)
			case strings.Contains(got, exe):
				t.Errorf("still there: %q", got)
			}
			if _, err := os.Stat(file); fresh && (err == nil) != (s.before != "") {
				t.Errorf("the file is there: %v", err == nil)
			}
			left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*pi-*"))
			if len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// refusals are files that are left alone, with the reason.
var refusals = []struct{ name, agent, before, reason string }{
	{"half a file", "cursor", "{\n  \"mcpServers\": {\n", "line 3, column 1"},
	{"no object", "cursor", `[]`, "line 1: the file holds no object"},
	{"two documents", "cursor", "{}\n{}", "line 2"},
	{"servers in an array", "gemini", "{\n\"mcpServers\": []}", "line 2: "},
	{"servers that are there twice", "gemini", "{\"mcpServers\": {},\n\"mcpServers\": {}}", "line 2: mcpServers is there twice"},
	{"another program of that name", "cursor", `{"mcpServers": {"pi": {"command": "/usr/bin/pi", "args": ["serve"]}}}`, "mcpServers.pi is there already"},
	{"a server of that name somewhere else", "gemini", `{"mcpServers": {"pi": {"url": "http://x"}}}`, "mcpServers.pi is there already"},
	{"no TOML", "codex", "a = 1\nb = \n", "line 2, column"},
	{"servers in one line", "codex", `mcp_servers = { docs = { command = "x" } }`, "add the entry by hand|change the entry by hand"},
	{"servers in a string", "codex", `mcp_servers = "x"`, "add the entry by hand"},
	{"an array of servers", "codex", "[[mcp_servers]]\nx = 1\n", "add the entry by hand"},
	{"another program of that name", "codex", "[mcp_servers.pi]\ncommand = \"raspberry\"\n", "mcp_servers.pi is there already"},
}

func TestRefusals(t *testing.T) {
	for _, r := range refusals {
		t.Run(r.agent+" "+r.name, func(t *testing.T) {
			o, file := home(t, r.agent, r.before)
			a, _ := Find(r.agent)
			_, err := a.Add(o)
			ok := false
			for _, reason := range strings.Split(r.reason, "|") {
				ok = ok || err != nil && strings.Contains(err.Error(), reason) && strings.Contains(err.Error(), file)
			}
			if !ok {
				t.Errorf("error %v, want %s and the file's name", err, r.reason)
			}
			if got := content(t, file); got != r.before {
				t.Errorf("the file holds %q", got)
			}
		})
	}
}

// TestLinks: a link stays a link, its target keeps its permissions.
func TestLinks(t *testing.T) {
	o, file := home(t, "cursor", "{}")
	target := filepath.Join(t.TempDir(), "dotfiles.json")
	if err := os.Rename(file, target); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, file); err != nil {
		t.Fatal(err)
	}
	a, _ := Find("cursor")
	changes, err := a.Add(o)
	do(t, changes, err)
	if to, err := os.Readlink(file); err != nil || to != target {
		t.Errorf("link to %q, %v", to, err)
	}
	info, err := os.Stat(target)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if !strings.Contains(content(t, target), exe) {
		t.Error("nothing was written")
	}
	os.Remove(target)
	if _, err := a.Add(o); err == nil || !strings.Contains(err.Error(), "a link to a file that does not exist") {
		t.Errorf("error %v", err)
	}
}

// TestChangedMeanwhile: what somebody else writes in between is not lost.
func TestChangedMeanwhile(t *testing.T) {
	o, file := home(t, "cursor", "{}")
	a, _ := Find("cursor")
	changes, err := a.Add(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"new":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := changes[0].Do(); err == nil || content(t, file) != `{"new":1}` {
		t.Errorf("error %v, file %q", err, content(t, file))
	}
}

// TestRemoveLater: what was changed after pi came stays when pi goes.
func TestRemoveLater(t *testing.T) {
	for _, s := range samples {
		o, file := home(t, s.agent, s.after)
		more := "{\"later\": 1,"
		text := strings.Replace(s.after, "{", more, 1)
		if s.agent == "codex" {
			text = "later = 1\n" + s.after + "\n[other]\nx = 1\n"
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		a, _ := Find(s.agent)
		changes, err := a.Remove(o)
		do(t, changes, err)
		if got := content(t, file); !strings.Contains(got, "later") || strings.Contains(got, exe) {
			t.Errorf("%s %s: %s", s.agent, s.name, got)
		}
	}
}

func TestPlaces(t *testing.T) {
	base := t.TempDir()
	for _, p := range []struct{ agent, env, want string }{
		{"claude", "", base + "/.claude.json " + base + "/.claude/settings.json"},
		{"claude", "CLAUDE_CONFIG_DIR=/c", "/c/.claude.json /c/settings.json"},
		{"codex", "", base + "/.codex/config.toml"},
		{"codex", "CODEX_HOME=/c", "/c/config.toml"},
		{"cursor", "", base + "/.cursor/mcp.json"},
		{"gemini", "", base + "/.gemini/settings.json"},
		{"gemini", "GEMINI_CLI_HOME=/c", "/c/.gemini/settings.json"},
		{"opencode", "", base + "/.config/opencode/opencode.json"},
		{"opencode", "XDG_CONFIG_HOME=/c", "/c/opencode/opencode.json"},
	} {
		a, _ := Find(p.agent)
		var got []string
		for _, x := range a.places([]string{p.env}, base) {
			got = append(got, filepath.ToSlash(x.path))
		}
		if strings.Join(got, " ") != filepath.ToSlash(p.want) {
			t.Errorf("%s with %q: %q", p.agent, p.env, got)
		}
	}
}

// TestAnyJSON: for any settings, however they are written, adding keeps every byte and removing gives them back.
func TestAnyJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(jsonText(t, 0, true))
		for _, e := range []editor{member{[]string{"mcpServers", "pi"}, func(exe string) any { return stdioEntry{Command: exe, Args: []string{"mcp"}} }}, claudeHook{}} {
			after, err := e.add(text, exe)
			if err != nil {
				continue // refused, for a reason that the table has
			}
			if !subsequence(text, after) {
				t.Fatalf("%q became %q", text, after)
			}
			again, err := e.add(after, exe)
			if err != nil || string(again) != string(after) {
				t.Fatalf("%q became %q: %v", after, again, err)
			}
			without, err := e.remove(after)
			if err != nil {
				t.Fatalf("%q: %v", after, err)
			}
			if _, err := parse(without, nil); err != nil {
				t.Fatalf("%q: %v", without, err)
			}
			if _, err := e.add(without, exe); err != nil {
				t.Fatalf("%q: %v", without, err)
			}
		}
	})
}

// subsequence tells whether all of a stands in b, in its order.
func subsequence(a, b []byte) bool {
	for _, c := range b {
		if len(a) > 0 && a[0] == c {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// jsonText draws an object or another value, with spaces and comments in odd places.
func jsonText(t *rapid.T, depth int, object bool) string {
	space := func() string {
		return rapid.SampledFrom([]string{"", "", " ", "\n", "\n  ", "\t", "\r\n", " // c }\n", "/* , */"}).Draw(t, "space")
	}
	kinds := []string{"object", "array", "leaf", "leaf"}
	kind := rapid.SampledFrom(kinds).Draw(t, "kind")
	if object {
		kind = "object"
	}
	if depth > 3 {
		kind = "leaf"
	}
	if kind == "leaf" {
		return rapid.SampledFrom([]string{`1`, `-2.50e3`, `"x"`, `"a, } // b"`, `true`, `null`, `"é\u00e9"`}).Draw(t, "leaf")
	}
	n := rapid.IntRange(0, 3).Draw(t, "n")
	names := rapid.Permutation([]string{"mcpServers", "hooks", "PreToolUse", "github", "matcher"}).Draw(t, "names")
	var b strings.Builder
	b.WriteString(map[string]string{"object": "{", "array": "["}[kind])
	for i := range n {
		b.WriteString(space())
		if kind == "object" {
			fmt.Fprintf(&b, "%q%s:%s", names[i], space(), space())
		}
		b.WriteString(jsonText(t, depth+1, kind == "object" && (names[i] == "mcpServers" || names[i] == "hooks")))
		b.WriteString(space())
		if i < n-1 || rapid.Bool().Draw(t, "comma") {
			b.WriteString(",")
		}
	}
	b.WriteString(space())
	b.WriteString(map[string]string{"object": "}", "array": "]"}[kind])
	return b.String()
}

// FuzzEditors: no file makes an editor panic, and what it writes can be parsed.
func FuzzEditors(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s.before))
		f.Add([]byte(s.after))
	}
	for _, r := range refusals {
		f.Add([]byte(r.before))
	}
	for _, s := range hooks {
		f.Add([]byte(s.before))
		f.Add([]byte(s.after))
	}
	var editors []editor
	for _, a := range All() {
		for _, p := range a.places(nil, "/") {
			editors = append(editors, p.edit)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, e := range editors {
			after, err := e.add(text, exe)
			if err != nil {
				continue
			}
			again, err := e.add(after, exe)
			if err != nil || string(again) != string(after) {
				t.Fatalf("%T: %q became %q, then %q: %v", e, text, after, again, err)
			}
			if without, err := e.remove(after); err == nil && string(without) == string(after) {
				t.Fatalf("%T: %q cannot be removed", e, after)
			}
		}
	})
}
