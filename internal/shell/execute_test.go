//go:build unix

package shell

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// recorder collects what a run prints, by stream.
type recorder struct {
	mu   sync.Mutex
	out  [2]bytes.Buffer
	stop int // give false once so many bytes came on Stdout; 0: never
}

func (r *recorder) take(s Stream, p []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out[s].Write(p)
	return r.stop == 0 || s != Stdout || r.out[Stdout].Len() < r.stop
}

func (r *recorder) text(s Stream) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out[s].String()
}

// waitFor blocks until the output contains want.
func (r *recorder) waitFor(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if strings.Contains(r.text(Stdout), want) {
			return
		}
	}
	t.Errorf("output %q never contained %q", r.text(Stdout), want)
}

// spec is a command with everything that a test does not care about filled in.
func spec(t *testing.T, command string, r *recorder) Spec {
	t.Helper()
	sh, err := Choose("bash", os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	// Where nobody logged in, bash makes up a SHELL that other shells do not have, and prints as of the C locale.
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "SHELL=") || strings.HasPrefix(kv, "LC_ALL=")
	})
	env = append(env, "SHELL="+sh.Path, "LC_ALL=C.UTF-8")
	return Spec{Shell: sh, Command: command, Dir: t.TempDir(), Env: env, Timeout: time.Minute, Output: r.take}
}

func execute(t *testing.T, s Spec) End {
	t.Helper()
	end, err := Execute(context.Background(), s)
	if err != nil {
		t.Fatalf("Execute(%q): %v", s.Command, err)
	}
	for _, f := range end.Held {
		f.Close()
	}
	return end
}

func TestExecuteEnds(t *testing.T) {
	for _, tt := range []struct {
		name, command, out string
		code               int
		signal             syscall.Signal
	}{
		{"zero", "echo a; echo b >&2", "a\nb\n", 0, 0},
		{"status", "exit 42", "", 42, 0},
		{"own signal", "echo x; kill -KILL $$", "x\n", -1, syscall.SIGKILL},
		{"syntax error", "if then", "bash: -c: line 1: syntax error near unexpected token `then'\nbash: -c: line 1: `if then'\n", 2, 0},
		{"message has the bare name", "nope_zz", "bash: line 1: nope_zz: command not found\n", 127, 0},
		{"outputs closed long before the end", "echo x; exec >&- 2>&-; sleep 0.3; exit 9", "x\n", 9, 0},
		{"no history expansion, batch", `echo "a!!"; case $- in *i*) echo no;; esac`, "a!!\n", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			end := execute(t, spec(t, tt.command, &r))
			if got := r.text(Stdout); got != tt.out {
				t.Errorf("output %q, want %q", got, tt.out)
			}
			if end.Signal != tt.signal || tt.signal == 0 && end.ExitCode != tt.code {
				t.Errorf("end %+v, want code %d, signal %d", end, tt.code, tt.signal)
			}
		})
	}
}

