package config

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var update = flag.Bool("update", false, "write config.example.yaml and the table in docs/configuration.md")

const (
	examplePath = "../../config.example.yaml"
	docsPath    = "../../docs/configuration.md"
)

// config.example.yaml and the table in docs/configuration.md are generated from the schema: `make generate` writes them.
func TestGenerated(t *testing.T) {
	docs, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		examplePath: example(t),
		docsPath:    replaceTable(t, string(docs), table(t)),
	} {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(got)); d != "" {
			t.Errorf("%s differs from the schema; run `make generate` (-want +got):\n%s", path, d)
		}
	}
}

// Loading the example changes nothing: it sets every key to its default.
func TestExample(t *testing.T) {
	loaded, err := Load(LoadOptions{File: examplePath})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Defaults(), loaded.Config, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("not the defaults (-want +got):\n%s", d)
	}
	for _, k := range Keys() {
		if loaded.Origin(k.Name).Kind != FromFile {
			t.Errorf("%s is missing", k.Name)
		}
	}
}

// example returns the text of config.example.yaml.
func example(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# Every setting of pi with its default. Copy the ones you change to ~/.config/pi/config.yaml and run `pi config check`.\n" +
		"# Above each setting: what it does, the values it accepts, and the environment variable that sets it.\n")
	last := ""
	for _, k := range Keys() {
		section, name, nested := strings.Cut(k.Name, ".")
		if section != last || !nested {
			b.WriteString("\n")
		}
		indent := ""
		if nested {
			if section != last {
				b.WriteString(section + ":\n")
			}
			indent = "  "
		} else {
			name = section
		}
		last = section
		comment(&b, indent+"# ", plainText(k.Doc))
		comment(&b, indent+"# ", "Values: "+k.Expects()+". Variable: "+k.Variable())
		fmt.Fprintf(&b, "%s%s: %s\n", indent, name, defaultOf(t, k))
	}
	return b.String()
}

// comment writes text in lines of at most 120 columns that start with prefix.
func comment(b *strings.Builder, prefix, text string) {
	line := prefix
	for word := range strings.FieldsSeq(text) {
		if len(line)+len(word) > 120 {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = prefix
		}
		line += word + " "
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

var link = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)

// plainText returns Markdown without links and code marks.
func plainText(markdown string) string {
	return strings.ReplaceAll(link.ReplaceAllString(markdown, "$1"), "`", "")
}

// table returns the table of the settings in docs/configuration.md.
func table(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| key | default | what it does | values | variable |\n|---|---|---|---|---|\n")
	for _, k := range Keys() {
		variable := "`" + k.Variable() + "`"
		if k.flag != "" {
			variable += ", flag `" + k.flag + "`"
		}
		values := k.Expects()
		if len(k.choices) > 0 {
			values = "`" + strings.Join(k.choices, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", k.Name, defaultOf(t, k), k.Doc, values, variable)
	}
	return b.String()
}

// replaceTable returns the page with the table whose first column is headed "key" replaced.
func replaceTable(t *testing.T, page, table string) string {
	start := strings.Index(page, "\n| key |") + 1
	if start == 0 {
		t.Fatalf("%s has no table that starts with | key |", docsPath)
	}
	end := start
	for line := range strings.Lines(page[start:]) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		end += len(line)
	}
	return page[:start] + table + page[end:]
}

// defaultOf returns the key's default as YAML on one line.
func defaultOf(t *testing.T, k Key) string {
	t.Helper()
	c := Defaults()
	text, err := encode(valueNode(k.value(&c)))
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(text))
}

// fieldsOf returns a pointer to every setting in c by its name; a struct is a section.
func fieldsOf(c *Config) map[string]any {
	fields := map[string]any{}
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		field, name := v.Field(i), v.Type().Field(i).Name
		if field.Kind() != reflect.Struct {
			fields[name] = field.Addr().Interface()
			continue
		}
		for j := range field.NumField() {
			fields[name+"."+field.Type().Field(j).Name] = field.Field(j).Addr().Interface()
		}
	}
	return fields
}
