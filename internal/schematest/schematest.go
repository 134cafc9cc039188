// Package schematest generates the JSON Schemas (draft 2020-12) that pi ships from Go types, in tests: go generate writes
// the files, and every test run checks that they are up to date. The binary carries the files alone.
package schematest

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated files")

// Object is a JSON object.
type Object map[string]any

// Generator makes schemas of types. The comments of struct fields become descriptions. Create one with [New].
type Generator struct {
	// Defs takes the schemas of named structs, and the schemas refer to them; nil: schemas contain what they need.
	Defs Object
	docs map[string]string // by Type.Field
}

// New returns a generator that reads the comments of the Go files in some directories.
func New(t testing.TB, dirs ...string) *Generator {
	t.Helper()
	g := &Generator{docs: map[string]string{}}
	for _, dir := range dirs {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("no Go files in %s: %v", dir, err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.TypeSpec); ok {
					g.readComments(s)
				}
				return true
			})
		}
	}
	return g
}

func (g *Generator) readComments(s *ast.TypeSpec) {
	st, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range st.Fields.List {
		text := strings.Join(strings.Fields(f.Doc.Text()+f.Comment.Text()), " ")
		for _, n := range f.Names {
			g.docs[s.Name.Name+"."+n.Name] = text
		}
	}
}

// Ref refers to an entry of Defs.
func Ref(name string) Object { return Object{"$ref": "#/$defs/" + name} }

// Of returns the schema of a type.
func (g *Generator) Of(t reflect.Type) Object {
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(g.Of(t.Elem()))
	case reflect.String:
		return Object{"type": "string"}
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return Object{"type": "integer"}
	case reflect.Float64:
		return Object{"type": "number"}
	case reflect.Map:
		return Object{"type": "object", "additionalProperties": g.Of(t.Elem())}
	case reflect.Slice:
		return Object{"type": "array", "items": g.Of(t.Elem())}
	case reflect.Struct:
		return g.named(t)
	}
	return Object{}
}

func nullable(s Object) Object {
	if name, simple := s["type"].(string); simple && len(s) == 1 {
		return Object{"type": []string{name, "null"}}
	}
	return Object{"anyOf": []any{s, Object{"type": "null"}}}
}

func (g *Generator) named(t reflect.Type) Object {
	if g.Defs == nil {
		return g.Struct(t)
	}
	if _, ok := g.Defs[t.Name()]; !ok {
		g.Defs[t.Name()] = Object{} // against endless recursion
		g.Defs[t.Name()] = g.Struct(t)
	}
	return Ref(t.Name())
}

// Struct returns the schema of a struct, with the fields of embedded structs as its own.
func (g *Generator) Struct(t reflect.Type) Object {
	properties, required := Object{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		s, optional := g.field(f, strings.Contains(options, "omit"))
		if doc := g.docs[declarer(t, f).Name()+"."+f.Name]; doc != "" {
			s["description"] = doc
		}
		properties[name] = s
		if !optional {
			required = append(required, name)
		}
	}
	return Object{"type": "object", "properties": properties, "required": required}
}

// declarer is the struct that declares a field: t, or one that t embeds.
func declarer(t reflect.Type, f reflect.StructField) reflect.Type {
	for _, i := range f.Index[:len(f.Index)-1] {
		t = t.Field(i).Type
	}
	return t
}

func (g *Generator) field(f reflect.StructField, optional bool) (s Object, _ bool) {
	switch {
	case f.Type == reflect.TypeFor[json.RawMessage]() && f.Name == "ID":
		return Object{"anyOf": []any{Ref("id"), Object{"type": "null"}}}, optional
	case f.Type == reflect.TypeFor[json.RawMessage]() && f.Name == "Target":
		return Object{"anyOf": []any{Ref("id")}}, optional
	case f.Type == reflect.TypeFor[json.RawMessage]():
		return Object{}, optional
	case optional && f.Type.Kind() == reflect.Pointer:
		return g.Of(f.Type.Elem()), true
	}
	return g.Of(f.Type), optional
}

// UpToDate fails the test if a file does not hold v as JSON. With -update it writes the file instead.
func UpToDate(t *testing.T, file string, v any) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text, err := os.ReadFile(file); err != nil || !bytes.Equal(text, b.Bytes()) {
		t.Errorf("%s is out of date; run go generate (%v)", file, err)
	}
}
