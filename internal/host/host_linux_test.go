package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pi/internal/rpc"
	"pi/internal/run"
)

// patience bounds every wait of these tests.
const patience = 30 * time.Second

// home is a place of its own for sessions.
type home struct {
	t *testing.T
	*Hosts
	runtime, artifacts string
}

func newHome(t *testing.T) *home {
	t.Helper()
	h := &home{t: t, runtime: t.TempDir(), artifacts: filepath.Join(t.TempDir(), "artifacts")}
	t.Setenv("XDG_RUNTIME_DIR", h.runtime)
	t.Setenv("ARTIFACTS", h.artifacts)
	h.reopen()
	t.Cleanup(func() {
		if _, err := h.StopAll(); err != nil {
			t.Error(err)
		}
		eventually(t, "all hosts are gone", func() bool { return !h.any() })
	})
	return h
}

func (h *home) reopen() {
	h.t.Helper()
	var err error
	if h.Hosts, err = Open(os.Environ(), testBuild); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) call(command string) Call {
	return Call{Name: "x", Config: testConfig(h.artifacts), Dir: "/", Request: run.Request{Command: command}}
}

// run runs a command in session x, which must end with status 0.
func (h *home) run(command string) run.Result {
	h.t.Helper()
	r := h.Run(context.Background(), h.call(command))
	if r.Details.Status != run.OK {
		h.t.Fatalf("%s: %+v", command, r)
	}
	return r
}

// any tells whether a host of this place lives, whatever its socket says. A killed one that nobody has waited for is none.
func (h *home) any() bool {
	for _, pid := range withArgument(Arg) {
		env, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		if strings.Contains(string(env), h.runtime) {
			return true
		}
	}
	return false
}

// hostPID finds the host of session x; 0 when there is none.
func (h *home) hostPID() int {
	p, err := h.open(false)
	if err != nil {
		return 0
	}
	defer p.close()
	conn, _, err := p.dial("x")
	if err != nil {
		return 0
	}
	defer conn.Close()
	_, pid, _ := credentials(conn)
	return pid
}

// litter is what lies in the directory of the sockets.
func (h *home) litter() (names []string) {
	entries, err := os.ReadDir(h.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

// withArgument lists the living processes that have an argument.
func withArgument(arg string) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		line, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if slices.Contains(strings.Split(string(line), "\x00"), arg) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// alive tells whether a process runs: a dead one that nobody has waited for has no command line.
func alive(pid int) bool {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return err == nil && len(line) > 0
}

// uniqueSleep is an argument of sleep(1) that no other process has.
func uniqueSleep() string { return fmt.Sprintf("%d.%09d", 1000+rand.IntN(9000), rand.IntN(1e9)) }

func text(r run.Result) string { return r.Content[0].Text }

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

// TestLimitsAsInTheShell: an extracted head or tail gives the shell's bytes, the producer's status, and moves nothing.
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
		Start: func(d run.Details) { started = d },
		Text:  func(p []byte) { got.Write(p) },
		Held:  func([]byte) {},
	}
	r := h.Run(context.Background(), c)
	if got.Len() != 1288895+3 || !strings.HasSuffix(got.String(), "\n200000\nend") || started.Cwd != "/" || started.TimeoutSeconds != 60 {
		t.Errorf("%d bytes, start %+v, %v", got.Len(), started, r.Details.Warnings)
	}
}

// TestLargeCommand: what no argument can hold goes through.
func TestLargeCommand(t *testing.T) {
	h := newHome(t)
	long := strings.Repeat("x", 2<<20)
	if got := text(h.run("x='" + long + "'; echo ${#x}")); got != "2097152\n" {
		t.Errorf("got %q", got)
	}
}

func TestFirstCallsMakeOneHost(t *testing.T) {
	h := newHome(t)
	const n = 20
	out := make([]string, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], clientArg, "x", "echo $PPID")
			b, err := cmd.CombinedOutput()
			out[i] = string(b)
			if err != nil {
				t.Errorf("client %d: %v: %s", i, err, b)
			}
		})
	}
	wg.Wait()
	for _, o := range out {
		if o != out[0] || o != fmt.Sprintln(h.hostPID()) {
			t.Errorf("hosts %q, and now %d", out, h.hostPID())
			break
		}
	}
	if l := h.litter(); len(l) != 1 {
		t.Errorf("files %q", l)
	}
}

