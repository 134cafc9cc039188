package mcp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pi/internal/artifact"
)

const meta2026 = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// failed is the pattern of an error reply.
func failed(id string, code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"%s"}}`, id, code, message)
}

// faults are lines that every revision answers in the same way.
var faults = []struct{ name, send, want string }{
	{"no JSON", `hello`, failed(`null`, codeParse, `line is not valid JSON: .*`)},
	{"half an object", `{"jsonrpc":"2.0","id":1`, failed(`null`, codeParse, `line is not valid JSON: unexpected end of JSON input .*`)},
	{"two objects", `{"id":1} {"id":2}`, failed(`null`, codeParse, `line is not valid JSON: .*`)},
	{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", failed(`null`, codeParse, `line is not valid UTF-8`)},
	{"a string", `"x"`, failed(`null`, codeInvalidRequest, `message is no object`)},
	{"null", `null`, failed(`null`, codeInvalidRequest, `message is not JSON-RPC 2.0: .*`)},
	{"another JSON-RPC", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, failed(`1`, codeInvalidRequest, `message is not JSON-RPC 2.0: .*`)},
	{"no method", `{"jsonrpc":"2.0","id":1}`, failed(`1`, codeInvalidRequest, `message has no method`)},
	{"a method that is a number", `{"jsonrpc":"2.0","id":1,"method":7}`, failed(`1`, codeInvalidRequest, `method must be a string`)},
	{"a method that is null", `{"jsonrpc":"2.0","id":1,"method":null}`, failed(`1`, codeInvalidRequest, `method must be a string`)},
	{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, failed(`null`, codeInvalidRequest, `id must be a string or a number .*`)},
	{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, failed(`null`, codeInvalidRequest, `id must be .*`)},
	{"an id without end", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 2000) + `","method":"ping"}`, failed(`null`, codeInvalidRequest, `id must be .*`)},
	{"params in an array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, failed(`1`, codeInvalidParams, `params must be an object`)},
	{"unknown method", `{"jsonrpc":"2.0","id":"a","method":"fly"}`, failed(`"a"`, codeUnknownMethod, `unknown method \\"fly\\"`)},
	{"prompts are not there", `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, failed(`1`, codeUnknownMethod, `.*`)},
	{"nor is logging", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`, failed(`1`, codeUnknownMethod, `.*`)},
	{"an empty batch", `[]`, failed(`null`, codeInvalidRequest, `.*`)},
}

// legacy are exchanges after a handshake of the newest revision that has one.
var legacy = []struct{ name, send, want string }{
	{"ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
	{"ping with a carriage return", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r", `{"jsonrpc":"2.0","id":1,"result":{}}`},
	{"ping with null params", `{"jsonrpc":"2.0","id":"x\u2028","method":"ping","params":null}`, `{"jsonrpc":"2.0","id":"x\\u2028","result":{}}`},
	{"initialize again", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`, failed(`1`, codeInvalidRequest, `initialize was sent already`)},
	{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, failed(`null`, codeInvalidRequest, `batches are no part of revision 2025-11-25`)},
	{"discover without a revision", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, failed(`1`, codeUnknownMethod, `.*2026-07-28.*`)},
	{"tools", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":\[{"name":"bash",.*"name":"bash_session".*\]}}`},
	{"unknown tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"python","arguments":{}}}`, failed(`1`, codeInvalidParams, `unknown tool \\"python\\"; .*`)},
	{"a tool without a name", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, failed(`1`, codeInvalidParams, `unknown tool .*`)},
	{"a tool's name that is a number", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}`, failed(`1`, codeInvalidParams, `name: a JSON number does not fit`)},

	{"a command", call(`1`, "echo hi; echo oops >&2; exit 3", ""), `.*"content":\[{"type":"text","text":"hi\\noops\\n\\nCommand exited with code 3"}\],"isError":true,` +
		`"structuredContent":{"content":.*"details":{"status":"failed","exitCode":3,.*`},
	{"a limit", call(`1`, "seq 9", `,"head":2`), `.*"text":"1\\n2\\n\\n\[Showing lines 1-2 of 9.*`},
	{"a limit in the command", call(`1`, "seq 9 | tail -n 1", ``), `.*"text":"9\\n.*"tailLines":1,.*`},
	{"that is left alone", call(`1`, "seq 9 | tail -n 1", `,"noNormalize":true`), `.*"text":"9\\n"}.*"tailLines":null,.*`},
	{"a directory", call(`1`, "pwd", `,"cwd":"/usr"`), `.*"text":"/usr\\n".*`},
	{"no directory", call(`1`, "pwd", `,"cwd":"/nowhere"`), `.*"text":"Working directory does not exist: /nowhere"}\],"isError":true,.*"status":"error".*`},
	{"variables", call(`1`, "echo $A", `,"env":{"A":"one two"}`), `.*"text":"one two\\n".*`},
	{"a variable that is a number", call(`1`, "echo $A", `,"env":{"A":1}`), `.*"text":"env(.A)?: a JSON number does not fit"}\],"isError":true,.*"status":"error".*`},
	{"a timeout", call(`1`, "echo a; exec sleep 100", `,"timeout":1`), `.*"text":"a\\n\\nCommand timed out after 1 second"}\],"isError":true,.*"status":"timeout".*`},
	{"a timeout below zero", call(`1`, "true", `,"timeout":-1`), `.*"text":"timeout cannot be negative"}\],"isError":true.*`},
	{"a timeout in words", call(`1`, "true", `,"timeout":"soon"`), `.*"text":"timeout: a JSON string does not fit"}\],"isError":true.*`},
	{"no command", call(`1`, "", ``), `.*"text":"command is empty"}\],"isError":true.*`},
	{"no arguments", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash"}}`, `.*"text":"command is empty"}\],"isError":true.*`},
	{"arguments in a string", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash","arguments":"ls"}}`, `.*"text":"arguments must be an object"}\],"isError":true.*`},
	{"an unknown argument", call(`1`, "true", `,"colour":"red"`), `.*"text":"unknown argument \\"colour\\""}\],"isError":true.*`},
	{"rules cannot be switched off", call(`1`, "true", `,"noIntercept":true`), `.*"text":"unknown argument \\"noIntercept\\""}\],"isError":true.*`},
	{"too much text", call(`1`, "true", `,"maxBytes":10000000`), `.*"text":"maxBytes can be 1048576 at most"}\],"isError":true.*`},
	{"a NUL", call(`1`, "echo \x00", ``), `.*"text":"command has a NUL byte at offset 5; .*"isError":true.*`},
	{"a lot", call(`1`, "seq 100000", ``), `.*"truncatedBy":"bytes","totalLines":100000,"totalBytes":588895,.*"artifactId":"[0-9]+".*`},

	{"no sessions", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash_session","arguments":{"action":"list"}}}`,
		`.*"text":"no sessions"}\],"isError":false,"structuredContent":{"sessions":\[\]}}}`},
	{"a session", call(`1`, "cd /usr; X=1", `,"session":"s"`), `.*"isError":false.*"session":{"name":"s","cwd":"/usr","fresh":true,"dropped":false}.*`},
	{"goes on", call(`1`, "pwd; echo $X", `,"session":"s"`), `.*"text":"/usr\\n1\\n".*"fresh":false.*`},
	{"is listed", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash_session","arguments":{"action":"list"}}}`,
		`.*"text":"s: /bin/bash, idle for 0 s, /usr"}.*"structuredContent":{"sessions":\[{"name":"s","shell":"/bin/bash","cwd":"/usr","busy":false,.*`},
	{"and stopped", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash_session","arguments":{"action":"stop","session":"s"}}}`,
		`.*"text":"no sessions"}\],"isError":false.*`},
	{"but once", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash_session","arguments":{"action":"stop","session":"s"}}}`,
		`.*"text":"there is no session \\"s\\""}\],"isError":true.*`},
	{"another action", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash_session","arguments":{"action":"start"}}}`, `.*action: want list or stop.*"isError":true.*`},
	{"stop without a session", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash_session","arguments":{"action":"stop"}}}`, `.*stop needs a session.*"isError":true.*`},

	{"templates", `{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`, `.*"uriTemplate":"artifact://{id}{\?lines,bytes,head,tail,grep}".*`},
	{"a cursor that was not given out", `{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"x"}}`, failed(`1`, codeInvalidParams, `cursor .*`)},
	{"another scheme", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`, failed(`1`, codeInvalidParams, `resource .*want artifact://ID`)},
	{"no such artifact", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"artifact://999"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":".*","data":{"uri":"artifact://999"}}}`},
	{"a way out of the store", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"artifact://../../etc/passwd"}}`, failed(`1`, codeInvalidParams, `.*not a number.*`)},
	{"an unknown part", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"artifact://1?chars=5"}}`, failed(`1`, codeInvalidParams, `.*unknown part \\"chars\\".*`)},
	{"two parts that do not go together", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"artifact://1?head=5&tail=5"}}`, failed(`1`, codeInvalidParams, `.*mutually exclusive.*`)},
}

// stateless are exchanges of the revision without a handshake.
var modern = []struct{ name, send, want string }{
	{"nothing before initialize", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, failed(`1`, codeInvalidRequest, `tools/list before initialize`)},
	{"but a ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
	{"discover", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta2026 + `}}`, `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{.*}},` +
		`"cacheScope":"public","capabilities":{"resources":{},"tools":{}},"instructions":.*,"resultType":"complete",` +
		`"supportedVersions":\["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"\],"ttlMs":3600000}}`},
	{"a revision of another time", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported protocol version","data":{"requested":"1900-01-01","supported":\["2026-07-28",.*`},
	{"a revision that is a number", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":1}}}`, failed(`1`, codeInvalidParams, `.*must be a string`)},
	{"no capabilities", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, failed(`1`, codeInvalidParams, `.*must be an object`)},
	{"a _meta that is none", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":5}}`, failed(`1`, codeInvalidParams, `_meta: a JSON number does not fit`)},
	{"what went with this revision", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + meta2026 + `}}`, failed(`1`, codeUnknownMethod, `ping is no part of revision 2026-07-28`)},
	{"tools", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta2026 + `}}`, `.*"cacheScope":"public","resultType":"complete","tools":\[.*\],"ttlMs":3600000}}`},
	{"a command", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash","arguments":{"command":"echo hi"},` + meta2026 + `}}`,
		`.*"content":\[{"type":"text","text":"hi\\n"}\],"isError":false,"resultType":"complete","structuredContent":{.*`},
	{"no such artifact", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"artifact://999",` + meta2026 + `}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,.*`},
	{"resources", `{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{` + meta2026 + `}}`, `.*"cacheScope":"private","resources":\[.*\],"resultType":"complete","ttlMs":0}}`},
	{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta2026 + `}}]`, `\[{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"tools/list cannot be part of a batch"}}\]`},
	{"listening to nothing in particular", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + meta2026 + `}}`, failed(`1`, codeInvalidParams, `.*needs notifications`)},
	{"initialize all the same", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, `.*"protocolVersion":"2025-11-25".*`},
	{"and both at once", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta2026 + `}}`, `.*"resultType":"complete".*`},
}

func TestExchanges(t *testing.T) {
	store := artifact.Open(t.TempDir(), artifact.Options{})
	o := Options{Engine: engine(t, store), Store: store}
	for _, table := range []struct {
		name  string
		c     *client
		lines []struct{ name, send, want string }
	}{
		{"legacy faults", open(t, o, "2025-11-25"), faults},
		{"legacy", open(t, o, "2025-11-25"), legacy},
		{"modern faults", serve(t, o), faults},
		{"modern", serve(t, o), modern},
	} {
		for _, x := range table.lines {
			table.c.write(x.send)
			if got := table.c.reply(); !regexp.MustCompile(`^(?:` + x.want + `)$`).MatchString(got) {
				t.Errorf("%s, %s: got %s\nwant %s", table.name, x.name, got, x.want)
			}
		}
	}
}

func TestVersions(t *testing.T) {
	for _, v := range []struct{ asked, got string }{
		{"2024-11-05", "2024-11-05"}, {"2025-03-26", "2025-03-26"}, {"2025-06-18", "2025-06-18"}, {"2025-11-25", "2025-11-25"},
		{"2026-07-28", "2025-11-25"}, {"2099-01-01", "2025-11-25"}, {"1", "2025-11-25"},
	} {
		c := serve(t, Options{Engine: engine(t, nil)})
		c.write(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + v.asked + `","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
		if got := c.line(); !strings.Contains(got, `"protocolVersion":"`+v.got+`"`) || strings.Contains(got, "resources") {
			t.Errorf("asked for %s: %s", v.asked, got)
		}
		c.write(call(`1`, "echo x", ""))
		structured := strings.Contains(c.reply(), "structuredContent")
		if want := v.got >= "2025-06-18"; structured != want {
			t.Errorf("revision %s: structured content %v, want %v", v.got, structured, want)
		}
	}
}

