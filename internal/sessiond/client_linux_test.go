package sessiond

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pi/internal/run"
)

func TestStateStays(t *testing.T) {
	h := newHome(t)
	first := h.run(`cd /usr/bin; x=5; export Y=6; f() { echo "f $x $Y $1"; }; shopt -s extglob; set -f`)
	if s := first.Details.Session; s == nil || !s.Fresh || s.Name != "x" || s.Cwd != "/usr/bin" || first.Details.Cwd != "/" {
		t.Errorf("details %+v, session %+v", first.Details, s)
	}
	r := h.run(`f arg; pwd; shopt extglob; echo $- *`)
	if got := text(r); !strings.HasPrefix(got, "f 5 6 arg\n/usr/bin\nextglob        \ton\n") || !strings.HasSuffix(got, " *\n") {
		t.Errorf("got %q", got)
	}
	if s := r.Details.Session; s.Fresh || s.Dropped || r.Details.Cwd != "/usr/bin" || len(r.Details.Warnings) > 0 {
		t.Errorf("details %+v, session %+v", r.Details, s)
	}
}

func TestDirectoryOfOneCall(t *testing.T) {
	h := newHome(t)
	h.run(`cd /usr`)
	c := h.call(`pwd`)
	c.Request.Cwd = "bin" // relative to the session's
	if r := h.Run(context.Background(), c); text(r) != "/usr/bin\n" || r.Details.Cwd != "/usr/bin" || r.Details.Session.Cwd != "/usr" {
		t.Errorf("%+v", r)
	}
	if got := text(h.run(`pwd`)); got != "/usr\n" {
		t.Errorf("afterwards in %s", got)
	}
	c.Request.Cwd = "nowhere"
	if r := h.Run(context.Background(), c); r.Details.Status != run.Error || !strings.Contains(text(r), "Working directory does not exist: /usr/nowhere") {
		t.Errorf("%+v", r)
	}
}

func TestSettingsOfOneCall(t *testing.T) {
	h := newHome(t)
	c := h.call(`echo $A; seq 1 9`)
	c.Request.Env, c.Request.Head, c.Request.Tail = []string{"A=a=b"}, 4, 2
	if r := h.Run(context.Background(), c); !strings.HasPrefix(text(r), "2\n3\n\n[Showing lines 3-4 of 10") {
		t.Errorf("%q", text(r))
	}
	if got := text(h.run(`echo "[$A]"`)); got != "[]\n" {
		t.Errorf("the variable stays: %q", got)
	}
	c = h.call(`cat /etc/passwd`)
	c.Config.BashInterceptor.Enabled = true
	if r := h.Run(context.Background(), c); r.Details.Status != run.Blocked {
		t.Errorf("%+v", r)
	}
	c.Request.NoIntercept = true
	if r := h.Run(context.Background(), c); r.Details.Status != run.OK {
		t.Errorf("%+v", r)
	}
	c = h.call(`echo $0`)
	c.Config.Shell.Path = "/bin/sh"
	r := h.Run(context.Background(), c)
	if text(r) != "bash\n" || len(r.Details.Warnings) != 1 || !strings.Contains(r.Details.Warnings[0], "keeps the shell settings of its first call") {
		t.Errorf("%q %q", text(r), r.Details.Warnings)
	}
}

// TestLimitsAsInTheShell: an extracted head or tail shows the bytes that the shell would, has the producer's exit status,
// and leaves the session's directory alone.
func TestLimitsAsInTheShell(t *testing.T) {
	h := newHome(t)
	for _, c := range []struct {
		name, command, want string
		status              int
	}{
		{"tail", `seq 1 5 | tail -n 2`, "4\n5\n", 0},
		{"head", `seq 1 5 | head -n 2`, "1\n2\n", 0},
		{"an endless producer", `yes | head -3`, "y\ny\ny\n", 0},
		{"the producer's status", `{ echo a; exit 3; } | tail -1`, "a\n", 3},
		{"standard error passes by", `{ echo a; echo b; echo oops >&2; } | tail -1`, "oops\nb\n", 0},
		{"a subshell", `(echo a; echo b) | tail -1`, "b\n", 0},
		{"a directory", `{ cd /usr; pwd; } | tail -1`, "/usr\n", 0},
		{"that the shell did not enter", `pwd`, "/\n", 0},
		{"a comment", "echo a # b | c\npwd", "a\n/\n", 0},
		{"a variable", `for v in 1 2 3; do echo $v; done | head -1`, "1\n", 0},
		{"that the shell did not get", `echo "[$v]"`, "[]\n", 0},
		{"noclobber", `set -C; true`, "", 0},
		{"does not matter", `seq 1 5 | tail -1; true`, "5\n", 0},
		{"in either way", `seq 1 5 | tail -1`, "5\n", 0},
		{"errexit", `set -e`, "", 0},
		{"leaves the work to the shell", `{ echo a; false; echo b; } | tail -1`, "a\n", 0},
		{"which is still there", `echo $-`, "ehBCc\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.Run(context.Background(), h.call(c.command))
			if r.Body != c.want || r.Details.ExitCode == nil || *r.Details.ExitCode != c.status || r.Details.Session.Dropped {
				t.Errorf("got %q, want %q; %+v", r.Body, c.want, r.Details)
			}
		})
	}
}

func TestStreaming(t *testing.T) {
	h := newHome(t)
	var got strings.Builder
	var started run.Details
	c := h.call(`seq 1 200000; printf end`)
	c.Request.Live = run.Live{
		Start:   func(d run.Details) { started = d },
		Text:    func(p []byte) { got.Write(p) },
		Partial: func([]byte) {},
	}
	r := h.Run(context.Background(), c)
	if got.Len() != 1288895+3 || !strings.HasSuffix(got.String(), "\n200000\nend") || started.Cwd != "/" || started.TimeoutSeconds != 60 {
		t.Errorf("%d bytes, start %+v, %v", got.Len(), started, r.Details.Warnings)
	}
}

// TestLargeCommand: a command may be longer than a program's argument.
func TestLargeCommand(t *testing.T) {
	h := newHome(t)
	long := strings.Repeat("x", 2<<20)
	if got := text(h.run("x='" + long + "'; echo ${#x}")); got != "2097152\n" {
		t.Errorf("got %q", got)
	}
}

// TestInvalidUTF8: command, directory and variables reach the session unchanged.
func TestInvalidUTF8(t *testing.T) {
	h := newHome(t)
	dir := filepath.Join(t.TempDir(), "d\xff")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c := h.call("printf 'f\xfe%s' \"$A\" | od -An -tx1; pwd | tail -c 3 | od -An -tx1")
	c.SessionCwd, c.Request.Env = dir, []string{"A=\xfd"}
	if r := h.Run(t.Context(), c); text(r) != " 66 fe fd\n 64 ff 0a\n" {
		t.Errorf("%q %+v", text(r), r.Details)
	}
	c = h.call("pwd | tail -c 3 | od -An -tx1")
	c.Request.Cwd = "../d\xff"
	if r := h.Run(t.Context(), c); text(r) != " 64 ff 0a\n" {
		t.Errorf("%q %+v", text(r), r.Details)
	}
}
