package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/ps"
	"pi/internal/run"
	"pi/internal/testmain"
	"pi/internal/toolcall"
)

func TestMain(m *testing.M) { testmain.Run(m, ps.RunHidden) }

// patience bounds every wait of these tests.
const patience = 30 * time.Second

// client drives a server over a pipe.
type client struct {
	t    testing.TB
	conn net.Conn
	r    *bufio.Reader
	over chan error // receives the result of Serve

	served *conn // the other end
}

// engine runs commands in bash, with sessions.
func engine(t testing.TB, store *artifact.Store) *toolcall.Local {
	cfg := config.Defaults()
	cfg.Shell.Path = "/bin/bash"
	cfg.Shell.Snapshot = "off"
	e := toolcall.NewLocal(run.New(cfg, []string{"PATH=" + os.Getenv("PATH")}, store), "/")
	t.Cleanup(e.Close)
	return e
}

func serve(t testing.TB, o Options) *client {
	t.Helper()
	ours, theirs := net.Pipe()
	c := &client{t: t, conn: ours, r: bufio.NewReader(ours), over: make(chan error, 1)}
	o.Version = "1"
	c.served = NewServer(o).newConn()
	go func() { c.over <- c.served.serve(context.Background(), theirs) }()
	t.Cleanup(func() {
		ours.Close()
		select {
		case <-c.over:
		case <-time.After(patience):
			t.Error("Serve does not end")
		}
	})
	return c
}

// open starts a conversation in one of the revisions with a handshake.
func open(t testing.TB, o Options, version string) *client {
	t.Helper()
	c := serve(t, o)
	c.write(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`)
	if line := c.line(); !strings.Contains(line, `"protocolVersion":"`+version+`"`) {
		t.Fatalf("initialize: %s", line)
	}
	c.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *client) write(line string) {
	c.t.Helper()
	_ = c.conn.SetWriteDeadline(time.Now().Add(patience))
	if _, err := c.conn.Write([]byte(line + "\n")); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) line() string {
	c.t.Helper()
	_ = c.conn.SetReadDeadline(time.Now().Add(patience))
	line, err := c.r.ReadString('\n')
	if err != nil {
		c.t.Fatalf("after %q: %v", line, err)
	}
	return line[:len(line)-1]
}

// reply returns the next line that is a reply, and checks it. Notifications are skipped.
func (c *client) reply() string {
	c.t.Helper()
	for {
		if line := c.line(); !strings.Contains(line, `"method":`) {
			checkResult(c.t, line)
			return line
		}
	}
}

// answer is a decoded reply.
type answer struct {
	ID     json.RawMessage
	Result struct {
		Content           []run.Content
		IsError           bool
		StructuredContent *run.Result
		NextCursor        string
		Contents          []struct{ URI, MimeType, Text string }
		Resources         []struct {
			URI, Name, Title, Description, MimeType string
			Size                                    int64
		}
	}
	Error *rpcError
}

func (c *client) answer() (a answer) {
	c.t.Helper()
	line := c.reply()
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		c.t.Fatalf("%s: %v", line, err)
	}
	return a
}

// quoted returns text as a JSON string.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// call is a tools/call of bash.
func call(id, command, more string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"bash","arguments":{"command":` + quoted(command) + more + `}}}`
}

// waiting is an engine whose commands run until they are cancelled.
type waiting struct{ toolcall.Engine }

func (waiting) Run(ctx context.Context, _ toolcall.Call) (r run.Result, err error) {
	<-ctx.Done()
	return r, nil
}
