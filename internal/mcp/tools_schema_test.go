package mcp

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"pi/internal/run"
	"pi/internal/schematest"
	"pi/internal/toolcall"
	"pi/internal/toolcall/toolcalltest"
)

const (
	bashDescription = "Run a command in the user's shell, without a terminal and with empty standard input, and get its output (standard output and " +
		"standard error in order), at most 50 KB of it: the end, cut at a line. Output that was left out is saved: the result names " +
		"artifact://ID, which resources/read returns, whole or in part (artifact://ID?lines=10-20, ?tail=50, ?grep=RE). At its timeout, " +
		"or when the call is cancelled, the command's whole process tree is terminated, and the result has all output so far. Without a " +
		"session every call has a fresh shell; with one, the directory, variables, functions and background jobs of earlier calls are still there."
	sessionDescription = "List the sessions of the bash tool: shell, directory, whether a command is running, and background jobs. Or stop one, " +
		"with everything that was started in it."
)

// tool is an entry of tools/list.
type tool struct {
	Name         string            `json:"name"`
	Title        string            `json:"title"`
	Description  string            `json:"description"`
	InputSchema  schematest.Object `json:"inputSchema"`
	OutputSchema schematest.Object `json:"outputSchema"`
	Annotations  annotations       `json:"annotations"`
}

type annotations struct {
	Title           string `json:"title"`
	ReadOnlyHint    bool   `json:"readOnlyHint"`
	DestructiveHint bool   `json:"destructiveHint"`
	IdempotentHint  bool   `json:"idempotentHint"`
	OpenWorldHint   bool   `json:"openWorldHint"`
}

// TestToolsAreCurrent: tools.json is that of the types. go generate writes it.
func TestToolsAreCurrent(t *testing.T) {
	g := schematest.New(t, ".", "../toolcall", "../run")
	bash, session := g.Struct(reflect.TypeFor[toolcall.Args]()), g.Struct(reflect.TypeFor[sessionArgs]())
	properties := bash["properties"].(schematest.Object)
	for name := range properties {
		if !slices.Contains(bashArguments[:], name) {
			delete(properties, name)
		}
	}
	for path, more := range map[string]schematest.Object{
		"timeout": {"minimum": 0}, "head": {"minimum": 1}, "tail": {"minimum": 1}, "maxBytes": {"minimum": 4, "maximum": maxShown},
	} {
		constrain(t, bash, path, more)
	}
	constrain(t, session, "action", schematest.Object{"enum": []string{"list", "stop"}})
	bash["additionalProperties"], session["additionalProperties"] = false, false

	result := g.Struct(reflect.TypeFor[run.Result]())
	for path, values := range map[string][]string{
		"content.type":                        {"text"},
		"details.status":                      {string(run.OK), string(run.Failed), string(run.TimedOut), string(run.Cancelled), string(run.Blocked), string(run.Error)},
		"details.meta.truncation.direction":   {"head", "tail"},
		"details.meta.truncation.truncatedBy": {"bytes", "lines"},
	} {
		constrain(t, result, path, schematest.Object{"enum": values})
	}
	const bashTitle, sessionTitle = "Run a shell command", "List or stop shell sessions"
	schematest.UpToDate(t, "tools.json", []tool{
		{"bash", bashTitle, bashDescription, bash, result, annotations{bashTitle, false, true, false, true}},
		{"bash_session", sessionTitle, sessionDescription, session, g.Struct(reflect.TypeFor[sessionList]()), annotations{sessionTitle, false, true, true, false}},
	})
}

// constrain adds keywords to the schema of a property. A path leads through objects and the items of arrays.
func constrain(t *testing.T, s schematest.Object, path string, more schematest.Object) {
	t.Helper()
	for name := range strings.SplitSeq(path, ".") {
		if items, ok := s["items"].(schematest.Object); ok {
			s = items
		}
		properties, _ := s["properties"].(schematest.Object)
		if s, _ = properties[name].(schematest.Object); s == nil {
			t.Fatalf("no property %s", path)
		}
	}
	for keyword, value := range more {
		s[keyword] = value
	}
}

// notForAgents are the arguments that the bash tool does not take, with the reason.
var notForAgents = map[string]string{
	"sessionCwd":  "sessions start in the server's directory; a command can cd",
	"tools":       "the configuration says which tools the agent has: a rule would be useless if its subject could turn it off",
	"noIntercept": "as for tools",
	"encoding":    "arguments of a model are text",
	"settings":    "the configuration is the server's",
}

// TestEveryArgumentArrives calls the bash tool with every argument it takes and looks at the engine's call.
func TestEveryArgumentArrives(t *testing.T) {
	full := toolcalltest.Full(t)
	text, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	var arguments map[string]json.RawMessage
	if err := json.Unmarshal(text, &arguments); err != nil {
		t.Fatal(err)
	}
	for name := range arguments {
		takes, reason := slices.Contains(bashArguments[:], name), notForAgents[name]
		if takes == (reason != "") {
			t.Errorf("argument %s: want either an entry in bashArguments or a reason in notForAgents", name)
		}
		if !takes {
			only, err := json.Marshal(map[string]json.RawMessage{"command": arguments["command"], name: arguments[name]})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := bashCall(only); err == nil || !strings.Contains(err.Error(), "unknown argument") {
				t.Errorf("argument %s is accepted: %v", name, err)
			}
			delete(arguments, name)
		}
	}
	text, err = json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	engine := &toolcalltest.Recorder{}
	c := open(t, Options{Engine: engine}, "2025-11-25")
	c.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash","arguments":` + string(text) + `}}`)
	c.line()
	var want toolcall.Args
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if diff := toolcalltest.Diff(toolcalltest.Call(t, want), engine.Last(t)); diff != "" {
		t.Error(diff)
	}
}

// checkResult validates the structured content of a reply against the output schema of the tool that made it.
func checkResult(t testing.TB, line string) {
	t.Helper()
	var reply struct {
		Result struct {
			StructuredContent map[string]any
		}
	}
	if json.Unmarshal([]byte(line), &reply) != nil || reply.Result.StructuredContent == nil {
		return
	}
	name := "bash"
	if _, ok := reply.Result.StructuredContent["sessions"]; ok {
		name = "bash_session"
	}
	schemas, err := outputSchemas()
	if err != nil {
		t.Fatal(err)
	}
	if err := schemas[name].Validate(reply.Result.StructuredContent); err != nil {
		t.Errorf("%s: %s is not in the output schema: %v", name, line, err)
	}
}

// outputSchemas are those of the tools, strict: no further properties are allowed.
var outputSchemas = sync.OnceValues(func() (map[string]*jsonschema.Resolved, error) {
	var list []tool
	if err := json.Unmarshal(tools, &list); err != nil {
		return nil, err
	}
	m := map[string]*jsonschema.Resolved{}
	for _, x := range list {
		seal(map[string]any(x.OutputSchema))
		text, err := json.Marshal(x.OutputSchema)
		if err != nil {
			return nil, err
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, err
		}
		if m[x.Name], err = s.Resolve(nil); err != nil {
			return nil, err
		}
	}
	return m, nil
})

// seal forbids further properties in a schema and all it contains.
func seal(s map[string]any) {
	if properties, ok := s["properties"].(map[string]any); ok {
		s["additionalProperties"] = false
		for _, p := range properties {
			if p, ok := p.(map[string]any); ok {
				seal(p)
			}
		}
	}
	if items, ok := s["items"].(map[string]any); ok {
		seal(items)
	}
}