func TestExecuteInput(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, []byte("given\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	long := "x='" + strings.Repeat("abcdefghij", 20_000) + "'; echo ${#x}; cat; echo \"$0 $#\"; false; echo \"$?\"; exit 3"
	for _, tt := range []struct {
		name, command, shell string
		given                bool
		out                  string
		code                 int
	}{
		{"null by default", "cat; read x; echo \"$? [$x]\"; readlink /proc/self/fd/0", "bash", false, "1 []\n/dev/null\n", 0},
		{"given", "cat", "bash", true, "given\n", 0},
		{"long command", long, "bash", false, "200000\nbash 0\n1\n", 3},
		{"long command with input", long, "bash", true, "200000\ngiven\nbash 0\n1\n", 3},
		{"long command in sh", long, "sh", true, "200000\ngiven\nsh 0\n1\n", 3},
		{"long command, nothing else open", long[:200_000] + "'; ls /proc/self/fd | tr '\\n' ' '", "bash", false, "0 1 2 3 ", 0},
		{"longest argument", "x='" + strings.Repeat("a", maxArg-15) + "'; echo ${#x}", "bash", false, "131056\n", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			s := spec(t, tt.command, &r)
			var err error
			if s.Shell, err = Choose(tt.shell, os.Environ()); err != nil {
				t.Fatal(err)
			}
			if tt.given {
				if s.Stdin, err = os.Open(in); err != nil {
					t.Fatal(err)
				}
				defer s.Stdin.Close()
			}
			if end := execute(t, s); r.text(Stdout) != tt.out || end.ExitCode != tt.code {
				t.Errorf("output %.200q, code %d; want %q, %d", r.text(Stdout), end.ExitCode, tt.out, tt.code)
			}
		})
	}
}

func TestExecuteVeryLongCommand(t *testing.T) {
	var b strings.Builder
	for i := range 400_000 {
		fmt.Fprintf(&b, ": line %d\n", i)
	}
	b.WriteString("echo end $LINENO")
	var r recorder
	if execute(t, spec(t, b.String(), &r)); r.text(Stdout) != "end 400001\n" {
		t.Errorf("output %.200q", r.text(Stdout))
	}
}

func TestExecuteSplit(t *testing.T) {
	var r recorder
	s := spec(t, "echo out; echo err >&2; echo both 2>&1", &r)
	s.Split = true
	execute(t, s)
	if r.text(Stdout) != "out\nboth\n" || r.text(Stderr) != "err\n" {
		t.Errorf("stdout %q, stderr %q", r.text(Stdout), r.text(Stderr))
	}
}

// A reader that has seen enough ends its producer as head(1) does: by SIGPIPE at the next write.
func TestExecuteEnough(t *testing.T) {
	r := recorder{stop: 1}
	s := spec(t, "yes", &r)
	s.Split = true
	if end := execute(t, s); end.Signal != syscall.SIGPIPE {
		t.Errorf("end %+v, want SIGPIPE", end)
	}
}

func TestExecuteDoesNotWaitForBackgroundJobs(t *testing.T) {
	for _, tt := range []struct{ name, command, out string }{
		{"silent holder", "sleep 60 & echo done", "done\n"},
		{"in a session of its own", "setsid sleep 60 & echo done", "done\n"},
		{"process substitution", "exec > >(cat; sleep 60); echo done", "done\n"},
		{"chatty holder", "(while :; do echo tick; sleep 0.1; done) & echo done", "done\n"},
		{"foreground complete", "seq 1 200000; sleep 60 &", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			end, err := Execute(context.Background(), spec(t, tt.command, &r))
			if err != nil {
				t.Fatal(err)
			}
			if len(end.Held) != 1 || len(end.Background) == 0 {
				t.Errorf("held %v, background %v: want the pipe and the job", end.Held, end.Background)
			}
			for _, f := range end.Held {
				f.Close()
			}
			for _, p := range end.Background {
				_ = syscall.Kill(p.PID, syscall.SIGKILL)
			}
			got := r.text(Stdout)
			if tt.out == "" && !strings.HasSuffix(got, "\n199999\n200000\n") || !strings.Contains(got, tt.out) {
				t.Errorf("output ends in %q", got[max(0, len(got)-40):])
			}
		})
	}
}

// The caller owns a held pipe and what comes through it after the result.
func TestExecuteHeldPipeGoesOn(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	var r recorder
	s := spec(t, "(while [ ! -e '"+gate+"' ]; do sleep 0.02; done; echo late) & echo now", &r)
	end, err := Execute(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if r.text(Stdout) != "now\n" || end.Held[Stdout] == nil {
		t.Fatalf("output %q, held %v", r.text(Stdout), end.Held)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var rest bytes.Buffer
	if _, err := rest.ReadFrom(end.Held[Stdout]); err != nil || rest.String() != "late\n" {
		t.Errorf("later output %q, %v", rest.String(), err)
	}
	end.Held[Stdout].Close()
}

func TestExecuteTimeout(t *testing.T) {
	for _, tt := range []struct{ name, command, out string }{
		{"sleep", "echo before; echo warn >&2; sleep 100", "before\nwarn\n"},
		{"busy loop", "echo spin; while :; do :; done", "spin\n"},
		{"cleanup trap", "trap 'echo cleaned; exit 0' TERM; echo up; sleep 100 & wait", "up\ncleaned\n"},
		{"deaf", "trap '' TERM INT HUP; echo deaf; sleep 100", "deaf\n"},
		{"chatty in another session", "setsid sh -c 'while :; do sleep 0.05; echo x; done' & echo a; sleep 100", "a\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			s := spec(t, tt.command, &r)
			s.Timeout = 700 * time.Millisecond
			end := execute(t, s)
			if !end.TimedOut || end.Survivors != 0 || len(end.Held) != 0 {
				t.Errorf("end %+v, want a timeout without survivors", end)
			}
			if got := r.text(Stdout); !strings.HasPrefix(got, tt.out) {
				t.Errorf("output %q, want %q", got, tt.out)
			}
		})
	}
}

func TestExecuteCancel(t *testing.T) {
	var r recorder
	s := spec(t, "echo up; trap 'echo bye' EXIT; sleep 100", &r)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		r.waitFor(t, "up")
		cancel()
	}()
	end, err := Execute(ctx, s)
	if err != nil || !end.Cancelled || end.TimedOut {
		t.Errorf("end %+v, %v; want cancelled", end, err)
	}
}

func TestExecuteCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var r recorder
	if end, err := Execute(ctx, spec(t, "echo ran", &r)); err != nil || !end.Cancelled || r.text(Stdout) != "" {
		t.Errorf("end %+v, %v, output %q", end, err, r.text(Stdout))
	}
}

// A second interrupt takes the grace away: the call is back long before the two seconds are over.
func TestExecuteForce(t *testing.T) {
	var r recorder
	s := spec(t, "trap '' TERM; echo up; sleep 100", &r)
	force := make(chan struct{})
	close(force)
	s.Force = force
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		r.waitFor(t, "up")
		cancel()
	}()
	if end, err := Execute(ctx, s); err != nil || !end.Cancelled || end.Survivors != 0 {
		t.Errorf("end %+v, %v", end, err)
	}
}

func TestExecuteStartFailure(t *testing.T) {
	var r recorder
	s := spec(t, "echo hi", &r)
	s.Dir = "/no/such/dir"
	if _, err := Execute(context.Background(), s); err == nil || !strings.Contains(err.Error(), "/no/such/dir") {
		t.Errorf("error %v, want one that names the directory", err)
	}
}

func TestExecutePrefix(t *testing.T) {
	var r recorder
	s := spec(t, "echo hi", &r)
	s.Prefix = "echo before;"
	if execute(t, s); r.text(Stdout) != "before\nhi\n" {
		t.Errorf("output %q", r.text(Stdout))
	}
}

// A child's descriptors are 0 to 2, blocking, whatever pi itself has open.
func TestExecuteDescriptors(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if fd, err := syscall.Dup(int(f.Fd())); err != nil { // without close-on-exec, as a careless caller leaves it
		t.Fatal(err)
	} else {
		defer syscall.Close(fd)
	}
	var r recorder
	execute(t, spec(t, `ls /proc/self/fd | tr '\n' ' '; grep flags /proc/self/fdinfo/1`, &r))
	if got := r.text(Stdout); !strings.HasPrefix(got, "0 1 2 3 ") || strings.Contains(got, "4 flags") {
		t.Errorf("descriptors and flags %q; want 0 1 2 (3 is ls's own)", got)
	}
}

func TestExecuteLeavesNothingOpen(t *testing.T) {
	count := func() int {
		fds, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("no /proc: ", err)
		}
		return len(fds)
	}
	var r recorder
	execute(t, spec(t, "true", &r))
	before := count()
	for range 100 {
		execute(t, spec(t, "echo x", &r))
	}
	if after := count(); after > before {
		t.Errorf("%d descriptors before, %d after 100 runs", before, after)
	}
}

func BenchmarkExecuteTrue(b *testing.B) {
	sh, err := Choose("bash", os.Environ())
	if err != nil {
		b.Fatal(err)
	}
	s := Spec{Shell: sh, Command: "true", Dir: b.TempDir(), Env: os.Environ(), Timeout: time.Minute,
		Output: func(Stream, []byte) bool { return true }}
	for b.Loop() {
		if _, err := Execute(context.Background(), s); err != nil {
			b.Fatal(err)
		}
	}
}
