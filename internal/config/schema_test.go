package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSchema(t *testing.T) {
	variables := map[string]string{}
	for _, k := range Keys() {
		v := k.Variable()
		if other, twice := variables[v]; twice || isReserved(v) {
			t.Errorf("%s and %s share %s", k.Name, other, v)
		}
		variables[v] = k.Name
		if !strings.HasSuffix(k.Doc, ".") || strings.ContainsAny(k.Doc, "\n|") {
			t.Errorf("%s: Doc is not one line of sentences that fits a table: %q", k.Name, k.Doc)
		}
		if k.kind == kindChoice && len(k.choices) < 2 || k.kind == kindSize && k.min >= k.max {
			t.Errorf("%s has no choice", k.Name)
		}
		c := Defaults()
		k.store(&c, k.value(&c))
		if d := cmp.Diff(Defaults(), c); d != "" {
			t.Errorf("%s does not store the value it returns:\n%s", k.Name, d)
		}
	}
}

// Every field of Config is a setting, and no two settings share a field.
func TestSchemaCoversConfig(t *testing.T) {
	var c Config
	fields := map[any]string{}
	for _, k := range Keys() {
		p := k.field(&c)
		if other, twice := fields[p]; twice {
			t.Errorf("%s and %s share a field", k.Name, other)
		}
		fields[p] = k.Name
	}
	for name, p := range fieldsOf(&c) {
		if fields[p] == "" {
			t.Errorf("no key sets Config.%s", name)
		}
	}
}
