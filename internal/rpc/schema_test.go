package rpc

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
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"pi/internal/run"
)

var update = flag.Bool("update", false, "write the schema anew")

// requestFields are the types of the requests' own fields; nil: there are none.
var requestFields = map[string]reflect.Type{
	TypeHello:        nil,
	TypeBash:         reflect.TypeFor[Args](),
	TypeToolCall:     reflect.TypeFor[ToolCall](),
	TypeAbort:        reflect.TypeFor[Abort](),
	TypePtyStart:     reflect.TypeFor[PtyStart](),
	TypePtyWrite:     reflect.TypeFor[PtyWrite](),
	TypePtyResize:    reflect.TypeFor[PtyResize](),
	TypePtyKill:      reflect.TypeFor[PtyKill](),
	TypeArtifactRead: reflect.TypeFor[ArtifactRead](),
	TypeSessions:     nil,
	TypeSessionClose: reflect.TypeFor[SessionClose](),
	TypeShutdown:     nil,
}

// replyData are the types of the data in successful replies.
var replyData = map[string]reflect.Type{
	TypeHello:        reflect.TypeFor[Hello](),
	TypeBash:         reflect.TypeFor[BashResult](),
	TypeToolCall:     reflect.TypeFor[run.Result](),
	TypeAbort:        reflect.TypeFor[Aborted](),
	TypePtyStart:     reflect.TypeFor[BashResult](),
	TypePtyWrite:     nil,
	TypePtyResize:    nil,
	TypePtyKill:      nil,
	TypeArtifactRead: reflect.TypeFor[ArtifactText](),
	TypeSessions:     reflect.TypeFor[SessionList](),
	TypeSessionClose: reflect.TypeFor[Closed](),
	TypeShutdown:     nil,
}

// eventTypes are the events.
var eventTypes = map[string]reflect.Type{
	eventStart:   reflect.TypeFor[startEvent](),
	eventUpdate:  reflect.TypeFor[updateEvent](),
	eventText:    reflect.TypeFor[textEvent](),
	eventPartial: reflect.TypeFor[textEvent](),
	eventDropped: reflect.TypeFor[droppedEvent](),
	eventOutput:  reflect.TypeFor[outputEvent](),
	typeHello:    reflect.TypeFor[greeting](),
}

// object is a JSON object.
type object map[string]any

// schemas makes a JSON Schema (draft 2020-12) of Go types; their comments become descriptions.
type schemas struct {
	defs object
	docs map[string]string // by Type and Type.Field
}

