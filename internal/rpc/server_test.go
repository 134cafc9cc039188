//go:build unix

package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"pi/internal/jsonl"
)

// patience bounds every wait of these tests.
const patience = 20 * time.Second

// socketpair gives two connected sockets.
func socketpair(t testing.TB) (a, b net.Conn) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	ends := make([]net.Conn, 2)
	for i, fd := range fds {
		unix.CloseOnExec(fd)
		file := os.NewFile(uintptr(fd), "socket")
		if ends[i], err = net.FileConn(file); err != nil {
			t.Fatal(err)
		}
		file.Close()
	}
	return ends[0], ends[1]
}

// client drives a server over a socketpair.
type client struct {
	t    testing.TB
	conn net.Conn
	r    *bufio.Reader
	over chan error // gets what Serve returned
}

func serveOn(t testing.TB, e Engine) *client {
	return serveWith(t, NewServer(Options{Engine: e, Build: "1", Greet: true}))
}

func serveWith(t testing.TB, s *Server) *client {
	ours, theirs := socketpair(t)
	c := &client{t: t, conn: ours, r: bufio.NewReader(ours), over: make(chan error, 1)}
	go func() { c.over <- s.Serve(context.Background(), theirs) }()
	t.Cleanup(func() {
		ours.Close()
		select {
		case err := <-c.over:
			if err != nil && !strings.Contains(err.Error(), "reset") && !errors.Is(err, ErrUnsent) {
				t.Errorf("Serve: %v", err)
			}
		case <-time.After(patience):
			t.Error("Serve does not end")
		}
	})
	if hello := c.line(); !strings.HasPrefix(string(hello), `{"type":"hello","protocol":1,"build":"1","pid":`) {
		t.Fatalf("hello %s", hello)
	}
	return c
}

