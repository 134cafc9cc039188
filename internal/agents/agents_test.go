package agents

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"pi/internal/self"
)

var update = flag.Bool("update", false, "write the files named after in testdata/agents")

const exe = "/opt/bin/pi"

// example is a directory below testdata/agents/AGENT: the text of the agent's first file before and after Add. Without a
// file named before, the agent has no settings.
type example struct{ agent, name, before, after string }

func (e example) dir() string { return filepath.Join("testdata", "agents", e.agent, e.name) }

func examples(t testing.TB) (list []example) {
	t.Helper()
	dirs, err := filepath.Glob("testdata/agents/*/*/after")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range dirs {
		dir := filepath.Dir(file)
		e := example{agent: filepath.Base(filepath.Dir(dir)), name: filepath.Base(dir)}
		e.before, e.after = content(t, filepath.Join(dir, "before")), content(t, file)
		list = append(list, e)
	}
	return list
}

// Every agent has the file paths and an example of a missing file.
func TestEveryAgentHasTestdata(t *testing.T) {
	for _, a := range All() {
		for _, name := range []string{"paths", "no-file/after"} {
			if !exists(filepath.Join("testdata", "agents", a.Name, name)) {
				t.Errorf("testdata/agents/%s/%s is missing; see CONTRIBUTING.md", a.Name, name)
			}
		}
	}
}

// home creates a home directory with the first file of an agent in it, unless text is empty.
func home(t *testing.T, agent, text string) (o Options, file string) {
	t.Helper()
	dir := t.TempDir()
	o = Options{Environ: []string{"HOME=" + dir}, Exe: exe, NoHook: true}
	a, _ := Find(agent)
	file = a.files[0].path(o.Environ, dir)
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

// apply applies planned changes.
func apply(t *testing.T, changes []Change, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if err := c.Apply(); err != nil {
			t.Fatal(err)
		}
	}
}