// TestSchemaIsCurrent: the schema that pi prints is that of the types. go generate writes it.
func TestSchemaIsCurrent(t *testing.T) {
	for name := range handlers() {
		if _, ok := requestFields[name]; !ok {
			t.Errorf("request %s is not in the schema", name)
		}
	}
	g := schemas{defs: object{}, docs: comments(t, ".", "../toolcall")}
	root := object{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "pi rpc", "description": "The messages of pi rpc, one a line; docs/rpc.md describes them.",
		"oneOf": []any{ref("request"), ref("reply"), ref("event")},
		"$defs": g.defs,
	}
	g.defs["id"] = object{"description": "chosen by the client", "type": []string{"string", "number"}}
	g.defs["request"] = oneOf(requestFields, g.request)
	g.defs["reply"] = object{"oneOf": append(oneOf(replyData, g.reply)["oneOf"].([]any), g.refusal())}
	g.defs["event"] = oneOf(eventTypes, g.event)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(root); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("rpc.schema.json", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b.String() != Schema {
		t.Error("rpc.schema.json is old; run go generate ./internal/rpc")
	}
}

func ref(name string) object { return object{"$ref": "#/$defs/" + name} }

// oneOf lists what make makes of each entry, in order.
func oneOf(types map[string]reflect.Type, make func(string, reflect.Type) object) object {
	var list []any
	for _, name := range slices.Sorted(keys(types)) {
		list = append(list, make(name, types[name]))
	}
	return object{"oneOf": list}
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func (g *schemas) request(name string, fields reflect.Type) object {
	o := object{"type": "object", "properties": object{}, "required": []string{}}
	if fields != nil {
		o = g.object(fields)
	}
	p := o["properties"].(object)
	p["id"], p["type"] = ref("id"), object{"const": name}
	must := append([]string{"type"}, o["required"].([]string)...)
	if name == TypePtyStart {
		must = append([]string{"id"}, must...)
	}
	o["title"], o["required"] = name, must
	return o
}

func (g *schemas) reply(name string, data reflect.Type) object {
	o := g.object(reflect.TypeFor[reply]())
	p := o["properties"].(object)
	p["type"], p["command"], p["success"] = object{"const": typeReply}, object{"const": name}, object{"const": true}
	for _, f := range []string{"data", "error", "code"} {
		delete(p, f)
	}
	if name != TypeToolCall {
		delete(p, "shape")
	}
	if data != nil {
		p["data"] = g.of(data)
		o["required"] = append(o["required"].([]string), "data")
	}
	o["title"] = "reply to " + name
	return o
}

func (g *schemas) refusal() object {
	o := g.object(reflect.TypeFor[reply]())
	p := o["properties"].(object)
	p["type"], p["success"] = object{"const": typeReply}, object{"const": false}
	delete(p, "data")
	delete(p, "shape")
	o["title"], o["required"] = "error reply", append(o["required"].([]string), "error")
	return o
}

func (g *schemas) event(name string, fields reflect.Type) object {
	o := g.object(fields)
	o["title"] = name
	o["properties"].(object)["type"] = object{"const": name}
	return o
}

// of gives the schema of a type. Structs become definitions.
func (g *schemas) of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return object{"anyOf": []any{g.of(t.Elem()), object{"type": "null"}}}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": g.of(t.Elem())}
	case reflect.Slice:
		return object{"type": "array", "items": g.of(t.Elem())}
	case reflect.Struct:
		if _, ok := g.defs[t.Name()]; !ok {
			g.defs[t.Name()] = object{} // against endless recursion
			g.defs[t.Name()] = g.object(t)
		}
		return ref(t.Name())
	}
	return object{}
}

// object gives the schema of a struct, embedded ones taken apart.
func (g *schemas) object(t reflect.Type) object {
	p, required := object{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		s, optional := g.field(f, strings.Contains(options, "omit"))
		if doc := g.docs[declarer(t, f).Name()+"."+f.Name]; doc != "" {
			s["description"] = doc
		}
		p[name] = s
		if !optional {
			required = append(required, name)
		}
	}
	o := object{"type": "object", "properties": p, "required": required}
	if doc := g.docs[t.Name()]; doc != "" {
		o["description"] = doc
	}
	return o
}

// declarer is the struct that declares a field: t, or one that t embeds.
func declarer(t reflect.Type, f reflect.StructField) reflect.Type {
	for _, i := range f.Index[:len(f.Index)-1] {
		t = t.Field(i).Type
	}
	return t
}

func (g *schemas) field(f reflect.StructField, optional bool) (s object, _ bool) {
	switch {
	case f.Type == reflect.TypeFor[json.RawMessage]() && f.Name == "ID":
		return object{"anyOf": []any{ref("id"), object{"type": "null"}}}, optional
	case f.Type == reflect.TypeFor[json.RawMessage]() && f.Name == "Target":
		return object{"anyOf": []any{ref("id")}}, optional
	case f.Type == reflect.TypeFor[json.RawMessage]():
		return object{}, optional
	case optional && f.Type.Kind() == reflect.Pointer:
		return g.of(f.Type.Elem()), true
	}
	return g.of(f.Type), optional
}

// comments reads what is said of types and their fields.
func comments(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	docs := map[string]string{}
	for _, dir := range dirs {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.TypeSpec); ok {
					fieldComments(s, docs)
				}
				return true
			})
		}
	}
	return docs
}

func fieldComments(s *ast.TypeSpec, docs map[string]string) {
	st, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range st.Fields.List {
		text := f.Doc.Text() + f.Comment.Text()
		for _, n := range f.Names {
			docs[s.Name.Name+"."+n.Name] = strings.Join(strings.Fields(text), " ")
		}
	}
}

// checkMessage holds a message against the schema.
func checkMessage(t testing.TB, sent bool, line []byte) {
	t.Helper()
	resolved, err := validator()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(line, &m); err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	if !sent {
		if err := resolved.Validate(m); err != nil {
			t.Errorf("%s is not in the schema: %v", line, err)
		}
	}
}

// validator is the shipped schema, ready to use.
var validator = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(Schema), &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
})
