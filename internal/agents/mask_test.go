package agents

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

// Nesting that could overflow the stack of a parser is an error with the line.
func TestDeepNesting(t *testing.T) {
	const many = 2_000_000
	closed := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for _, tt := range []struct{ name, agent, before, reason string }{
		{"open arrays", "cursor", strings.Repeat("[", many), "line 1: brackets are nested"},
		{"open objects", "cursor", "\n" + strings.Repeat(`{"a":`, many), "line 2: brackets are nested"},
		{"closed arrays", "cursor", "{\n\"a\":" + closed + "}", "line 2: brackets are nested"},
		{"not in a comment or a string", "cursor", `{"a": "` + closed + `\"` + closed + `" /*` + closed + "*/ //" + closed, "line 1, column "},
		{"behind a comment", "cursor", "{/* \" */ \"a\": // \" \n" + closed + "}", "line 2: brackets are nested"},
		{"open arrays", "codex", "x = 1\na = " + strings.Repeat("[", many), "line 2: brackets are nested"},
		{"closed arrays", "codex", "a = " + closed, "line 1: brackets are nested"},
		{"inline tables", "codex", "a = " + strings.Repeat("{a=", many), "line 1: brackets are nested"},
		{"behind strings", "codex", "a = '\\'\nb = \"\\\"\"\nc = \"\"\"\n\"\n\"\"\"\nd = '''x\n'''\ne = " + closed, "line 8: brackets are nested"},
	} {
		t.Run(tt.agent+" "+tt.name, func(t *testing.T) {
			o, file := home(t, tt.agent, tt.before)
			a, _ := Find(tt.agent)
			_, err := a.Add(o)
			if err == nil || !strings.Contains(err.Error(), file+": cannot be parsed: "+tt.reason) {
				t.Errorf("error %v", err)
			}
		})
	}
	quoted := strings.Repeat("[{", 10_000)
	deep := strings.Repeat("[", maxNesting-1) + strings.Repeat("]", maxNesting-1)
	for agent, before := range map[string]string{
		"cursor": `{"a": "` + quoted + `\"` + quoted + `", /*` + quoted + `*/ "b": ` + deep + "} //" + quoted,
		"codex":  "a = \"" + quoted + "\"\nb = '" + quoted + "' #" + quoted + "\nc = " + deep + "\n",
	} {
		o, _ := home(t, agent, before)
		a, _ := Find(agent)
		if _, err := a.Add(o); err != nil {
			t.Errorf("%s: %v", agent, err)
		}
	}
}

