//go:build unix

package pty

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// calls are the calls that make sense only while a command runs.
func calls(s *Session) map[string]error {
	return map[string]error{
		"Write": s.Write([]byte("x")), "CloseInput": s.CloseInput(), "Resize": s.Resize(80, 24), "Kill": s.Kill(), "Feed": s.Feed(strings.NewReader("x")),
	}
}

func TestStates(t *testing.T) {
	s := New()
	for name, err := range calls(s) {
		if err == nil || err.Error() != "PTY session is not running" {
			t.Errorf("idle: %s: %v", name, err)
		}
	}
	s.Reply([]byte("x"))
	start := func(o Options) (End, error) {
		o.Env, o.Timeout = environment(t), patience
		return s.Start(context.Background(), o)
	}

	// Reserved: everything is taken, and holds for the command that is to come.
	var out screen
	end, err := start(Options{Command: `stty size; read x; echo "<$x>"`, Output: out.put, Ready: func() {
		if err := errors.Join(s.Resize(90, 33), s.Write([]byte("early\n"))); err != nil {
			t.Errorf("reserved: %v", err)
		}
		if _, err := s.Start(context.Background(), Options{}); err == nil || err.Error() != "PTY session already running" {
			t.Errorf("a second start: %v", err)
		}
	}})
	if err != nil || end.ExitCode != 0 || !strings.Contains(out.text(), "33 90\r\n") || !strings.Contains(out.text(), "<early>") {
		t.Errorf("%+v %v %q", end, err, out.text())
	}
	end, err = start(Options{Command: `sleep 1000`, Ready: func() { _ = s.Kill() }})
	if err != nil || !end.Cancelled {
		t.Errorf("killed while reserved: %+v, %v", end, err)
	}

	// Running, and back to idle.
	end, err = start(Options{Command: `echo x; sleep 1000`, Output: func([]byte) {
		if err := errors.Join(s.Write([]byte("x")), s.Resize(80, 24), s.Kill(), s.Kill()); err != nil {
			t.Errorf("running: %v", err)
		}
	}})
	if err != nil || !end.Cancelled || end.Survivors != 0 {
		t.Errorf("killed while running: %+v, %v", end, err)
	}
	if cols, rows := s.Size(); cols != 80 || rows != 24 {
		t.Errorf("the last size is %d×%d", cols, rows)
	}

	// Closed: between the end of the command and the return of Start.
	s.mu.Lock()
	s.state = closed
	s.mu.Unlock()
	for name, err := range calls(s) {
		if err == nil || err.Error() != "PTY session is no longer available" {
			t.Errorf("closed: %s: %v", name, err)
		}
	}
	s.Reply([]byte("x"))
	if _, err := s.Start(context.Background(), Options{}); !errors.Is(err, ErrAlreadyRunning) {
		t.Errorf("a start while closed: %v", err)
	}
	s.finalise()
	for name, err := range calls(s) {
		if !errors.Is(err, ErrNotRunning) {
			t.Errorf("finalised: %s: %v", name, err)
		}
	}
}

func TestClamp(t *testing.T) {
	for in, want := range map[[2]int][2]int{
		{0, 0}: {120, 40}, {80, 24}: {80, 24}, {1, 1}: {20, 5}, {-5, -5}: {20, 5}, {9999, 9999}: {400, 200}, {0, 10}: {120, 10},
	} {
		if c, r := ClampSize(in[0], in[1]); c != want[0] || r != want[1] {
			t.Errorf("%v becomes %d×%d, want %v", in, c, r, want)
		}
	}
}

// TestEndings: the context, the timeout and the second request end the whole tree, whatever it does against that.
func TestEndings(t *testing.T) {
	for _, c := range []struct{ name, command string }{
		{"a sleeper", `echo there; sleep 1000`},
		{"an interactive shell", `echo there; exec bash --norc -i`},
		{"another session", `setsid sleep 1000 & sleep 0.1; echo there; sleep 1000`},
		{"a deaf one", `trap '' TERM HUP INT; echo there; while :; do sleep 0.1; done`},
		{"one that never stops printing", `echo there; yes`},
	} {
		for _, how := range []string{"cancel", "timeout", "kill"} {
			t.Run(c.name+"/"+how, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				o := Options{Command: c.command}
				if how == "timeout" {
					o.Timeout = time.Second
				}
				j := beginIn(t, ctx, o)
				if how != "timeout" {
					j.out.await(t, "there")
				}
				switch how {
				case "cancel":
					cancel()
				case "kill":
					_ = j.Kill()
				}
				end := j.wait(t)
				if end.Survivors != 0 || end.TimedOut != (how == "timeout") || end.Cancelled == end.TimedOut {
					t.Errorf("%+v", end)
				}
			})
		}
	}
}

// TestBackground: what holds the terminal does not hold the end, and is handed on.
func TestBackground(t *testing.T) {
	j := begin(t, Options{Command: `exec 3<&0; setsid sh -c 'read x <&3; echo late' & sleep 0.2; echo done`})
	<-j.done
	if j.err != nil || j.end.ExitCode != 0 || j.end.Held == nil || len(j.end.Background) == 0 {
		t.Fatalf("%+v, %v, printed %q", j.end, j.err, j.out.text())
	}
	// Its terminal lives as long as the caller keeps it.
	if _, err := j.end.Held.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	buf := make([]byte, 100)
	_ = j.end.Held.SetReadDeadline(time.Now().Add(patience))
	for {
		n, err := j.end.Held.Read(buf)
		if b.Write(buf[:n]); err != nil {
			break
		}
	}
	if !strings.Contains(b.String(), "late\r\n") {
		t.Errorf("it prints %q", b.String())
	}
	j.end.Held.Close()

	began := time.Now()
	_, end := run(t, `sleep 1000 & echo done`)
	if len(end.Background) > 0 || time.Since(began) > patience/2 {
		t.Errorf("a job of the terminal's own session: %+v after %v", end, time.Since(began))
	}
}

