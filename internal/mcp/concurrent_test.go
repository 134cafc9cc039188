//go:build unix

package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pi/internal/artifact"
	"pi/internal/jsonl"
)

// TestCancel: a request that its client cancels is terminated with its whole process tree and gets no reply.
func TestCancel(t *testing.T) {
	for _, v := range []struct{ name, notify, token string }{
		{"by number", `7`, ""},
		{"while progress is reported", `7`, `"p"`},
	} {
		t.Run(v.name, func(t *testing.T) {
			c := open(t, Options{Engine: engine(t, nil)}, "2025-11-25")
			dir := t.TempDir()
			command := fmt.Sprintf(`(setsid sh -c 'echo $$ > %[1]s/deep.new; mv %[1]s/deep.new %[1]s/deep; exec sleep 1000' &); while :; do echo more; sleep 0.01; done`, dir)
			meta := ""
			if v.token != "" {
				meta = `,"_meta":{"progressToken":` + v.token + `}`
			}
			c.write(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"bash","arguments":{"command":` + quoted(command) + `}` + meta + `}}`)
			if v.token != "" {
				c.line()
			}
			pid := waitFor(t, filepath.Join(dir, "deep"))
			c.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + v.notify + `,"reason":"enough"}}`)
			c.write(`{"jsonrpc":"2.0","id":"after","method":"ping"}`)
			for line := ""; line != `{"jsonrpc":"2.0","id":"after","result":{}}`; {
				if line = c.line(); strings.Contains(line, `"id":7`) {
					t.Fatalf("answered: %s", line)
				}
			}
			waitGone(t, pid)
			c.write(`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
			if got := c.line(); !strings.Contains(got, `"last"`) {
				t.Errorf("after the cancellation came %s", got)
			}
		})
	}
}