func TestTurns(t *testing.T) {
	h := newHome(t)
	dir := t.TempDir()
	first := make(chan run.Result)
	go func() {
		first <- h.Run(context.Background(), h.call("touch "+dir+"/on; while [ ! -e "+dir+"/gate ]; do sleep 0.02; done; echo first >>"+dir+"/log"))
	}()
	eventually(t, "the first call runs", func() bool { _, err := os.Stat(dir + "/on"); return err == nil })

	c := h.call("echo no")
	c.NoWait = true
	if r := h.Run(context.Background(), c); r.Details.Status != run.Error || r.ExitStatus() != 125 || text(r) != "session x is busy" {
		t.Errorf("--no-wait: %+v", r)
	}
	c = h.call("echo no >>" + dir + "/log")
	c.Request.Timeout = time.Second
	r := h.Run(context.Background(), c)
	if r.Details.Status != run.TimedOut || len(r.Details.Warnings) != 1 || !strings.Contains(r.Details.Warnings[0], "was not started") {
		t.Errorf("timeout: %+v", r)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := h.Run(ctx, h.call("echo no >>"+dir+"/log")); r.Details.Status != run.Cancelled {
		t.Errorf("cancelled: %+v", r)
	}
	list, err := h.List()
	if err != nil || len(list) != 1 || !list[0].Busy || list[0].Name != "x" {
		t.Errorf("list %+v, %v", list, err)
	}

	second := make(chan run.Result)
	go func() { second <- h.Run(context.Background(), h.call("echo second >>"+dir+"/log")) }()
	if err := os.WriteFile(dir+"/gate", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ch := range []chan run.Result{first, second} {
		if r := <-ch; r.Details.Status != run.OK {
			t.Errorf("%+v", r)
		}
	}
	if b, _ := os.ReadFile(dir + "/log"); string(b) != "first\nsecond\n" {
		t.Errorf("log %q", b)
	}
}

func TestCancel(t *testing.T) {
	h := newHome(t)
	h.run("export X=kept; cd /usr")
	s := uniqueSleep()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := h.call("echo before; setsid sleep " + s + " & sleep " + s)
	c.Request.Live.Update = func(sinkSnapshot) { cancel() }
	r := h.Run(ctx, c)
	if r.Details.Status != run.Cancelled || text(r) != "before\n\nCommand cancelled" {
		t.Errorf("%+v", r)
	}
	if left := withArgument(s); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	r = h.run("echo $X; pwd")
	if text(r) != "kept\n/usr\n" || len(r.Details.Warnings) != 1 || !r.Details.Session.Fresh {
		t.Errorf("%+v", r)
	}
}

func TestClientKilled(t *testing.T) {
	h := newHome(t)
	h.run("export X=kept")
	s := uniqueSleep()
	cmd := exec.Command(os.Args[0], clientArg, "x", "sleep "+s)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the command runs", func() bool { return len(withArgument(s)) == 1 })
	pid := h.hostPID()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	eventually(t, "the command is ended", func() bool { return len(withArgument(s)) == 0 })
	if got := text(h.run("echo $X")); got != "kept\n" || h.hostPID() != pid {
		t.Errorf("got %q from host %d, was %d", got, h.hostPID(), pid)
	}
}

func TestStop(t *testing.T) {
	h := newHome(t)
	s := uniqueSleep()
	r := h.run("sleep " + s + " >/dev/null & (setsid sleep " + s + " >/dev/null 2>&1 &)")
	if jobs := r.Details.BackgroundJobs; len(jobs) != 2 || !strings.HasPrefix(jobs[0].Command, "sleep ") {
		t.Errorf("jobs %+v", jobs)
	}
	list, err := h.List()
	if err != nil || len(list) != 1 || len(list[0].BackgroundJobs) != 2 || list[0].Busy || list[0].Shell != "/bin/bash" || list[0].Cwd != "/" {
		t.Errorf("list %+v, %v", list, err)
	}
	if was, err := h.Stop("x"); !was || err != nil {
		t.Errorf("Stop: %v, %v", was, err)
	}
	if left, l := withArgument(s), h.litter(); len(left) > 0 || len(l) > 0 {
		for _, p := range left {
			b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p))
			t.Errorf("%s", b)
		}
		t.Errorf("left %v, files %q", left, l)
	}
	if was, err := h.Stop("x"); was || err != nil {
		t.Errorf("Stop of nobody: %v, %v", was, err)
	}
	if list, err := h.List(); len(list) > 0 || err != nil {
		t.Errorf("list %+v, %v", list, err)
	}
}

