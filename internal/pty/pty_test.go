//go:build unix

package pty

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience bounds every wait for a condition in the tests; it is only used up by a failure.
const patience = 60 * time.Second

// screen collects what a command prints.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) put(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.b.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// await waits until the command has printed text.
func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	eventually(t, fmt.Sprintf("%q is printed", text), func() bool { return strings.Contains(s.text(), text) })
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("not within %v: %s", patience, what)
}

// environment is small and the same everywhere; the home has no profile.
func environment(t *testing.T) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=xterm-256color", "LC_ALL=C"}
}

// run runs a command to its end.
func run(t *testing.T, command string) (string, End) {
	t.Helper()
	var out screen
	end, err := New().Start(context.Background(), Options{Command: command, Env: environment(t), Timeout: patience, Output: out.put})
	if err != nil {
		t.Fatal(err)
	}
	if end.Held != nil {
		end.Held.Close()
	}
	return out.text(), end
}

// job is a command that runs in the background.
type job struct {
	*Session
	out  screen
	end  End
	err  error
	done chan struct{}
}

func begin(t *testing.T, o Options) *job {
	t.Helper()
	return beginIn(t, context.Background(), o)
}

func beginIn(t *testing.T, ctx context.Context, o Options) *job {
	t.Helper()
	j := &job{Session: New(), done: make(chan struct{})}
	o.Env, o.Output = append(environment(t), o.Env...), j.out.put
	if o.Timeout == 0 {
		o.Timeout = 2 * patience
	}
	go func() {
		defer close(j.done)
		j.end, j.err = j.Start(ctx, o)
	}()
	t.Cleanup(func() { _ = j.Kill(); <-j.done })
	return j
}

// wait waits for the end of the command.
func (j *job) wait(t *testing.T) End {
	t.Helper()
	select {
	case <-j.done:
	case <-time.After(patience):
		t.Fatalf("the command does not end; it has printed %q", j.out.text())
	}
	if j.err != nil {
		t.Fatal(j.err)
	}
	if j.end.Held != nil {
		j.end.Held.Close()
		j.end.Held = nil
	}
	return j.end
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name, command, out string
		code               int
		signal             syscall.Signal
	}{
		{"status", `exit 3`, "", 3, 0},
		{"output", `echo one; echo two >&2`, "one\r\ntwo\r\n", 0, 0},
		{"no newline at the end", `printf x`, "x", 0, 0},
		{"killed by its own hand", `printf x; kill -9 $$`, "x", -1, syscall.SIGKILL},
		{"a terminal on all three", `test -t 0 && test -t 1 && test -t 2 && echo yes`, "yes\r\n", 0, 0},
		{"the controlling one", `exec 0</dev/null 1>&0 2>&0; echo yes >/dev/tty`, "yes\r\n", 0, 0},
		{"its size", `stty size`, "40 120\r\n", 0, 0},
		{"a login shell", `case $- in *c*) ;; esac; echo "$0"`, "sh\r\n", 0, 0},
		{"a quote in the text", `echo "it's"`, "it's\r\n", 0, 0},
		{"closing all streams is no hang-up", `exec </dev/null >/dev/null 2>&1; sleep 0.2; exec >/dev/tty; echo back`, "back\r\n", 0, 0},
		{"a missing program", `exec 2>/dev/null; no-such-program-here`, "", 127, 0},
		{"descriptors 0 to 2 only", `ls /proc/self/fd | wc -l`, "4\r\n", 0, 0},
		{"a text longer than an argument", `# ` + strings.Repeat("x", 200_000) + "\necho done; test -e /proc/self/fd/3 || exit 4", "done\r\n", 4, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, end := run(t, c.command)
			if out != c.out || end.ExitCode != c.code || end.Signal != c.signal || end.TimedOut || end.Cancelled || end.Survivors > 0 {
				t.Errorf("%q, %+v; want %q, %d, signal %d", out, end, c.out, c.code, c.signal)
			}
		})
	}
}

// TestErrors: what cannot be started is told, and leaves the session idle.
func TestErrors(t *testing.T) {
	s := New()
	_, err := s.Start(context.Background(), Options{Command: "true", Dir: "/no/such/place"})
	if err == nil || !strings.Contains(err.Error(), "/no/such/place") {
		t.Errorf("a missing directory: %v", err)
	}
	if err := s.Kill(); !errors.Is(err, ErrNotRunning) {
		t.Errorf("afterwards: %v", err)
	}
}
