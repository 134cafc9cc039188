package rpc

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"pi/internal/schematest"
)

// TestSchemaIsCurrent: the schema that pi prints is that of the table of requests. go generate writes it.
func TestSchemaIsCurrent(t *testing.T) {
	g := &schemas{schematest.New(t, ".", "../toolcall")}
	g.Defs = schematest.Object{"id": schematest.Object{"description": "chosen by the client", "type": []string{"string", "number"}}}
	var requests, replies, events []any
	for _, x := range requestTypes() {
		requests = append(requests, g.request(x))
		replies = append(replies, g.reply(x))
	}
	types := eventTypes()
	for _, name := range slices.Sorted(maps.Keys(types)) {
		events = append(events, g.event(name, types[name]))
	}
	oneOf := func(list []any) schematest.Object { return schematest.Object{"oneOf": list} }
	g.Defs["request"], g.Defs["reply"], g.Defs["event"] = oneOf(requests), oneOf(append(replies, g.refusal())), oneOf(events)
	schematest.UpToDate(t, "rpc.schema.json", schematest.Object{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "pi rpc", "description": "The messages of pi rpc, one a line; docs/rpc.md describes them.",
		"oneOf": []any{schematest.Ref("request"), schematest.Ref("reply"), schematest.Ref("event")},
		"$defs": g.Defs,
	})
}

// schemas makes the schemas of messages.
type schemas struct{ *schematest.Generator }

func (g *schemas) request(x requestType) schematest.Object {
	o := schematest.Object{"type": "object", "properties": schematest.Object{}, "required": []string{}}
	if x.fields != nil {
		o = g.Struct(reflect.TypeOf(x.fields))
	}
	p := o["properties"].(schematest.Object)
	p["id"], p["type"] = schematest.Ref("id"), schematest.Object{"const": x.name}
	must := append([]string{"type"}, o["required"].([]string)...)
	if x.name == "pty_start" {
		must = append([]string{"id"}, must...)
	}
	o["title"], o["required"] = x.name, must
	return o
}

func (g *schemas) reply(x requestType) schematest.Object {
	o := g.Struct(reflect.TypeFor[reply]())
	p := o["properties"].(schematest.Object)
	p["type"], p["command"] = schematest.Object{"const": typeReply}, schematest.Object{"const": x.name}
	p["success"] = schematest.Object{"const": true}
	for _, f := range []string{"data", "error", "code"} {
		delete(p, f)
	}
	if x.name != TypeToolCall {
		delete(p, "shape")
	}
	if x.data != nil {
		p["data"] = g.Of(reflect.TypeOf(x.data))
		o["required"] = append(o["required"].([]string), "data")
	}
	o["title"] = "reply to " + x.name
	return o
}

func (g *schemas) refusal() schematest.Object {
	o := g.Struct(reflect.TypeFor[reply]())
	p := o["properties"].(schematest.Object)
	p["type"], p["success"] = schematest.Object{"const": typeReply}, schematest.Object{"const": false}
	delete(p, "data")
	delete(p, "shape")
	o["title"], o["required"] = "error reply", append(o["required"].([]string), "error")
	return o
}

func (g *schemas) event(name string, fields any) schematest.Object {
	o := g.Struct(reflect.TypeOf(fields))
	o["title"] = name
	o["properties"].(schematest.Object)["type"] = schematest.Object{"const": name}
	return o
}

// checkMessage validates a message of the server against the schema.
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