// Unusual settings are edited, and restored byte for byte.
func TestUnusualJSON(t *testing.T) {
	const entry = `, "pi": {"type":"stdio","command":"/opt/bin/pi","args":["mcp"]}`
	for _, tt := range []struct{ name, before, after string }{
		{"comment without a line end at the end", `{"mcpServers":{"a":{}}} // g`, `{"mcpServers":{"a":{}` + entry + `}} // g`},
		{"byte order mark", "\ufeff{\"mcpServers\":{\"a\":{}}}\n", "\ufeff{\"mcpServers\":{\"a\":{}" + entry + "}}\n"},
		{"escaped name", `{"mcp\u0053ervers":{"a":{}}}`, `{"mcp\u0053ervers":{"a":{}` + entry + `}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, file := home(t, "cursor", tt.before)
			a, _ := Find("cursor")
			changes, err := a.Add(o)
			apply(t, changes, err)
			if diff := cmp.Diff(tt.after, content(t, file)); diff != "" {
				t.Error(diff)
			}
			changes, err = a.Remove(o)
			apply(t, changes, err)
			if got := content(t, file); got != tt.before {
				t.Errorf("removed: %q", got)
			}
		})
	}
	o, file := home(t, "cursor", "\ufeff\n")
	a, _ := Find("cursor")
	changes, err := a.Add(o)
	apply(t, changes, err)
	if got := content(t, file); !strings.HasPrefix(got, "\ufeff{\n") {
		t.Errorf("only a byte order mark: %q", got)
	}
}

// The error about a value of the wrong type names it.
func TestNotAnObject(t *testing.T) {
	for before, want := range map[string]string{
		`{"mcpServers":null}`:                  "line 1: mcpServers is not an object",
		"{\n\"mcpServers\": {\"pi\": null}}":   "line 2: mcpServers.pi already exists",
		"{\n\"mcpServers\": [{\"pi\": null}]}": "line 2: mcpServers is not an object",
	} {
		o, _ := home(t, "cursor", before)
		a, _ := Find("cursor")
		if _, err := a.Add(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", before, err)
		}
	}
}

// A text that would take minutes to edit is an error at once, valid or not.
func TestTooManyMembers(t *testing.T) {
	many := strings.Repeat(`"a":1,`, 2*maxMembers)
	for before, want := range map[string]string{
		"{" + many + `"b":1}`: "too many to edit",
		"{\n\"b\":[" + strings.Repeat("1,", 1_000_000) + "x]}": "line 2, column 2000006: invalid character 'x'",
	} {
		if _, err := parse([]byte(before), []string{"mcpServers"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// checkMask compares a masked text with hujson's view of the whole text.
func checkMask(t interface{ Fatalf(string, ...any) }, text []byte, path []string) {
	whole, err := mask(text, nil)
	if err != nil {
		return // nested too deeply
	}
	root, err := hujson.Parse(whole.text)
	if (whole.syntaxErr == nil) != (err == nil) {
		t.Fatalf("%q: syntax error %v, but %v", text, whole.syntaxErr, err)
	}
	s, _ := mask(text, path)
	if len(s.text) != len(whole.text) || (s.syntaxErr == nil) != (whole.syntaxErr == nil) {
		t.Fatalf("%q: %q, syntax error %v", text, s.text, s.syntaxErr)
	}
	if s.syntaxErr != nil {
		return
	}
	part, err := hujson.Parse(s.text)
	if err != nil {
		t.Fatalf("%q: masked %q: %v", text, s.text, err)
	}
	for _, p := range []string{"", "/mcpServers", "/mcpServers/pi"} {
		a, b := root.Find(p), part.Find(p)
		if (a == nil) != (b == nil) || a != nil && (a.StartOffset != b.StartOffset || a.EndOffset != b.EndOffset) {
			t.Fatalf("%q: %q has another offset in %q", text, p, s.text)
		}
		if p == "/mcpServers/pi" && a != nil && !bytes.Equal(a.Pack(), b.Pack()) {
			t.Fatalf("%q: %q is not complete in %q", text, p, s.text)
		}
	}
}

// The masker and hujson agree on whether a text is valid.
func TestPropertyMask(t *testing.T) {
	words := []string{"{", "}", "[", "]", ",", ":", `"a"`, `"b`, `\`, "1", "-", "null", " ", "\n", "//", "/*", "*/", "/", "\u2028", "\xff", "\ufeff", `"mcpServers":`, `"pi":`}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		if rapid.Bool().Draw(t, "soup") {
			text = strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words"), "")
		} else {
			text = jsonText(t, 0, true)
		}
		checkMask(t, []byte(text), []string{"mcpServers", "pi"})
	})
}

func FuzzMask(f *testing.F) {
	for _, s := range examples(f) {
		f.Add([]byte(s.before))
		f.Add([]byte(s.after))
	}
	for _, s := range []string{"{} // g", "\ufeff{}", "[,]", "[1,,]", `{"a":,}`, "[}", "{/*/}", "{}//\u2028\n", "{/*\xff*/}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkMask(t, text, []string{"mcpServers", "pi"}) })
}

// BenchmarkLargeSettings adds and removes pi in settings with megabytes of other content.
func BenchmarkLargeSettings(b *testing.B) {
	for _, size := range []int{1, 10} {
		b.Run(fmt.Sprint(size, "MB"), func(b *testing.B) {
			text := []byte(`{"a":[1` + strings.Repeat(",1", size*500_000) + `],"mcpServers":{}}`)
			e := All()[0].files[0].editor
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				after, err := e.add(text, exe)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := e.remove(after); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
