package run

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pi/internal/artifact"
	"pi/internal/config"
)

// patience bounds every wait of these tests.
const patience = 30 * time.Second

func sessionRunner(t *testing.T, change func(*config.Config)) *Runner {
	t.Helper()
	cfg := config.Defaults()
	cfg.Shell.Path, cfg.Shell.Snapshot = "/bin/bash", "off"
	if change != nil {
		change(&cfg)
	}
	return New(cfg, []string{"PATH=/usr/bin:/bin"}, artifact.Open(t.TempDir(), artifact.Options{}))
}

func newSessions(t *testing.T) *Sessions {
	s := NewSessions()
	t.Cleanup(s.Close)
	return s
}

func waitForFile(t *testing.T, name string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		if _, err := os.Stat(name); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no %s", name)
		}
	}
}

// hold keeps session s busy until release is called, which gives the result of the command that did.
func hold(t *testing.T, s *Sessions, r *Runner) (release func() Result) {
	t.Helper()
	dir := t.TempDir()
	done := make(chan Result)
	go func() {
		done <- s.Run(context.Background(), r, In{Name: "s"}, Request{Command: "touch " + dir + "/on; while [ ! -e " + dir + "/gate ]; do sleep 0.02; done"})
	}()
	waitForFile(t, filepath.Join(dir, "on"))
	return func() Result {
		if err := os.WriteFile(filepath.Join(dir, "gate"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return <-done
	}
}

func TestSessionsByKey(t *testing.T) {
	s := newSessions(t)
	ctx := context.Background()
	a := sessionRunner(t, nil)
	set := func(r *Runner, name, x string) {
		if res := s.Run(ctx, r, In{Name: name}, Request{Command: "x=" + x}); res.Details.Status != OK {
			t.Fatalf("%+v", res)
		}
	}
	others := map[string]*Runner{
		"prefix":      sessionRunner(t, func(c *config.Config) { c.Shell.Prefix = "command" }),
		"shell":       sessionRunner(t, func(c *config.Config) { c.Shell.Path = "/bin/sh" }),
		"environment": sessionRunner(t, func(c *config.Config) { c.Shell.Env = map[string]string{"A": "1"} }),
		"attended":    sessionRunner(t, func(c *config.Config) { c.Bash.Unattended = false }),
	}
	set(a, "s", "a")
	set(a, "t", "t")
	for why, r := range others {
		if res := s.Run(ctx, r, In{Name: "s"}, Request{Command: `echo "[$x]"`}); res.Body != "[]\n" {
			t.Errorf("another %s, the same shell: %+v", why, res)
		}
	}
	same := sessionRunner(t, func(c *config.Config) { c.Bash.MaxBytes = 1024; c.Output.CarriageReturn = "strip" })
	for name, want := range map[string]string{"s": "a\n", "t": "t\n"} {
		if res := s.Run(ctx, same, In{Name: name}, Request{Command: `echo $x`}); res.Body != want {
			t.Errorf("%s: %+v", name, res)
		}
	}
	if n := len(s.List()); n != 2+len(others) {
		t.Errorf("%d sessions", n)
	}
	if !s.CloseSession("s") || s.CloseSession("s") || len(s.List()) != 1 {
		t.Errorf("sessions %+v", s.List())
	}
	if res := s.Run(ctx, a, In{Name: "s"}, Request{Command: `echo "[$x]"`}); res.Body != "[]\n" || !res.Details.Session.Fresh {
		t.Errorf("%+v", res)
	}
}

// TestBusySession: a tool call need not wait; what it does beside the session stays apart.
func TestBusySession(t *testing.T) {
	s, r := newSessions(t), sessionRunner(t, nil)
	ctx := context.Background()
	if res := s.Run(ctx, r, In{Name: "s"}, Request{Command: "x=1; export Y=2; cd /usr"}); res.Details.Status != OK {
		t.Fatalf("%+v", res)
	}
	release := hold(t, s, r)
	res := s.Run(ctx, r, In{Name: "s", Busy: BusyOneShot}, Request{Command: `x=3; cd bin; pwd`})
	if res.Body != "/usr/bin\n" || len(res.Details.Warnings) != 1 || !strings.Contains(res.Details.Warnings[0], "session s is busy") || res.Details.Session != nil {
		t.Errorf("%+v", res)
	}
	if res := s.Run(ctx, r, In{Name: "s", Busy: BusyRefuse}, Request{Command: `true`}); res.Details.Status != Error {
		t.Errorf("%+v", res)
	}
	next := make(chan Result)
	go func() { next <- s.Run(ctx, r, In{Name: "s", Busy: BusyWait}, Request{Command: `echo $x $Y; pwd`}) }()
	if res := release(); res.Details.Status != OK {
		t.Errorf("%+v", res)
	}
	if res := <-next; res.Body != "1 2\n/usr\n" || len(res.Details.Warnings) > 0 {
		t.Errorf("%+v", res)
	}
}

func TestCloseWhileBusy(t *testing.T) {
	s, r := NewSessions(), sessionRunner(t, nil)
	release := hold(t, s, r)
	waiting := make(chan Result)
	go func() {
		waiting <- s.Run(context.Background(), r, In{Name: "s", Busy: BusyWait}, Request{Command: `true`})
	}()
	s.Close()
	if res := release(); res.Details.Status != Cancelled {
		t.Errorf("%+v", res)
	}
	if res := <-waiting; res.Details.Status != Error {
		t.Errorf("%+v", res)
	}
	if res := s.Run(context.Background(), r, In{Name: "new"}, Request{Command: `true`}); res.Details.Status != Error {
		t.Errorf("%+v", res)
	}
}

func TestSessionRequests(t *testing.T) {
	s, r := newSessions(t), sessionRunner(t, nil)
	for _, c := range []struct {
		name, want string
		q          Request
		in         In
	}{
		{"no command", "Command is empty", Request{Command: " "}, In{Name: "s"}},
		{"standard input", "commands of a session have no standard input", Request{Command: "cat", Stdin: os.Stdin}, In{Name: "s"}},
		{"no directory", "Working directory does not exist: /nowhere", Request{Command: "pwd", Cwd: "/nowhere"}, In{Name: "s"}},
		{"no beginning", "Working directory does not exist: /nowhere", Request{Command: "pwd"}, In{Name: "new", Dir: "/nowhere"}},
		{"a variable", `environment variable "A B"`, Request{Command: "pwd", Env: []string{"A B=1"}}, In{Name: "s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := s.Run(context.Background(), r, c.in, c.q)
			if res.Details.Status != Error || !strings.HasPrefix(strings.ToLower(res.Content[0].Text), strings.ToLower(c.want)) {
				t.Errorf("%+v", res)
			}
		})
	}
}

// TestJobsAreNamed: also those that hold no output, and without a session, too.
func TestJobsAreNamed(t *testing.T) {
	s, r := newSessions(t), sessionRunner(t, nil)
	ctx := context.Background()
	const command = "sleep 1000 >/dev/null 2>&1 & echo $!; until grep -q sleep /proc/$!/cmdline; do :; done"
	inside := s.Run(ctx, r, In{Name: "s"}, Request{Command: command})
	alone := r.Run(ctx, Request{Command: command})
	for _, res := range []Result{inside, alone} {
		jobs := res.Details.BackgroundJobs
		if len(jobs) != 1 || jobs[0].Command != "sleep 1000" || strings.TrimSpace(res.Body) != strconv.Itoa(jobs[0].PID) || len(res.Details.Warnings) > 0 {
			t.Errorf("%+v", res)
		}
	}
	if p, err := os.FindProcess(alone.Details.BackgroundJobs[0].PID); err == nil {
		_ = p.Kill()
	}
}

// TestLateOutputEnds: closing the sessions ends the reading for jobs that hold an output.
func TestLateOutputEnds(t *testing.T) {
	s, r := NewSessions(), sessionRunner(t, nil)
	res := s.Run(context.Background(), r, In{Name: "s"}, Request{Command: "(trap '' TERM; while :; do echo more; sleep 0.05; done) & echo now"})
	if !strings.HasPrefix(res.Body, "now\n") && !strings.HasPrefix(res.Body, "more\n") || len(res.Details.Warnings) != 1 {
		t.Errorf("%+v", res)
	}
	s.Close() // and goleak looks for the reader
}

func BenchmarkSession(b *testing.B) {
	cfg := config.Defaults()
	cfg.Shell.Path, cfg.Shell.Snapshot = "/bin/bash", "off"
	r, s := New(cfg, []string{"PATH=/usr/bin:/bin"}, nil), NewSessions()
	defer s.Close()
	b.ReportAllocs()
	for b.Loop() {
		if res := s.Run(context.Background(), r, In{Name: "s"}, Request{Command: "true"}); res.Details.Status != OK {
			b.Fatalf("%+v", res)
		}
	}
}

// TestHoldersAreNamed: a warning about the output names who holds it, and not the jobs of earlier commands.
func TestHoldersAreNamed(t *testing.T) {
	s, r := NewSessions(), New(config.Defaults(), os.Environ(), artifact.Open(t.TempDir(), artifact.Options{}))
	t.Cleanup(s.Close)
	for _, c := range []struct{ command, holds, not string }{
		{"sleep 9141 &", "sleep 9141", "sleep 9142"},
		{"sleep 9142 &", "sleep 9142", "sleep 9141"},
	} {
		res := s.Run(t.Context(), r, In{Name: "x"}, Request{Command: c.command})
		text := strings.Join(res.Details.Warnings, "\n")
		if !strings.Contains(text, c.holds) || strings.Contains(text, c.not) {
			t.Errorf("%s: %q", c.command, text)
		}
	}
}