// TestStopWhileBusy: the command that is running is told to end, and its client gets what it printed.
func TestStopWhileBusy(t *testing.T) {
	h := newHome(t)
	s := uniqueSleep()
	done := make(chan run.Result)
	go func() { done <- h.Run(context.Background(), h.call("echo before; sleep "+s)) }()
	eventually(t, "the command runs", func() bool { return len(withArgument(s)) == 1 })
	if was, err := h.Stop("x"); !was || err != nil {
		t.Errorf("Stop: %v, %v", was, err)
	}
	if r := <-done; r.Details.Status != run.Cancelled || !strings.HasPrefix(text(r), "before\n") {
		t.Errorf("%+v", r)
	}
}

// TestStopFrozen: a host that cannot answer is ended all the same.
func TestStopFrozen(t *testing.T) {
	h := newHome(t)
	s := uniqueSleep()
	h.run("sleep " + s + " >/dev/null 2>&1 &")
	pid := h.hostPID()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	h.stop = 200 * time.Millisecond
	if was, err := h.Stop("x"); !was || err != nil {
		t.Errorf("Stop: %v, %v", was, err)
	}
	eventually(t, "nothing is left", func() bool { return len(withArgument(s)) == 0 && !alive(pid) })
	if l := h.litter(); len(l) > 0 {
		t.Errorf("files %q", l)
	}
}

func TestIdleHostLeaves(t *testing.T) {
	h := newHome(t)
	t.Setenv(TestIdle, "150ms")
	h.reopen()
	s := uniqueSleep()
	h.run("sleep " + s + " >/dev/null 2>&1 &")
	pid := h.hostPID()
	eventually(t, "the host is gone", func() bool { return len(h.litter()) == 0 && len(withArgument(s)) == 0 && (pid == 0 || !alive(pid)) })
}

// TestIdleRace: calls that come just when the host leaves are served, by it or by another.
func TestIdleRace(t *testing.T) {
	h := newHome(t)
	t.Setenv(TestIdle, "15ms")
	h.reopen()
	for range 30 {
		r := h.run("echo ok")
		if text(r) != "ok\n" || len(r.Details.Warnings) > 0 {
			t.Fatalf("%+v", r)
		}
		time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond)
	}
}

// TestHostKilled kills the host at any moment: the next call works and says so, and nothing is left.
func TestHostKilled(t *testing.T) {
	h := newHome(t)
	rounds := 20
	if os.Getenv("PI_LONG") != "" {
		rounds = 200
	}
	for i := range rounds {
		s := uniqueSleep()
		stubborn := "" // ends only when the guardian's grace is over
		if i%10 == 0 {
			stubborn = "(trap '' TERM; sleep " + s + " &); "
		}
		done := make(chan run.Result)
		go func() {
			done <- h.Run(context.Background(), h.call("sleep "+s+" & setsid sleep "+s+" & "+stubborn+"echo on; sleep "+s))
		}()
		pid := 0
		eventually(t, "there is a host", func() bool { pid = h.hostPID(); return pid > 0 && pid != os.Getpid() })
		time.Sleep(time.Duration(rand.IntN(80)) * time.Millisecond)
		_ = syscall.Kill(pid, syscall.SIGKILL)
		deadline := time.After(patience)
		select {
		case <-done:
		case <-time.After(2 * time.Second):
			// It was killed before it took the call, and the call is with its successor.
			if _, err := h.Stop("x"); err != nil {
				t.Errorf("round %d: %v", i, err)
			}
			select {
			case <-done:
			case <-deadline:
				t.Fatalf("round %d: the call does not return", i)
			}
		}
		if r := h.run("echo ok"); text(r) != "ok\n" {
			t.Fatalf("round %d: %+v", i, r)
		}
		if l := h.litter(); len(l) != 1 {
			t.Fatalf("round %d: files %q", i, l)
		}
		eventually(t, fmt.Sprintf("round %d: nothing is left", i), func() bool { return len(withArgument(s)) == 0 })
	}
}

