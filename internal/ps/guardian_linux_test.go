package ps

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
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