// TestBatch: batches were part of one revision. Their replies come together, notifications have none.
func TestBatch(t *testing.T) {
	c := open(t, Options{Engine: engine(t, nil)}, "2025-03-26")
	c.write(`[` + call(`1`, "echo one", "") + `,{"jsonrpc":"2.0","method":"notifications/initialized"},7,{"jsonrpc":"2.0","id":2,"method":"ping"},` +
		`{"jsonrpc":"2.0","id":3,"method":"fly"},{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}]`)
	var list []answer
	if err := json.Unmarshal([]byte(c.line()), &list); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, a := range list {
		code := 0
		if a.Error != nil {
			code = a.Error.Code
		}
		got[string(a.ID)] = code
	}
	if diff := cmp.Diff(map[string]int{"null": codeInvalidRequest, "1": 0, "2": 0, "3": codeUnknownMethod, "4": codeInvalidRequest}, got); diff != "" {
		t.Error(diff)
	}
	c.write(`[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":9,"result":{}}]`)
	c.write(`{"jsonrpc":"2.0","id":"next","method":"ping"}`)
	if got := c.line(); got != `{"jsonrpc":"2.0","id":"next","result":{}}` {
		t.Errorf("after a batch of notifications: %s", got)
	}
}

func TestListen(t *testing.T) {
	c := serve(t, Options{Engine: engine(t, nil)})
	c.write(`{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta2026 + `}}`)
	if got, want := c.line(), `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"notifications":{}}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := c.line(); !strings.Contains(got, `"io.modelcontextprotocol/subscriptionId":"s"`) || !strings.Contains(got, `"resultType":"complete"`) {
		t.Errorf("got %s", got)
	}
}
