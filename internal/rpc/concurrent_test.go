//go:build unix

package rpc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"pi/internal/toolcall"
	"strings"
	"testing"
	"time"
)

// TestAbort: an abort is answered while the command runs, and the command's process tree is terminated.
func TestAbort(t *testing.T) {
	for _, c := range []struct {
		name, first, abort string
		n                  int
	}{
		{"by id", ``, `{"id":"x","type":"abort_bash","target":"run"}`, 1},
		{"by id with an escape", ``, `{"id":"x","type":"abort_bash","target":"\u0072un"}`, 1},
		{"by session", ``, `{"id":"x","type":"abort_bash","session":"s"}`, 1},
		{"all", ``, `{"id":"x","type":"abort_bash"}`, 2},
		{"with force", `trap '' TERM; `, `{"id":"x","type":"abort_bash","force":true}`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serveOn(t, newOneShots())
			s.write(`{"id":"run","type":"bash","events":["update"],"command":"` + c.first + `echo there; sleep 100 & wait"}` + "\n" +
				`{"type":"bash","events":["update"],"session":"s","command":"echo there; exec sleep 100"}` + "\n")
			updates := map[string]bool{}
			for len(updates) < 2 {
				m := s.message()
				if m.Type == eventUpdate && m.Text == "there\n" {
					updates[string(m.ID)] = true
				}
			}
			s.write(c.abort + "\n")
			if got, want := s.reply(), fmt.Sprintf(`"data":{"aborted":%d}}`, c.n); !strings.HasSuffix(got, want) {
				t.Fatalf("the first reply is %s, want …%s", got, want)
			}
			if c.n == 1 {
				s.write(`{"id":"y","type":"abort_bash"}` + "\n")
			}
			ended := 0
			for ended < 2 {
				if r := s.reply(); strings.Contains(r, `"command":"bash"`) {
					if !strings.Contains(r, `"output":"there\n","exitCode":null,"cancelled":true`) {
						t.Errorf("reply %s", r)
					}
					ended++
				}
			}
		})
	}
}

// TestTakenID: an id may be used again after its reply, not before.
func TestTakenID(t *testing.T) {
	s := serveOn(t, newOneShots())
	s.write(`{"id":"1","type":"bash","command":"exec sleep 100"}` + "\n" + `{"id":"1","type":"sessions"}` + "\n")
	if got, want := s.reply(), refused(`"1"`, `sessions`, `id \"1\" is taken by a request that is still under way`); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.write(`{"type":"abort_bash","target":"1"}` + "\n")
	s.until(func(m Message) bool { return m.IsReply() && m.Command == "bash" })
	s.write(`{"id":"1","type":"sessions"}` + "\n")
	if got := s.reply(); !strings.Contains(got, `"success":true`) {
		t.Errorf("got %s", got)
	}
}

