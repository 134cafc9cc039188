package cmd

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestViewWhileRunning(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "run", "--", `for i in $(seq 1 15); do echo "line $i"; done; read -t 1 < /dev/zero; until [ -e go ]; do sleep 0.02; done; exit 3`)
	p.until("the last ten lines", func(s string) bool {
		return strings.Contains(s, "line 6\n") && strings.Contains(s, "line 15\n") && !strings.Contains(s, "line 5\n") && strings.Contains(s, "15 lines")
	})
	p.reads("Timeout: 300s")
	p.size(40, 10)
	p.until("fewer lines on a smaller terminal", func(s string) bool { return !strings.Contains(s, "line 6\n") && strings.Contains(s, "line 15\n") })
	p.size(20, 5)
	p.until("fewer still", func(s string) bool { return !strings.Contains(s, "line 13\n") && strings.Contains(s, "line 15\n") })
	p.size(80, 24)
	p.reads("line 6\n")
	if err := os.WriteFile(p.file("go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p.leaves(3)
	for _, want := range []string{"$ for i in", "5 earlier lines", "line 6\n", "✗ Command exited with code 3", "15 lines", "Full output: artifact://1"} {
		if !strings.Contains(p.text(), want) {
			t.Errorf("%q is missing in:\n%s", want, p.text())
		}
	}
	log, err := os.ReadFile(p.file("state/pi/artifacts/1.bash.log"))
	if err != nil || !strings.HasPrefix(string(log), "line 1\n") || strings.Count(string(log), "\n") != 15 {
		t.Errorf("artifact %q, %v", log, err)
	}
}

func TestViewResults(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cols   int
		env    []string
		args   []string
		status int
		want   []string
		not    []string
	}{
		{"quiet", 80, nil, []string{"--", "true"}, 0, []string{"$ true\n✓ ", "no output · Timeout: 300s"}, []string{"artifact", "\x1b"}},
		{"short", 80, nil, []string{"-t", "5", "--", "seq 1 10"}, 0, []string{"$ seq 1 10\n1\n2\n", "10\n✓ ", "10 lines · Timeout: 5s"}, []string{"artifact", "earlier"}},
		{"expanded", 80, nil, []string{"--expanded", "--", "seq 1 30"}, 0, []string{"1\n2\n", "29\n30\n✓ "}, []string{"artifact", "earlier"}},
		{"cut", 80, nil, []string{"--", "seq 1 20000"}, 0, []string{"19991\n", "20000\n✓ ", "20,000 lines", "(50 KB limit)\n  Full output: artifact://1"}, []string{"\n19990\n", "Ctrl-C cancels"}},
		{"limited", 80, nil, []string{"--tail", "3", "--", "seq 1 20"}, 0, []string{"18\n19\n20\n", "artifact://1"}, []string{"\n17\n"}},
		{"wide characters", 20, nil, []string{"--", `for i in 1 2 3 4 5 6; do echo 漢字漢字漢字漢字漢字漢字; done`}, 0, []string{"漢字漢字漢字漢字漢字\n漢字\n"}, nil},
		{"nothing kept, nothing hidden", 80, []string{"PI_ARTIFACTS_MAX_BYTES=0"}, []string{"--", "seq 1 30"}, 0, []string{"1\n2\n", "30\n✓ "}, []string{"artifact", "earlier"}},
		{"timeout", 80, nil, []string{"-t", "1", "--", "echo out; sleep 100"}, 124, []string{"out\n", "✗ Command timed out after 1 second"}, nil},
		{"signal", 80, nil, []string{"--", "kill -9 $$"}, 137, []string{"✗ Command exited with code 137"}, nil},
		{"pi's own failure", 80, nil, []string{"-C", "/nonexistent", "--", "true"}, 125, []string{"pi: Working directory does not exist: /nonexistent"}, []string{"$ true"}},
		{"dumb", 80, []string{"TERM=dumb"}, []string{"--", "seq 1 30; exit 2"}, 2, []string{"1\n2\n", "30\n", "Command exited with code 2"}, []string{"earlier", "✗"}},
		{"ascii", 80, []string{"LC_ALL=C"}, []string{"--", "false"}, 1, []string{"x Command exited with code 1 - "}, []string{"✗"}},
		{"streamed", 80, nil, []string{"--stream", "--", "seq 1 30"}, 0, []string{"1\n2\n", "30\n"}, []string{"✓", "earlier"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sitWith(t, tt.cols, 24, tt.env, append([]string{"run"}, tt.args...)...)
			p.leaves(tt.status)
			for _, want := range tt.want {
				if !strings.Contains(p.text(), want) {
					t.Errorf("%q is missing in:\n%s", want, p.text())
				}
			}
			for _, not := range tt.not {
				if strings.Contains(p.text(), not) {
					t.Errorf("%q is in:\n%s", not, p.text())
				}
			}
		})
	}
}

// Ctrl-C is the terminal's own while a tool call is shown.
func TestViewCancel(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "run", "--", "echo up; sleep 1000")
	p.reads("up\n")
	p.reads("Ctrl-C cancels")
	p.keys("\x03")
	p.leaves(130)
	p.reads("✗ Command cancelled")
	if strings.Contains(p.text(), "^C") {
		t.Errorf("what was typed is in the view:\n%s", p.text())
	}
}

// A standard error that is no terminal gets the notices all the same.
func TestViewWithErrorsApart(t *testing.T) {
	t.Parallel()
	c := piCommand(t, "run", "--", "echo out; exit 3")
	link := c.Path
	c.Path, c.Args = "/bin/sh", []string{"sh", "-c", `"$0" run -- 'echo out; exit 3' 2>errors`, link}
	c.Env = append(cleanEnv(c.Env), "TERM=xterm", "LANG=C.UTF-8", "SHELL=/bin/bash", "PI_SHELL_SNAPSHOT=off")
	p := before(t, c, 80, 24)
	p.leaves(3)
	if got, err := os.ReadFile(filepath.Join(p.dir, "errors")); err != nil || string(got) != "Command exited with code 3\n" {
		t.Errorf("standard error %q, %v", got, err)
	}
}

// A stopped pi leaves the terminal to the shell, and goes on where it is.
func TestViewStopAndGoOn(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "run", "--", "echo up; until [ -e go ]; do sleep 0.02; done")
	p.reads("Ctrl-C cancels")
	for range 3 {
		if err := p.cmd.Process.Signal(syscall.SIGTSTP); err != nil {
			t.Fatal(err)
		}
		within(t, "pi is stopped", func() bool { return state(t, p.cmd.Process.Pid) == 'T' })
		if now := p.stty(); now != p.before {
			t.Errorf("stty -a was:\n%s\nand while stopped is:\n%s", p.before, now)
		}
		if err := p.cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		within(t, "the echo is off again", func() bool { return strings.Contains(p.stty(), " -echo ") })
	}
	if err := os.WriteFile(p.file("go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p.leaves(0)
}

// state is the letter of a process's state.
func state(t *testing.T, pid int) byte {
	t.Helper()
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		t.Fatal(err)
	}
	return stat[strings.LastIndexByte(string(stat), ')')+2]
}