// content returns the text of a file, or an empty text if there is none.
func content(t testing.TB, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

func TestAddAndRemove(t *testing.T) {
	for _, s := range examples(t) {
		t.Run(s.agent+"/"+s.name, func(t *testing.T) {
			o, file := home(t, s.agent, s.before)
			a, _ := Find(s.agent)
			for range 2 { // the second time nothing changes
				changes, err := a.Add(o)
				apply(t, changes, err)
				if *update {
					s.after = content(t, file)
					if err := os.WriteFile(filepath.Join(s.dir(), "after"), []byte(s.after), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(s.after, content(t, file)); diff != "" {
					t.Fatal(diff)
				}
			}
			added := s.before != s.after && !strings.Contains(s.before, "/old/pi") // there was no entry of pi
			if kept := content(t, file+backupSuffix); added && kept != s.before {
				t.Errorf("the backup holds %q", kept)
			}
			if list := a.States(o); !list[0].Registered {
				t.Errorf("state %+v", list)
			}
			changes, err := a.Remove(o)
			apply(t, changes, err)
			got := content(t, file)
			switch {
			case added && got != s.before:
				t.Errorf("removed: %q, want %q", got, s.before)
			case strings.Contains(got, exe):
				t.Errorf("the entry is still there: %q", got)
			}
			if _, err := os.Stat(file); added && (err == nil) != (s.before != "") {
				t.Errorf("the file exists: %v", err == nil)
			}
			left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*pi-*"))
			if len(left) > 0 {
				t.Errorf("temporary files are left: %q", left)
			}
		})
	}
}

// Under another name pi adds entries of that name and leaves those of pi alone.
func TestOtherName(t *testing.T) {
	self.SetName("pi.2")
	defer self.SetName("pi")
	for _, a := range All() {
		o, file := home(t, a.Name, content(t, filepath.Join("testdata", "agents", a.Name, "no-file", "after")))
		before := content(t, file)
		o.Exe, o.NoHook = "/opt/bin/pi.2", false
		changes, err := a.Add(o)
		apply(t, changes, err)
		if got := content(t, file); !strings.Contains(got, exe+`"`) || !strings.Contains(got, o.Exe) {
			t.Errorf("%s: %s", a.Name, got)
		}
		changes, err = a.Remove(o)
		apply(t, changes, err)
		if got := content(t, file); got != before {
			t.Errorf("%s: %q after removal, want %q", a.Name, got, before)
		}
	}
}

// refusals are files that stay untouched, with the error.
var refusals = []struct{ name, agent, before, reason string }{
	{"truncated", "cursor", "{\n  \"mcpServers\": {\n", "line 3, column 1"},
	{"not an object", "cursor", `[]`, "line 1: the file does not contain an object"},
	{"two documents", "cursor", "{}\n{}", "line 2"},
	{"array instead of an object", "gemini", "{\n\"mcpServers\": []}", "line 2: "},
	{"duplicate key", "gemini", "{\"mcpServers\": {},\n\"mcpServers\": {}}", "line 2: duplicate key mcpServers"},
	{"another program of that name", "cursor", `{"mcpServers": {"pi": {"command": "/usr/bin/pi", "args": ["serve"]}}}`, "mcpServers.pi already exists"},
	{"remote server of that name", "gemini", `{"mcpServers": {"pi": {"url": "http://x"}}}`, "mcpServers.pi already exists"},
	{"invalid TOML", "codex", "a = 1\nb = \n", "line 2, column"},
	{"inline table", "codex", `mcp_servers = { docs = { command = "x" } }`, "add the entry by hand|change the entry by hand"},
	{"string instead of a table", "codex", `mcp_servers = "x"`, "add the entry by hand"},
	{"array of tables", "codex", "[[mcp_servers]]\nx = 1\n", "add the entry by hand"},
	{"another program of that name", "codex", "[mcp_servers.pi]\ncommand = \"raspberry\"\n", "mcp_servers.pi already exists"},
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

// A symbolic link stays one; its target keeps its permissions.
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
	apply(t, changes, err)
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
	if _, err := a.Add(o); err == nil || !strings.Contains(err.Error(), "a symbolic link to a file that does not exist") {
		t.Errorf("error %v", err)
	}
}

// Apply does not overwrite what another program wrote after the change was planned.
func TestConcurrentChange(t *testing.T) {
	o, file := home(t, "cursor", "{}")
	a, _ := Find("cursor")
	changes, err := a.Add(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"new":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := changes[0].Apply(); err == nil || content(t, file) != `{"new":1}` {
		t.Errorf("error %v, file %q", err, content(t, file))
	}
}

// Remove keeps what was changed after pi was added.
func TestRemoveAfterOtherChanges(t *testing.T) {
	for _, s := range examples(t) {
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
		apply(t, changes, err)
		if got := content(t, file); !strings.Contains(got, "later") || strings.Contains(got, exe) {
			t.Errorf("%s %s: %s", s.agent, s.name, got)
		}
	}
}

// testdata/agents/AGENT/paths has a line for each environment: a variable or -, then the agent's files.
func TestPaths(t *testing.T) {
	base := t.TempDir()
	for _, a := range All() {
		for line := range strings.Lines(content(t, filepath.Join("testdata", "agents", a.Name, "paths"))) {
			variable, want, _ := strings.Cut(strings.TrimSpace(line), " ")
			var got []string
			for _, file := range a.files {
				got = append(got, filepath.ToSlash(file.path([]string{variable}, base)))
			}
			if want = strings.ReplaceAll(want, "$HOME", filepath.ToSlash(base)); strings.Join(got, " ") != want {
				t.Errorf("%s with %s: %q, want %q", a.Name, variable, got, want)
			}
		}
	}
}

// For any JSON text, adding keeps every byte, and removing works.
func TestPropertyJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(jsonText(t, 0, true))
		for _, e := range []editor{jsonEntry{"mcpServers", `{"command": "$PI", "args": ["mcp"]}`}, claudeHook{}} {
			after, err := e.add(text, exe)
			if err != nil {
				continue // an error that TestRefusals covers
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

// subsequence reports whether b contains the bytes of a in their order.
func subsequence(a, b []byte) bool {
	for _, c := range b {
		if len(a) > 0 && a[0] == c {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// jsonText draws a value, an object if object is set, with white space and comments in unusual places.
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

// For any text, the editors do not panic and can parse what they write.
func FuzzEditors(f *testing.F) {
	for _, s := range examples(f) {
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
		for _, file := range a.files {
			editors = append(editors, file.editor)
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
