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
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/rpc/rpctest"
	"pi/internal/run"
	"pi/internal/toolcall"
)

// patience bounds every wait of these tests.
const patience = 20 * time.Second

// socketpair returns two connected sockets.
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
	over chan error // receives the result of Serve
}

func serveOn(t testing.TB, e toolcall.Engine) *client {
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
	if hello := c.line(); !strings.HasPrefix(string(hello), `{"type":"hello","protocol":2,"build":"1","pid":`) {
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

// reply returns the next reply as it was written.
func (c *client) reply() string {
	c.t.Helper()
	for {
		if line := string(c.line()); strings.Contains(line, `"type":"response"`) {
			return line
		}
	}
}

// until reads to the first message for which fits returns true.
func (c *client) until(fits func(Message) bool) Message {
	c.t.Helper()
	for {
		if m := c.message(); fits(m) {
			return m
		}
	}
}

// records are the files of recorded exchanges.
func records(t testing.TB) (names []string) {
	t.Helper()
	names, err := filepath.Glob("testdata/exchanges/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no exchanges", err)
	}
	return names
}

// TestExchanges plays the records against a server in this process. Package cmd plays them against pi rpc, and package
// sessiond against a session daemon.
func TestExchanges(t *testing.T) {
	n := 0
	for _, file := range records(t) {
		list := rpctest.Load(t, file)
		n += len(list)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			store := artifact.Open(t.TempDir(), artifact.Options{})
			cfg := config.Defaults()
			cfg.Shell.Path, cfg.Shell.Snapshot = "/bin/bash", "off"
			l := toolcall.NewLocal(run.New(cfg, []string{"PATH=/usr/bin:/bin", "HOME=/"}, store), "/")
			defer l.Close()
			c := serveWith(t, NewServer(Options{Engine: l, Build: "1", Greet: true, DefaultSession: DefaultSession, Artifacts: store}))
			p := rpctest.Player{Dir: t.TempDir(), Check: checkMessage}
			_ = c.conn.SetReadDeadline(time.Time{})
			p.Start(c.r, c.conn)
			for _, x := range list {
				t.Run(x.Name, func(t *testing.T) { p.Play(t, x) })
			}
		})
	}
	if n < 100 {
		t.Errorf("%d exchanges are too few", n)
	}
}

// TestShutdown: the sessions are closed and the reply is sent before the server closes the connection.
func TestShutdown(t *testing.T) {
	e := newOneShots()
	c := serveOn(t, e)
	c.write(`{"id":1,"type":"bash","command":"exec sleep 1000"}` + "\n" + `{"id":"end","type":"shutdown"}` + "\n")
	if got := c.reply(); got != `{"id":"end","type":"response","command":"shutdown","success":true}` {
		t.Errorf("got %s", got)
	}
	if got := c.reply(); !strings.Contains(got, `"cancelled":true`) {
		t.Errorf("got %s", got)
	}
	if !e.closed {
		t.Error("shutdown left the sessions open")
	}
	select {
	case err := <-c.over:
		c.over <- err
	case <-time.After(patience):
		t.Error("the server is still there")
	}
}

// FuzzServe sends anything: every line gets one reply, a line of valid JSON, and the server goes on.
func FuzzServe(f *testing.F) {
	for _, file := range records(f) {
		for _, x := range rpctest.Load(f, file) {
			for _, step := range x.Steps {
				if step.Send != nil {
					f.Add(step.Send)
				}
			}
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

// refused returns an error reply.
func refused(id, command, message string) string {
	return `{"id":` + id + `,"type":"response","command":"` + command + `","success":false,"error":"` + message + `"}`
}