func (c *client) write(text string) {
	c.t.Helper()
	if _, err := c.conn.Write([]byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) line() []byte {
	c.t.Helper()
	_ = c.conn.SetReadDeadline(time.Now().Add(patience))
	line, err := c.r.ReadBytes('\n')
	if err != nil {
		c.t.Fatalf("after %q: %v", line, err)
	}
	return line[:len(line)-1]
}

func (c *client) message() (m Message) {
	c.t.Helper()
	line := c.line()
	if err := json.Unmarshal(line, &m); err != nil {
		c.t.Fatalf("%s: %v", line, err)
	}
	return m
}

// reply gives the next reply, as it was written.
func (c *client) reply() string {
	c.t.Helper()
	for {
		if line := string(c.line()); strings.Contains(line, `"type":"response"`) {
			return line
		}
	}
}

// until reads to the first message that fits.
func (c *client) until(fits func(Message) bool) Message {
	c.t.Helper()
	for {
		if m := c.message(); fits(m) {
			return m
		}
	}
}

// exchanges are lines with the reply they get: a regular expression, anchored.
var exchanges = []struct{ name, send, want string }{
	{"no JSON", `hello`, refused(`null`, ``, `line is not valid JSON: .*`)},
	{"half an object", `{"id":"1","type":"bash"`, refused(`null`, ``, `line is not valid JSON: unexpected end of JSON input .*`)},
	{"two objects", `{"id":"1"} {"id":"2"}`, refused(`null`, ``, `line is not valid JSON: .*`)},
	{"invalid UTF-8", "{\"id\":\"\xff\",\"type\":\"bash\"}", refused(`null`, ``, `line is not valid UTF-8`)},
	{"byte order mark", "\ufeff{}", refused(`null`, ``, `line is not valid JSON: .*`)},
	{"an array", `[1,2]`, refused(`null`, ``, `line is no request: .*`)},
	{"a string", `"x"`, refused(`null`, ``, `line is no request: .*`)},
	{"null", `null`, refused(`null`, ``, `request has no type`)},
	{"an empty object", `{}`, refused(`null`, ``, `request has no type`)},
	{"no type", `{"id":7}`, refused(`7`, ``, `request has no type`)},
	{"a type that is a number", `{"id":"a","type":5}`, refused(`"a"`, ``, `line is no request: .*`)},
	{"unknown type", `{"id":"a","type":"fly"}`, refused(`"a"`, `fly`, `unknown request type \\"fly\\"`)},
	{"a type of later versions", `{"id":"a","type":"pty_start","command":"vim"}`, refused(`"a"`, `pty_start`, `unknown request type .*`)},
	{"carriage return before the end", "{\"id\":\"cr\",\"type\":\"sessions\"}\r", `{"id":"cr",.*"success":true,.*`},
	{"id that is an object", `{"id":{},"type":"sessions"}`, refused(`null`, `sessions`, `id must be a string or a number .*`)},
	{"id that is true", `{"id":true,"type":"sessions"}`, refused(`null`, `sessions`, `id must be .*`)},
	{"id without end", `{"id":"` + strings.Repeat("x", jsonl.MaxID) + `","type":"sessions"}`, refused(`null`, `sessions`, `id must be .*`)},
	{"id that is null", `{"id":null,"type":"sessions"}`, `{"id":null,"type":"response","command":"sessions","success":true,.*`},
	{"no id", `{"type":"sessions"}`, `{"id":null,"type":"response","command":"sessions","success":true,"data":{"sessions":\[\]}}`},
	{"id that is a number", `{"id":1.50,"type":"sessions"}`, `{"id":1.50,.*`},
	{"id with an escape", `{"id":"\u00e9\u2028","type":"sessions"}`, `{"id":"é\\u2028",.*`},
	{"id with a raw line separator", "{\"id\":\"\u2028\",\"type\":\"sessions\"}", `{"id":"\\u2028",.*`},
	{"unknown fields are left alone", `{"id":"a","type":"sessions","colour":"red"}`, `{"id":"a",.*"success":true,.*`},

	{"bash", `{"id":"b","type":"bash","command":"echo hi; echo oops >&2; exit 3"}`, regexp.QuoteMeta(
		`{"id":"b","type":"response","command":"bash","success":true,"data":{"output":"hi\noops\n","exitCode":3,"cancelled":false,"timedOut":false,` +
			`"truncated":false,"totalLines":2,"totalBytes":8,"outputLines":2,"outputBytes":8}}`)},
	{"bash without output", `{"type":"bash","command":"true"}`, `.*"output":"","exitCode":0,.*"totalLines":0,.*`},
	{"bash without a final newline", `{"type":"bash","command":"printf x"}`, `.*"output":"x",.*"totalLines":1,"totalBytes":1,.*`},
	{"bash with a line separator", `{"type":"bash","command":"printf '\\342\\200\\250'"}`, `.*"output":"\\u2028",.*`},
	{"bash in a directory", `{"type":"bash","command":"pwd","cwd":"/"}`, `.*"output":"/\\n",.*`},
	{"bash in no directory", `{"id":1,"type":"bash","command":"pwd","cwd":"/nowhere"}`, refused(`1`, `bash`, `Working directory does not exist: /nowhere`)},
	{"bash with variables", `{"type":"bash","command":"echo $A-$B","env":{"A":"1","B":"two words"}}`, `.*"output":"1-two words\\n",.*`},
	{"bash with a bad variable", `{"id":1,"type":"bash","command":"true","env":{"A-B":"1"}}`, refused(`1`, `bash`, `environment variable \\"A-B\\": a name has .*`)},
	{"bash with a variable that is a number", `{"id":1,"type":"bash","command":"true","env":{"A":1}}`, refused(`1`, `bash`, `env: a JSON number does not fit`)},
	{"bash that times out", `{"type":"bash","command":"echo a; exec sleep 100","timeout":1}`, `.*"output":"a\\n","exitCode":null,"cancelled":false,"timedOut":true,.*`},
	{"bash with a clamped timeout", `{"type":"bash","command":"true","timeout":1e300}`, `.*"exitCode":0,.*"warnings":\["timeout of .* clamped to 3600 s .*`},
	{"bash with a negative timeout", `{"id":1,"type":"bash","command":"true","timeout":-1}`, refused(`1`, `bash`, `timeout cannot be negative`)},
	{"bash with a timeout in words", `{"id":1,"type":"bash","command":"true","timeout":"soon"}`, refused(`1`, `bash`, `timeout: a JSON string does not fit`)},
	{"bash without a command", `{"id":1,"type":"bash"}`, refused(`1`, `bash`, `command is empty`)},
	{"bash with a NUL", `{"id":1,"type":"bash","command":"echo \u0000"}`, refused(`1`, `bash`, `command has a NUL byte at offset 5; .*`)},
	{"bash in a terminal", `{"id":1,"type":"bash","command":"true","pty":true}`, `.*"exitCode":0,.*"warnings":\["pty: there is no terminal here,.*`},
	{"bash in a session without end", `{"id":1,"type":"bash","command":"true","session":"` + strings.Repeat("s", maxName+1) + `"}`, refused(`1`, `bash`, `session: a name has at most 256 bytes`)},
	{"bash with unknown events", `{"id":1,"type":"bash","command":"true","events":["end"]}`, refused(`1`, `bash`, `events: \\"end\\" is none of .*`)},
	{"bash of a lot", `{"type":"bash","command":"seq 1 100000"}`, `.*"output":"9.*"truncated":true,"totalLines":100000,"totalBytes":588895,.*`},

	{"tool_call", `{"id":"t","type":"tool_call","tool":"bash","args":{"command":"seq 1 5 | tail -n 2"}}`,
		`{"id":"t","type":"response","command":"tool_call","success":true,"data":{"content":\[{"type":"text","text":"4\\n5\\n.*"isError":false,"details":{"status":"ok",.*"tailLines":2,.*`},
	{"tool_call with limits", `{"type":"tool_call","tool":"bash","args":{"command":"seq 1 9","head":3,"tail":1}}`, `.*"text":"3\\n\\n\[Showing lines 3-3 of 9.*`},
	{"tool_call that fails", `{"type":"tool_call","tool":"bash","args":{"command":"exit 4"}}`, `.*"success":true,.*"isError":true,"details":{"status":"failed","exitCode":4,.*`},
	{"tool_call in no directory", `{"type":"tool_call","tool":"bash","args":{"command":"true","cwd":"/no"}}`, `.*"success":true,.*"isError":true,"details":{"status":"error",.*`},
	{"tool_call with its parts", `{"type":"tool_call","tool":"bash","args":{"command":"echo x; exit 1","shape":true}}`,
		`.*"text":"x\\n\\nCommand exited with code 1".*"shape":{"bodyBytes":2,"notices":\["Command exited with code 1"\]}}`},
	{"tool_call of another tool", `{"id":1,"type":"tool_call","tool":"python","args":{"command":"1"}}`, refused(`1`, `tool_call`, `unknown tool \\"python\\"; there is bash`)},
	{"tool_call without args", `{"id":1,"type":"tool_call","tool":"bash"}`, refused(`1`, `tool_call`, `tool_call needs args`)},
	{"tool_call with args in a string", `{"id":1,"type":"tool_call","tool":"bash","args":"ls"}`, refused(`1`, `tool_call`, `args: a JSON string does not fit`)},
	{"tool_call with a negative limit", `{"id":1,"type":"tool_call","tool":"bash","args":{"command":"true","head":-1}}`, refused(`1`, `tool_call`, `head, tail and maxBytes cannot be negative`)},
	{"tool_call of another build", `{"id":1,"type":"tool_call","tool":"bash","build":"2","args":{"command":"true"}}`,
		`{"id":1,"type":"response","command":"tool_call","success":false,"error":"this is pi 1, not 2","code":"version"}`},

	{"abort with nothing under way", `{"id":1,"type":"abort_bash"}`, `{"id":1,"type":"response","command":"abort_bash","success":true,"data":{"aborted":0}}`},
	{"abort of nobody", `{"id":1,"type":"abort_bash","target":"x"}`, `.*"data":{"aborted":0}}`},
	{"abort of a session", `{"id":1,"type":"abort_bash","session":"x"}`, `.*"data":{"aborted":0}}`},
	{"abort of two things", `{"id":1,"type":"abort_bash","session":"x","target":"y"}`, refused(`1`, `abort_bash`, `abort_bash takes a target or a session, not both`)},
	{"abort of an odd id", `{"id":1,"type":"abort_bash","target":{}}`, refused(`1`, `abort_bash`, `target is no id: want a string or a number`)},
	{"hello", `{"id":1,"type":"hello"}`, `{"id":1,.*"data":{"protocol":1,"build":"1","pid":\d+}}`},
	{"close without a name", `{"id":1,"type":"session_close"}`, refused(`1`, `session_close`, `session_close needs a session`)},
	{"close of nobody", `{"id":1,"type":"session_close","session":"x"}`, `.*"data":{"closed":false}}`},
	{"a session", `{"type":"bash","command":"echo a","session":"s"}`, `.*"output":"a\\n".*`},
	{"that is listed", `{"id":1,"type":"sessions"}`, regexp.QuoteMeta(`{"id":1,"type":"response","command":"sessions","success":true,"data":{"sessions":[` +
		`{"name":"s","shell":"/bin/sh","cwd":"/","busy":false,"idleSeconds":0,"backgroundJobs":[]}]}}`)},
	{"and closed", `{"id":1,"type":"session_close","session":"s"}`, `.*"data":{"closed":true}}`},
	{"shutdown", `{"id":"end","type":"shutdown"}`, `{"id":"end","type":"response","command":"shutdown","success":true}`},
}

// refused is the pattern of an error reply.
func refused(id, command, message string) string {
	return `{"id":` + id + `,"type":"response","command":"` + command + `","success":false,"error":"` + message + `"}`
}

func TestExchanges(t *testing.T) {
	e := newOneShots()
	c := serveOn(t, e)
	for _, x := range exchanges {
		c.write(x.send + "\n")
		if got := c.reply(); !regexp.MustCompile(`^(?:` + x.want + `)$`).MatchString(got) {
			t.Errorf("%s: got %s\nwant %s", x.name, got, x.want)
		}
	}
	if !e.closed {
		t.Error("shutdown left the sessions open")
	}
	select { // shutdown ends the connection from this side
	case err := <-c.over:
		c.over <- err
	case <-time.After(patience):
		t.Error("the server is still there")
	}
}

// FuzzServe sends anything: every line gets one reply, which is a line of valid JSON, and the server lives on.
func FuzzServe(f *testing.F) {
	for _, x := range exchanges {
		if !strings.Contains(x.send, "command") {
			f.Add([]byte(x.send))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.Contains(line, []byte("shutdown")) || bytes.Contains(line, []byte(`\u`)) || bytes.Contains(line, []byte("command")) {
			return
		}
		c := serveOn(t, newOneShots())
		c.write(string(line) + "\n" + `{"id":"the last","type":"sessions"}` + "\n")
		for {
			raw := c.line()
			if !json.Valid(raw) || !utf8.Valid(raw) {
				t.Fatalf("reply %q", raw)
			}
			if bytes.Contains(raw, []byte(`"the last"`)) {
				return
			}
		}
	})
}
