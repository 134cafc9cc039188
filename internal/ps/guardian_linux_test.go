package ps

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"pi/internal/self"
)

// TestGuardian kills a pi outright: of what it ran nothing may be left.
func TestGuardian(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       int
	}{
		{"plain", "sleep TAG; true", 1},
		{"sessions", "sleep TAG & setsid sleep TAG & (setsid sleep TAG &) ; wait", 3},
		{"clean environment", "env -i setsid -f sleep TAG; sleep TAG", 2},
		{"daemons that ignore TERM", "(trap '' TERM; setsid sh -c 'sleep TAG; :' & ) ; trap '' TERM; while :; do sleep TAG; done", 2},
		{"storm", "for i in $(seq 100); do sleep TAG & setsid sleep TAG & done; wait", 200},
		{"born later", "sleep 1; setsid sleep TAG & (setsid sleep TAG &); kill -STOP $$; wait", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			tag := tag(t)
			pi, line := helper(t, strings.ReplaceAll(tc.text, "TAG", tag))
			if line != "armed" {
				t.Fatal(line)
			}
			eventually(t, "all sleep", func() bool { return sleepers(t, tag) >= tc.want })
			if strings.Contains(tc.text, "env -i") {
				awaitLook(t, pi.Process.Pid)
			}
			if err := pi.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = pi.Wait()
			died := time.Now()
			eventually(t, "nothing left", func() bool { return len(tagged(t, tag)) == 0 })
			t.Logf("nothing left after %v", time.Since(died))
		})
	}
}

// awaitLook waits until the guardian of a pi has looked at what there is now: what is born between two of its looks
// and hides in every way before pi dies is the hole that is left open.
func awaitLook(t *testing.T, pi int) {
	t.Helper()
	reads := func() int {
		s, err := childrenOf(pi)
		if err != nil {
			t.Fatal(err)
		}
		for pid := range s.procs {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			io, _ := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
			_, after, ok := strings.Cut(string(io), "syscr: ")
			if n, _ := atoi(strings.Fields(after + " 0")[0]); ok && strings.Contains(string(line), self.Guardian) {
				return n
			}
		}
		return -1
	}
	eventually(t, "a guardian", func() bool { return reads() >= 0 })
	before := reads()
	const look = 12 // a look reads at least this often: host, its threads, leader
	eventually(t, "two looks", func() bool { return reads() > before+2*look })
}

// helper starts this test binary as a pi that runs text, and gives the first line it prints.
func helper(t *testing.T, text string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "run-as-pi", text)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, _ := bufio.NewReader(r).ReadString('\n')
	return cmd, strings.TrimSpace(line)
}

// sleepers counts the tagged processes that sleep.
func sleepers(t *testing.T, tag string) (n int) {
	for _, l := range tagged(t, tag) {
		if strings.Contains(l, " sleep "+tag) && !strings.Contains(l, "-c") {
			n++
		}
	}
	return n
}
