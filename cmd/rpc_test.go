//go:build unix

package cmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pi/internal/rpc/rpctest"

	"pi/internal/testmain"
)

// served is a pi rpc that a test talks to.
type served struct {
	t   testing.TB
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err bytes.Buffer
}

// startRPC starts this test binary as pi rpc, with a home of its own.
func startRPC(t testing.TB, args ...string) *served {
	t.Helper()
	s := &served{t: t, cmd: exec.Command(os.Args[0], append([]string{"rpc"}, args...)...)}
	home := t.TempDir()
	s.cmd.Args[0] = "pi"
	s.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "SHELL=/bin/bash", "PI_SHELL_SNAPSHOT=off"}
	s.cmd.Dir, s.cmd.Stderr = home, &s.err
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in, s.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	})
	return s
}

func (s *served) write(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

// reply gives the next reply, as it was written.
func (s *served) reply() string {
	s.t.Helper()
	return s.until(func(m string) bool { return strings.Contains(m, `"type":"response"`) })
}

func (s *served) until(fits func(string) bool) string {
	s.t.Helper()
	got := make(chan string, 1)
	go func() {
		for {
			line, err := s.out.ReadString('\n')
			if err != nil || fits(line) {
				got <- line
				return
			}
		}
	}()
	select {
	case line := <-got:
		if line == "" {
			s.t.Fatalf("the output ended; standard error: %s", s.err.String())
		}
		return line
	case <-time.After(rpctest.Patience):
		s.t.Fatal("no answer")
	}
	return ""
}

// end waits for the process, and gives its exit status as a shell would tell it.
func (s *served) end() int {
	s.t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case <-done:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(rpctest.Patience):
		s.t.Fatal("pi rpc does not end")
	}
	return 0
}

// TestRPCExchanges plays the recorded exchanges over standard input and output.
func TestRPCExchanges(t *testing.T) {
	files, err := filepath.Glob("../internal/rpc/testdata/exchanges/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no exchanges", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			play(t, rpctest.Load(t, file))
		})
	}
}

// TestRPCDocument plays the examples of the document.
func TestRPCDocument(t *testing.T) {
	list := rpctest.LoadMarkdown(t, "../docs/rpc.md")
	if len(list) < 10 {
		t.Fatalf("%d examples", len(list))
	}
	play(t, list)
}

func play(t *testing.T, list []rpctest.Exchange) {
	s := startRPC(t)
	p := rpctest.Player{Dir: t.TempDir()}
	p.Start(s.out, s.in)
	for _, x := range list {
		t.Run(x.Name, func(t *testing.T) { p.Play(t, x) })
	}
	s.in.Close()
	if code := s.end(); code != 0 || s.err.Len() > 0 {
		t.Errorf("exit status %d, standard error %s", code, s.err.String())
	}
}

// TestRPCEnds: whatever ends the server, its commands and sessions end with it.
func TestRPCEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*served)
		code int
	}{
		{"end of input", func(s *served) { s.in.Close() }, 0},
		{"shutdown", func(s *served) { s.write(`{"type":"shutdown"}`) }, 0},
		{"SIGTERM", func(s *served) { _ = s.cmd.Process.Signal(syscall.SIGTERM) }, 143},
		{"SIGHUP", func(s *served) { _ = s.cmd.Process.Signal(syscall.SIGHUP) }, 129},
		{"SIGINT", func(s *served) { _ = s.cmd.Process.Signal(syscall.SIGINT) }, 130},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := startRPC(t)
			tag := fmt.Sprintf("1000.%d", time.Now().UnixNano())
			tag = tag[:20]
			s.write(`{"id":1,"type":"bash","session":"a","command":"sleep ` + tag + ` >/dev/null 2>&1 & echo there"}`)
			s.reply()
			s.write(`{"id":2,"type":"bash","events":["update"],"command":"echo there; setsid sleep ` + tag + ` & wait"}`)
			s.until(func(m string) bool { return strings.Contains(m, `"update"`) })
			await(t, "two sleepers", func() bool { return len(withArg(t, tag)) == 2 })
			c.end(s)
			if got := s.reply(); c.name != "shutdown" && !strings.Contains(got, `"cancelled":true`) {
				t.Errorf("reply %s", got)
			}
			if code := s.end(); code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
			if left := withArg(t, tag); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// withArg lists the processes that have an argument.
func withArg(t testing.TB, arg string) (pids []string) {
	t.Helper()
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		for a := range bytes.SplitSeq(text, []byte{0}) {
			if string(a) == arg {
				pids = append(pids, strings.Split(f, "/")[2])
				break
			}
		}
	}
	return pids
}

func await(t testing.TB, what string, yes func() bool) {
	t.Helper()
	for end := time.Now().Add(rpctest.Patience); !yes(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s", what)
		}
	}
}

// TestRPCKilled: a server that is killed in the middle of a hundred runs leaves no process.
func TestRPCKilled(t *testing.T) {
	s := startRPC(t)
	tag := fmt.Sprintf("2000.%d", time.Now().UnixNano())[:20]
	const runs = 100
	for i := range runs {
		kind := fmt.Sprintf(`"session":"s%d",`, i)
		if i%2 == 0 {
			kind = ""
		}
		s.write(fmt.Sprintf(`{"id":%d,"type":"tool_call","tool":"bash","args":{%s"events":[],"command":"setsid sleep %s & sleep %s & wait"}}`, i, kind, tag, tag))
	}
	await(t, "sleepers", func() bool { return len(withArg(t, tag)) >= 2*runs })
	awaitGuardian(t, s.cmd.Process.Pid)
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.end()
	await(t, "end of the sleepers", func() bool { return len(withArg(t, tag)) == 0 })
}

