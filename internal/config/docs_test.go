package config

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The example file is the defaults, and says every key and variable of the schema out loud.
func TestExample(t *testing.T) {
	const path = "../../config.example.yaml"
	loaded, err := Load(LoadOptions{File: path})
	if err != nil {
		t.Fatal(err)
	}
	same := func(m map[string]string) map[string]string { return map[string]string{} } // {} and nothing are one
	if d := cmp.Diff(Defaults(), loaded.Config, cmp.Transformer("env", same), cmp.Comparer(func(a, b []Rule) bool { return len(a) == len(b) })); d != "" {
		t.Errorf("not the defaults (-want +got):\n%s", d)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, k := range Keys() {
		origin := loaded.Origin(k.Name)
		if origin.Kind != FromFile {
			t.Errorf("%s is not in %s", k.Name, path)
			continue
		}
		why := lines[origin.Line-2]
		if !strings.Contains(why, "# ") || !strings.HasSuffix(why, " "+k.Variable()) {
			t.Errorf("the line above %s does not say why and end with %s: %s", k.Name, k.Variable(), why)
		}
	}
}

// The table of the documentation has one row a key, in order, with the default, all choices and the variable.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| `") {
			cells := strings.Split(strings.Trim(line, "| \n"), "|")
			rows = append(rows, cells)
		}
	}
	keys, defaults := Keys(), Defaults()
	if len(rows) != len(keys) {
		t.Fatalf("%d rows for %d keys", len(rows), len(keys))
	}
	for i, k := range keys {
		row := rows[i]
		if len(row) != 4 {
			t.Fatalf("row of %s has %d cells", k.Name, len(row))
		}
		if got := strings.TrimSpace(row[0]); got != "`"+k.Name+"`" {
			t.Errorf("row %d is %s, want %s", i, got, k.Name)
		}
		if got, want := strings.TrimSpace(row[1]), "`"+written(t, k, &defaults)+"`"; got != want {
			t.Errorf("default of %s is %s, want %s", k.Name, got, want)
		}
		for _, choice := range k.choices {
			if !strings.Contains(row[2], "`"+choice+"`") {
				t.Errorf("%s: choice %s is not named", k.Name, choice)
			}
		}
		if !strings.Contains(row[3], "`"+k.Variable()+"`") {
			t.Errorf("%s: variable %s is not named", k.Name, k.Variable())
		}
	}
}

// written is the key's value in c as `config show` writes it.
func written(t *testing.T, k Key, c *Config) string {
	t.Helper()
	text, err := (&Loaded{Config: *c}).YAML(false)
	if err != nil {
		t.Fatal(err)
	}
	section, name, nested := strings.Cut(k.Name, ".")
	if !nested {
		section, name = "", section
	}
	within := ""
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case strings.HasPrefix(line, " ") && within == section && key == name,
			!nested && !strings.HasPrefix(line, " ") && key == name:
			return strings.TrimSpace(value)
		case !strings.HasPrefix(line, " "):
			within = key
		}
	}
	t.Fatalf("%s is not shown", k.Name)
	return ""
}

func TestSchema(t *testing.T) {
	variables := map[string]string{}
	for _, k := range Keys() {
		v := k.Variable()
		if other, twice := variables[v]; twice || aside(v) {
			t.Errorf("%s and %s share %s", k.Name, other, v)
		}
		variables[v] = k.Name
		if k.Why == "" || k.Expects() == "" {
			t.Errorf("%s is not explained", k.Name)
		}
		if k.kind == kindChoice && len(k.choices) < 2 || k.kind == kindSize && k.min >= k.max {
			t.Errorf("%s has no choice", k.Name)
		}
		c := Defaults()
		k.store(&c, k.value(&c))
		if d := cmp.Diff(Defaults(), c); d != "" {
			t.Errorf("%s does not store what it gives:\n%s", k.Name, d)
		}
	}
}