// TestCancelUnknown: cancellations of requests that are not in flight are ignored.
func TestCancelUnknown(t *testing.T) {
	c := open(t, Options{Engine: engine(t, nil)}, "2025-11-25")
	for _, params := range []string{`{"requestId":99}`, `{"requestId":null}`, `{"requestId":{}}`, `{}`, `[]`, `7`} {
		c.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`)
	}
	c.write(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	c.write(call(`99`, "echo fine", ""))
	if a := c.answer(); a.Result.Content[0].Text != "fine\n" {
		t.Errorf("%+v", a)
	}
}

func TestCancelInBatch(t *testing.T) {
	c := open(t, Options{Engine: engine(t, nil)}, "2025-03-26")
	c.write(`[` + call(`1`, "exec sleep 1000", "") + `,` + call(`2`, "echo two", "") + `,{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}]`)
	if got := c.line(); !strings.HasPrefix(got, `[{"jsonrpc":"2.0","id":2,`) || strings.Contains(got, `"id":1`) {
		t.Errorf("got %s", got)
	}
}

// TestProgress: progress grows, names its token, shows the newest line, and stops before the reply.
func TestProgress(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			c := open(t, Options{Engine: engine(t, nil)}, version)
			gate := filepath.Join(t.TempDir(), "gate")
			c.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash","arguments":{"command":` +
				quoted("echo one; echo two; while [ ! -e "+gate+" ]; do echo tick; sleep 0.02; done; echo end") + `},"_meta":{"progressToken":5}}}`)
			last, told := 0.0, 0
			for {
				line := c.line()
				if strings.Contains(line, `"id":1`) {
					break
				}
				var n struct {
					Method string
					Params struct {
						ProgressToken int
						Progress      float64
						Message       string
					}
				}
				if err := json.Unmarshal([]byte(line), &n); err != nil || n.Method != "notifications/progress" || n.Params.ProgressToken != 5 {
					t.Fatalf("%s: %v", line, err)
				}
				if n.Params.Progress <= last {
					t.Errorf("%v after %v", n.Params.Progress, last)
				}
				if spoke := strings.Contains(n.Params.Message, "line"); spoke != (version > "2025") {
					t.Errorf("message %q", n.Params.Message)
				}
				last, told = n.Params.Progress, told+1
				if told == 3 {
					if err := os.WriteFile(gate, nil, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			if told < 3 {
				t.Errorf("told %d times", told)
			}
		})
	}
}

// TestHeartbeat: a command that prints nothing is reported, too.
func TestHeartbeat(t *testing.T) {
	out := jsonl.NewOutbox()
	p := newProgress(out, json.RawMessage(`"x"`), "2025-11-25")
	defer p.stop()
	for want := 0.001; want < 0.01; want += 0.001 { // quicker than the clock: it still grows
		p.began = time.Now()
		p.tick()
		n := p.Take()[0].(notification).Params
		if n["message"] != "no output yet" || n["progress"].(float64) < want-1e-9 {
			t.Errorf("%v", n)
		}
	}
	p.stop()
	p.tick()
	if got := p.Take(); got != nil {
		t.Errorf("reported after the end: %v", got)
	}
	if newProgress(out, nil, "2025-11-25").beat != nil || newProgress(out, json.RawMessage(`{}`), "2025-11-25").beat != nil {
		t.Error("the timer runs although no progress is wanted")
	}
}

// TestManyAtOnce: requests overtake each other, and each gets its own reply.
func TestManyAtOnce(t *testing.T) {
	c := open(t, Options{Engine: engine(t, nil)}, "2025-11-25")
	gate := filepath.Join(t.TempDir(), "gate")
	const n = 8
	for i := range n {
		c.write(call(fmt.Sprint(i), fmt.Sprintf("while [ ! -e %s ]; do sleep 0.02; done; echo %d", gate, i), ""))
	}
	c.write(call(`"quick"`, "echo quick", ""))
	if a := c.answer(); string(a.ID) != `"quick"` {
		t.Fatalf("first came %s", a.ID)
	}
	c.write(call(`3`, "true", ""))
	if a := c.answer(); a.Error == nil || a.Error.Code != codeInvalidRequest || string(a.ID) != "3" {
		t.Fatalf("an id that is taken: %+v", a)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range n {
		a := c.answer()
		if a.Result.Content[0].Text != string(a.ID)+"\n" || seen[string(a.ID)] {
			t.Errorf("answer %+v", a)
		}
		seen[string(a.ID)] = true
	}
}

func TestTooManyAtOnce(t *testing.T) {
	c := open(t, Options{Engine: waiting{engine(t, nil)}}, "2025-11-25")
	for i := range maxRequests {
		c.write(call(fmt.Sprint(i), "x", ""))
	}
	c.write(call(`"over"`, "x", ""))
	if a := c.answer(); string(a.ID) != `"over"` || a.Error == nil || a.Error.Code != codeInternal {
		t.Errorf("%+v", a)
	}
	c.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	for end := time.Now().Add(patience); time.Now().Before(end); {
		c.write(`{"jsonrpc":"2.0","id":"p","method":"tools/list"}`)
		if c.answer().Error == nil {
			return
		}
	}
	t.Error("no room after a cancellation")
}

// TestUnreadOutput: a client that never reads prevents neither a timeout nor a cancellation, and cannot make the server
// hold more and more.
func TestUnreadOutput(t *testing.T) {
	for _, then := range []string{"timeout", "cancel", "close"} {
		t.Run(then, func(t *testing.T) {
			c := open(t, Options{Engine: engine(t, nil)}, "2025-11-25")
			dir := t.TempDir()
			more := ""
			if then == "timeout" {
				more = `,"timeout":1`
			}
			command := fmt.Sprintf(`echo $$ > %[1]s/pid.new; mv %[1]s/pid.new %[1]s/pid; exec yes`, dir)
			c.write(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"bash","arguments":{"command":` + quoted(command) + more + `},"_meta":{"progressToken":"x"}}}`)
			pid := waitFor(t, filepath.Join(dir, "pid"))
			switch then {
			case "cancel":
				for range 1000 {
					c.write(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)
				}
				c.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
			case "close":
				c.conn.Close()
			}
			waitGone(t, pid)
		})
	}
}

// TestUnreadReplies: beyond a bound requests are refused, but cancellations still work.
func TestUnreadReplies(t *testing.T) {
	store := artifact.Open(t.TempDir(), artifact.Options{})
	uri := "artifact://" + keep(t, store, "x", strings.Repeat("0123456789abcde\n", maxResource/16))
	c := open(t, Options{Engine: engine(t, store), Store: store}, "2025-11-25")
	dir := t.TempDir()
	c.write(call(`"it"`, fmt.Sprintf(`echo $$ > %[1]s/pid.new; mv %[1]s/pid.new %[1]s/pid; exec sleep 1000`, dir), ""))
	pid := waitFor(t, filepath.Join(dir, "pid"))
	const n = maxReplies/maxResource + 10
	for i := range n {
		c.write(read(fmt.Sprint(i), uri))
		c.settle(1)
	}
	c.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"it"}}`)
	waitGone(t, pid)
	refused := 0
	for range n {
		if strings.Contains(c.line(), "replies were not read yet") {
			refused++
		}
	}
	if refused == 0 {
		t.Errorf("all of %d were answered", n)
	}
}

// settle waits until at most n requests are in flight.
func (c *client) settle(n int) {
	c.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		c.served.mu.Lock()
		under := len(c.served.requests)
		c.served.mu.Unlock()
		if under <= n {
			return
		}
	}
	c.t.Fatal("requests do not end")
}

func waitFor(t *testing.T, file string) string {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if b, err := os.ReadFile(file); err == nil {
			return strings.TrimSpace(string(b))
		}
	}
	t.Fatalf("no %s", file)
	return ""
}

// waitGone waits until a process has ended.
func waitGone(t *testing.T, pid string) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	t.Fatalf("process %s is still there", pid)
}