func TestDeadHostIsNamed(t *testing.T) {
	h := newHome(t)
	h.run("true")
	pid := h.hostPID()
	kill := func() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		eventually(t, "it is dead", func() bool { return h.hostPID() == 0 })
	}
	kill()
	r := h.run("true")
	if w := r.Details.Warnings; len(w) != 1 || !strings.Contains(w[0], "the host of session x was killed") {
		t.Errorf("warnings %q", w)
	}
	pid = h.hostPID()
	kill()
	if list, err := h.List(); len(list) > 0 || err != nil || len(h.litter()) > 0 {
		t.Errorf("list %+v, %v, files %q", list, err, h.litter())
	}
}

func TestOtherBuild(t *testing.T) {
	h := newHome(t)
	h.run("true")
	h.build = "another"
	r := h.Run(context.Background(), h.call("true"))
	if r.Details.Status != run.Error || !strings.Contains(text(r), "another version of pi") || !strings.Contains(text(r), "pi session stop x") {
		t.Errorf("%+v", r)
	}
	if was, err := h.Stop("x"); !was || err != nil {
		t.Errorf("Stop: %v, %v", was, err)
	}
}

func TestLongDirectory(t *testing.T) {
	h := newHome(t)
	deep := filepath.Join(h.runtime, strings.Repeat("d", 100), strings.Repeat("e", 100))
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", deep)
	h.reopen()
	h.run("x=1")
	if got := text(h.run("echo $x")); got != "1\n" {
		t.Errorf("got %q", got)
	}
	if list, err := h.List(); len(list) != 1 || err != nil {
		t.Errorf("list %+v, %v", list, err)
	}
}

// TestLateOutput: the host reads on for background jobs, into the artifact of their run.
func TestLateOutput(t *testing.T) {
	h := newHome(t)
	gate := filepath.Join(t.TempDir(), "gate")
	r := h.run("(while [ ! -e " + gate + " ]; do sleep 0.02; done; echo late; echo later >&2) & echo now")
	if text(r) != "now\n" || len(r.Details.Warnings) != 1 || !strings.Contains(r.Details.Warnings[0], "goes on into artifact://1") || len(r.Details.BackgroundJobs) == 0 {
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

func TestDirectoryIsPrivate(t *testing.T) {
	h := newHome(t)
	if err := os.MkdirAll(h.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(h.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	h.run("true")
	if st, err := os.Stat(h.dir); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
	if st, err := os.Stat(filepath.Join(h.dir, "x.sock")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
}

func TestDirectoryIsAFile(t *testing.T) {
	h := newHome(t)
	if err := os.MkdirAll(filepath.Dir(h.dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(h.dir)
	if r := h.Run(context.Background(), h.call("true")); r.Details.Status != run.Error || !strings.Contains(text(r), "session directory") {
		t.Errorf("%+v", r)
	}
}

// TestUnknownRequests: a host answers what it does not understand, and other sessions' calls.
func TestUnknownRequests(t *testing.T) {
	h := newHome(t)
	h.run("true")
	p, err := h.open(false)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for _, c := range []struct {
		q    rpc.Request
		want string
	}{
		{rpc.Request{Type: "fly"}, "unknown request type"},
		{rpc.Request{Type: rpc.TypeToolCall, Tool: "bash", Args: &rpc.Args{Command: "true", Session: "y"}}, "this is the host of session x"},
		{rpc.Request{Type: rpc.TypeToolCall, Tool: "bash", Args: &rpc.Args{Command: "true", Session: "x"}}, "settings are missing"},
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

func TestNames(t *testing.T) {
	for name, good := range map[string]bool{
		"a": true, "web-1.2_x": true, "-": true, "A..b": true, strings.Repeat("n", 64): true,
		"": false, ".": false, "..": false, ".a": false, "a/b": false, "a b": false, "ä": false, "a\n": false, strings.Repeat("n", 65): false,
	} {
		if err := CheckName(name); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		env  []string
		want string
	}{
		{[]string{"XDG_RUNTIME_DIR=" + dir, "HOME=/h"}, dir + "/pi/sessions"},
		{[]string{"XDG_RUNTIME_DIR=/nowhere", "HOME=/h"}, "/h/.local/state/pi/sessions"},
		{[]string{"XDG_RUNTIME_DIR=rel", "XDG_STATE_HOME=/s", "HOME=/h"}, "/s/pi/sessions"},
		{nil, ""},
	} {
		h, err := Open(c.env, "")
		if err != nil && c.want != "" || err == nil && h.dir != c.want {
			t.Errorf("%q: %+v, %v", c.env, h, err)
		}
	}
}
