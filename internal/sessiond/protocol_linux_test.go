package sessiond

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pi/internal/rpc"
	"pi/internal/toolcall"
)

// TestLateOutput: the daemon keeps reading the output of background jobs into the artifact of their run.
func TestLateOutput(t *testing.T) {
	h := newHome(t)
	gate := filepath.Join(t.TempDir(), "gate")
	r := h.run("(while [ ! -e " + gate + " ]; do sleep 0.02; done; echo late; echo later >&2) & echo now")
	if text(r) != "now\n" || len(r.Details.Warnings) != 1 || !strings.Contains(r.Details.Warnings[0], "output continues in artifact://1") || len(r.Details.BackgroundJobs) == 0 {
		t.Errorf("%+v", r)
	}
	if got := text(h.run("echo other")); got != "other\n" {
		t.Errorf("got %q", got)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the late output is kept", func() bool {
		b, _ := os.ReadFile(filepath.Join(h.artifacts, "1.bash.log"))
		return string(b) == "now\nlate\nlater\n"
	})
}

// TestUnknownRequests: a daemon refuses unknown requests and calls for other sessions.
func TestUnknownRequests(t *testing.T) {
	h := newHome(t)
	h.run("true")
	p, err := h.openDir(false)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for _, c := range []struct {
		q    rpc.Request
		want string
	}{
		{rpc.Request{Type: "fly"}, "unknown request type"},
		{rpc.Request{Type: rpc.TypeToolCall, Tool: "bash", Args: &rpc.Args{Args: toolcall.Args{Command: "true", Session: "y"}}}, "this is the host of session x"},
		{rpc.Request{Type: rpc.TypeToolCall, Tool: "bash", Args: &rpc.Args{Args: toolcall.Args{Command: "true", Session: "x"}}}, "settings are missing"},
	} {
		conn, _, err := p.dial("x")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ask(conn, c.q); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.q, err)
		}
		conn.Close()
	}
}