// TestManyAtOnce: requests overtake each other, and each gets its own reply.
func TestManyAtOnce(t *testing.T) {
	s := serveOn(t, newOneShots())
	dir := t.TempDir()
	gate := filepath.Join(dir, "gate")
	const n = 8
	for i := range n {
		s.write(fmt.Sprintf(`{"id":%d,"type":"bash","events":[],"command":"while [ ! -e %s ]; do sleep 0.02; done; echo %d"}`+"\n", i, gate, i))
	}
	s.write(`{"id":"quick","type":"bash","events":[],"command":"echo quick"}` + "\n")
	if m := s.message(); string(m.ID) != `"quick"` {
		t.Fatalf("first came %+v", m)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range n {
		m := s.message()
		if want := fmt.Sprintf(`{"output":"%s\n"`, m.ID); !strings.HasPrefix(string(m.Data), want) || seen[string(m.ID)] {
			t.Errorf("message %+v", m)
		}
		seen[string(m.ID)] = true
	}
}

func TestTooManyAtOnce(t *testing.T) {
	e := &waiting{oneShots: newOneShots()}
	s := serveOn(t, e)
	for i := range maxRuns {
		s.write(fmt.Sprintf(`{"id":%d,"type":"bash","command":"x"}`+"\n", i))
	}
	s.write(`{"id":"over","type":"bash","command":"x"}` + "\n")
	if got := s.reply(); !strings.Contains(got, `"over"`) || !strings.Contains(got, "256 requests are under way already") {
		t.Errorf("got %s", got)
	}
	s.write(`{"id":"list","type":"sessions"}` + "\n")
	if got := s.reply(); !strings.Contains(got, `"list"`) || !strings.Contains(got, `"success":true`) {
		t.Errorf("got %s", got)
	}
}

// TestEvents: start comes first, then updates, and the reply last.
func TestEvents(t *testing.T) {
	s := serveOn(t, newOneShots())
	s.write(`{"id":1,"type":"tool_call","tool":"bash","args":{"command":"for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 0.01; done"}}` + "\n")
	m := s.message()
	if m.Type != eventStart || m.Cwd == "" || m.TimeoutSeconds != 300 || !strings.HasPrefix(m.Command, "for i") {
		t.Errorf("first message %+v", m)
	}
	last, updates := Message{}, 0
	for m = s.message(); !m.IsReply(); m = s.message() {
		if m.Type != eventUpdate || string(m.ID) != "1" || m.TotalBytes < last.TotalBytes {
			t.Errorf("message %+v", m)
		}
		last = m
		updates++
	}
	if last.Text != "1\n2\n3\n4\n5\n6\n7\n8\n9\n" || last.TotalLines != 9 || updates > 9 {
		t.Errorf("%d updates, the last is %+v", updates, last)
	}
}

// TestTextIsComplete: text events add up to the whole output, however large, and the unfinished line is shown.
func TestTextIsComplete(t *testing.T) {
	s := serveOn(t, newOneShots())
	gate := filepath.Join(t.TempDir(), "gate")
	s.write(`{"id":1,"type":"tool_call","tool":"bash","args":{"events":["text","partial"],` +
		`"command":"seq 1 300000; printf end; while [ ! -e ` + gate + ` ]; do sleep 0.02; done"}}` + "\n")
	var text strings.Builder
	partial := false
	m := s.message()
	for ; !m.IsReply(); m = s.message() {
		switch m.Type {
		case eventText:
			text.WriteString(m.Text)
		case eventPartial:
			if m.Text == "end" {
				partial = true
				if err := os.WriteFile(gate, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		default:
			t.Fatalf("event %+v", m)
		}
	}
	if text.Len() != 1988895+3 || !strings.HasSuffix(text.String(), "\n300000\nend") || !partial {
		t.Errorf("%d bytes, unfinished line seen: %v", text.Len(), partial)
	}
}

// TestUnreadOutput: a client that never reads prevents neither a timeout nor an abort.
func TestUnreadOutput(t *testing.T) {
	for _, c := range []struct{ name, args, then string }{
		{"timeout, updates", `"timeout":1,`, ""},
		{"timeout, text", `"timeout":1,"events":["text","partial"],`, ""},
		{"abort, updates", ``, `{"type":"abort_bash"}`},
		{"abort, text", `"events":["text"],`, `{"type":"abort_bash"}`},
		{"end of the stream", `"events":["text"],`, "close"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serveOn(t, newOneShots())
			dir := t.TempDir()
			s.write(`{"id":1,"type":"tool_call","tool":"bash","args":{` + c.args + `"command":"echo $$ > ` + dir + `/pid.new; mv ` + dir + `/pid.new ` + dir + `/pid; exec yes 0123456789012345678901234567890123456789"}}` + "\n")
			pid := waitFor(t, filepath.Join(dir, "pid"))
			switch c.then {
			case "":
			case "close":
				s.conn.Close()
			default:
				s.write(c.then + "\n")
			}
			waitGone(t, pid)
		})
	}
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

func waitGone(t *testing.T, pid string) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat("/proc/" + pid); err != nil {
			return
		}
	}
	t.Fatalf("process %s is still there", pid)
}

// waiting is an engine whose commands run until they are cancelled.
type waiting struct{ *oneShots }

func (*waiting) Run(ctx context.Context, _ toolcall.Call) (r runResult, err error) {
	<-ctx.Done()
	return r, nil
}