// TestPaste: a megabyte arrives whole and in order, however the command reads it.
func TestPaste(t *testing.T) {
	const size = 1 << 20
	var paste bytes.Buffer
	for i := 0; paste.Len() < size; i++ {
		fmt.Fprintf(&paste, "%07d line of the paste\n", i)
	}
	file := t.TempDir() + "/paste"
	j := begin(t, Options{Command: fmt.Sprintf(`stty raw -echo; echo ready; head -c %d >%s`, paste.Len(), file)})
	j.out.await(t, "ready")
	for p := paste.Bytes(); len(p) > 0; {
		n := min(len(p), 300_001)
		if err := j.Write(p[:n]); err != nil {
			t.Fatal(err)
		}
		p = p[n:]
	}
	j.wait(t)
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, paste.Bytes()) {
		t.Errorf("%d of %d bytes arrived unchanged, %v", len(got), paste.Len(), err)
	}
}

// TestInputNobodyReads: it is kept up to a bound, taken whole or not at all, and never waited for.
func TestInputNobodyReads(t *testing.T) {
	j := begin(t, Options{Command: `stty raw -echo; echo ready; sleep 1000`})
	j.out.await(t, "ready")
	piece := make([]byte, 1<<20)
	taken := 0
	for ; taken < 100; taken++ {
		if err := j.Write(piece); err != nil {
			if !errors.Is(err, ErrInputFull) {
				t.Error(err)
			}
			break
		}
	}
	if taken < 7 || taken > 9 {
		t.Errorf("%d MiB were taken", taken)
	}
	_ = j.Kill()
	j.wait(t)
}

// TestFeed: a stream goes in as fast as it is read, and its end is seen by everybody who reads on.
func TestFeed(t *testing.T) {
	j := begin(t, Options{Command: `stty -echo; echo ready; wc -l; wc -c; cat; echo end`})
	j.out.await(t, "ready")
	if err := j.Feed(strings.NewReader(strings.Repeat("a line of input\n", 50_000) + "no newline")); err != nil {
		t.Fatal(err)
	}
	j.wait(t)
	if got := j.out.text(); !strings.Contains(got, "50000") || !strings.HasSuffix(got, "0\r\nend\r\n") {
		t.Errorf("%q", got)
	}
}

// TestReplies: answers that nobody reads are dropped, those that fit are in order, and none reaches the next command.
func TestReplies(t *testing.T) {
	j := begin(t, Options{Command: `stty raw -echo; echo ready; read go; sleep 1000`})
	j.out.await(t, "ready")
	for range 100_000 {
		j.Reply([]byte("\x1b[1;1R"))
	}
	if err := j.Write([]byte("x")); err != nil {
		t.Errorf("answers take the place of keys: %v", err)
	}
	_ = j.Kill()
	j.wait(t)

	var out screen
	end, err := j.Start(context.Background(), Options{
		Command: `stty raw -echo min 0 time 5; echo ready; dd bs=1 count=1 2>/dev/null | wc -c`, Env: environment(t), Output: out.put,
	})
	if err != nil || end.ExitCode != 0 || !strings.HasSuffix(strings.TrimSpace(out.text()), "0") {
		t.Errorf("the next command got something: %q, %v", out.text(), err)
	}
}

// TestQueriesNobodyReads: a command that asks a thousand times, reads nothing and goes is no trouble.
func TestQueriesNobodyReads(t *testing.T) {
	j := &job{Session: New()}
	asked := 0
	end, err := j.Start(context.Background(), Options{
		Command: `i=0; while [ $i -lt 1000 ]; do printf '\033[6n'; i=$((i+1)); done; exit 4`, Env: environment(t), Timeout: patience,
		Output: func(p []byte) {
			n := bytes.Count(p, []byte("n"))
			asked += n
			for range n {
				j.Reply([]byte("\x1b[24;80R"))
			}
		},
	})
	if err != nil || end.ExitCode != 4 || asked != 1000 {
		t.Errorf("%+v, %v, asked %d times", end, err, asked)
	}
}

// TestSignalKeys: Ctrl-C and Ctrl-Z are the command's.
func TestSignalKeys(t *testing.T) {
	j := begin(t, Options{Command: `trap 'echo interrupted; exit 7' INT; echo ready; while :; do sleep 0.05; done`})
	j.out.await(t, "ready")
	if err := j.Write([]byte{3}); err != nil {
		t.Fatal(err)
	}
	if end := j.wait(t); end.ExitCode != 7 || !strings.Contains(j.out.text(), "interrupted") {
		t.Errorf("%+v %q", end, j.out.text())
	}
}

// TestResizeStorm: every size arrives, and the last one stays.
func TestResizeStorm(t *testing.T) {
	j := begin(t, Options{Command: `echo ready; read x; stty size`})
	j.out.await(t, "ready")
	for i := range 500 {
		if err := j.Resize(20+i%300, 5+i%100); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(j.Resize(101, 31), j.Write([]byte("\n"))); err != nil {
		t.Fatal(err)
	}
	j.wait(t)
	if !strings.Contains(j.out.text(), "31 101\r\n") {
		t.Errorf("%q", j.out.text())
	}
}