// awaitGuardian waits until the guardian of a pi has been told of the trees and has looked at them for a while.
func awaitGuardian(t *testing.T, pid int) {
	t.Helper()
	looks := func() int {
		n := 0
		for _, guardian := range withArg(t, "__guardian") {
			status, _ := os.ReadFile("/proc/" + guardian + "/status")
			if strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", pid)) {
				io, _ := os.ReadFile("/proc/" + guardian + "/io")
				_, after, _ := strings.Cut(string(io), "syscr: ")
				fmt.Sscan(after, &n)
			}
		}
		return n
	}
	await(t, "guardian", func() bool { return looks() > 0 })
	before := looks()
	await(t, "look of the guardian", func() bool { return looks() > before+300 })
}

// TestRPCDescriptors: commands have the three standard descriptors and no other, and whatever this process prints
// to standard output goes to standard error.
func TestRPCDescriptors(t *testing.T) {
	s := startRPC(t)
	ends := map[string]bool{}
	for fd := range 3 {
		link, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", s.cmd.Process.Pid, fd))
		if err != nil {
			t.Fatal(err)
		}
		ends[link] = true
	}
	list := `for f in /proc/$$/fd/*; do echo ${f##*/}=$(readlink $f); done`
	for _, line := range []string{
		`{"id":1,"type":"tool_call","tool":"bash","args":{"events":[],"command":"` + list + `"}}`,
		`{"id":1,"type":"bash","command":"sh -c '` + list + `'"}`,
	} {
		s.write(line)
		got := s.reply()
		for end := range ends {
			if strings.HasPrefix(end, "pipe:") && strings.Contains(got, end) {
				t.Errorf("a command has %s: %s", end, got)
			}
		}
		for _, fd := range []string{"0=", "1=", "2="} {
			if !strings.Contains(got, fd) {
				t.Errorf("a command lacks descriptor %s: %s", fd, got)
			}
		}
	}
	null, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", s.cmd.Process.Pid))
	one, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/1", s.cmd.Process.Pid))
	two, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/2", s.cmd.Process.Pid))
	if null != os.DevNull || one != two {
		t.Errorf("descriptors 0, 1, 2 of pi rpc are %s, %s, %s", null, one, two)
	}
}

// TestRPCNobodyReads: a client that never reads costs little memory, and keeps neither a timeout nor an abort from
// happening.
func TestRPCNobodyReads(t *testing.T) {
	s := startRPC(t)
	dir := t.TempDir()
	tag := fmt.Sprintf("3000.%d", time.Now().UnixNano())[:20]
	for i := range 4 {
		s.write(fmt.Sprintf(`{"id":"u%d","type":"tool_call","tool":"bash","args":{"events":["update","text","partial"],"command":"yes %s"}}`, i, tag))
	}
	for i := range 3000 { // as many results as there is room for, and more
		s.write(fmt.Sprintf(`{"id":"b%d","type":"bash","session":"s%d","command":"seq 1 20000"}`, i, i%4))
	}
	s.write(`{"id":"t","type":"bash","session":"t","timeout":1,"command":"touch ` + dir + `/on; exec sleep 1000"}`)
	await(t, "yes", func() bool { return len(withArg(t, tag)) > 0 })
	const limit = 64 + 24 // MiB; what the test binary has more than pi comes on top
	most := 0
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		most = max(most, resident(t, s.cmd.Process.Pid))
	}
	s.write(`{"id":"a","type":"abort_bash"}`)
	await(t, "end of yes", func() bool { return len(withArg(t, tag)) == 0 })
	most = max(most, resident(t, s.cmd.Process.Pid))
	t.Logf("%d KiB resident at most", most)
	if most > limit<<10 && !testmain.Race {
		t.Errorf("%d KiB resident", most)
	}
}

func resident(t testing.TB, pid int) (kib int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	fmt.Sscan(after, &kib)
	return kib
}

// TestRPCAbortUnderLoad: an abort is answered while several commands print as fast as they can.
func TestRPCAbortUnderLoad(t *testing.T) {
	s := startRPC(t)
	for i := range 4 {
		s.write(fmt.Sprintf(`{"id":%d,"type":"tool_call","tool":"bash","args":{"events":["text"],"command":"yes"}}`, i))
	}
	s.until(func(m string) bool { return strings.Contains(m, `"text"`) })
	began := time.Now()
	s.write(`{"id":"a","type":"abort_bash"}`)
	if got := s.reply(); !strings.Contains(got, `"id":"a"`) {
		t.Errorf("first came %.200s", got)
	}
	t.Logf("answered after %v", time.Since(began))
}

// TestRPCSchema: the schema is one JSON value.
func TestRPCSchema(t *testing.T) {
	cmd := exec.Command(os.Args[0], "rpc", "--schema")
	cmd.Args[0] = "pi"
	out, err := cmd.Output()
	if err != nil || !json.Valid(out) {
		t.Fatalf("%v: %.100s", err, out)
	}
}
