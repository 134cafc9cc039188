package cmd

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestShellSession(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "shell")
	p.reads(" $")
	p.keys("x=5; mkdir -p sub; cd sub\r")
	p.reads("/sub $")
	p.keys("echo x is $x in ${PWD##*/}\r")
	p.reads("x is 5 in sub\n")
	p.keys("echo 'an open\r")
	p.reads("\n>")
	p.keys("quote'\r")
	p.reads("\nan open\nquote\n")
	p.keys("false\r")
	p.reads("✗ Command exited with code 1")
	p.keys("nonexistent_command\r")
	p.reads("✗ Command exited with code 127")
	p.keys("exit 7\r")
	p.leaves(7)
}

func TestShellExits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		keys   []string // each after a prompt
		status int
	}{
		{"ctrl+d", []string{"\x04"}, 0},
		{"ctrl+d after a failure", []string{"(exit 3)\r", "\x04"}, 3},
		{"ctrl+d does not leave a line that has text", []string{"echo a\x04\x15\x04"}, 0},
		{"exit", []string{"exit\r"}, 0},
		{"exit takes the last status", []string{"false\r", "exit\r"}, 1},
		{"end of the shell by a signal", []string{"kill -9 $$\r"}, 137},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sit(t, 80, 24, "shell")
			for i, k := range tt.keys {
				p.until("the prompt", func(s string) bool { return strings.Count(s, "~ $") > i && strings.HasSuffix(s, "~ $\n") })
				p.keys(k)
			}
			p.leaves(tt.status)
		})
	}
}

func TestShellCancels(t *testing.T) {
	for name, key := range map[string]string{"escape": "\x1b", "ctrl+c": "\x03"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sit(t, 80, 24, "shell")
			p.reads("~ $")
			p.keys("echo up; echo $$ > pid; sleep 1000\r")
			p.reads("Esc cancels")
			within(t, "the command is up", func() bool { return filled(p.file("pid")) })
			p.keys(key)
			p.reads("✗ Command cancelled")
			p.keys("echo still here\r")
			p.until("the next prompt", func(s string) bool { return strings.Contains(s, "\nstill here\n") && strings.HasSuffix(s, "\n~ $\n") })
			p.keys("half a line\x03")
			p.until("a fresh prompt", func(s string) bool { return strings.HasSuffix(s, "half a line\n"+lastPrompt(s)+"\n") })
			p.signal(syscall.SIGINT) // as ctrl+c
			p.keys("\x04")
			p.leaves(130)
			if alive(t, p.file("pid")) {
				t.Error("the session is still alive")
			}
		})
	}
}

// lastPrompt returns the last line of a screen.
func lastPrompt(s string) string {
	s = strings.TrimSuffix(s, "\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
}

func TestShellCollapsesAndExpands(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 60, "shell")
	p.reads("~ $")
	p.keys("seq 1 45\r")
	p.reads("Full output: artifact://1")
	if s := p.text(); !strings.Contains(s, "25 earlier lines (Ctrl-O shows all)\n26\n27\n") || strings.Contains(s, "\n25\n") {
		t.Errorf("collapsed:\n%s", s)
	}
	p.keys("\x0f")
	p.reads("\n1\n2\n3\n")
	p.keys("clear_nothing_else")
	p.reads("$ clear_nothing_else")
	p.keys("\x15")
	p.keys("head -c 5000 /dev/zero | tr '\\0' x; echo; sleep 1000\r")
	p.reads("xxxx")
	p.reads("Ctrl-O expands")
	p.keys("\x0f")
	p.reads("Ctrl-O collapses")
	p.keys("\x0f")
	p.reads("Ctrl-O expands")
	p.keys("\x1b")
	p.reads("The view cuts lines at 4,000 characters · Full output: artifact://2")
	p.keys("\x04")
	p.leaves(130)
}

// The history is saved without lines that start with a space, and can be searched.
func TestShellHistory(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "shell")
	p.reads("~ $")
	for _, line := range []string{"echo first", " echo secret", "echo 'two\rlines'", "echo last"} {
		p.keys(line + "\r")
	}
	p.reads("\nlast\n")
	p.keys("\x1b[A\x1b[A\x1b[A\x1b[A\r") // one of them within the two lines
	p.until("the first line again", func(s string) bool { return strings.Count(s, "\nfirst\n") == 2 })
	p.keys("\x12ines\r")
	p.until("the line that was found", func(s string) bool { return strings.Count(s, "\ntwo\nlines\n") == 2 })
	p.keys("\x04")
	p.leaves(0)
	history := p.file("state/pi/history")
	st, err := os.Stat(history)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", st, err)
	}
	text, _ := os.ReadFile(history)
	if want := "echo first\necho 'two\\nlines'\necho last\necho first\necho 'two\\nlines'\n"; string(text) != want {
		t.Errorf("history %q, want %q", text, want)
	}
}

// Keys typed while a command runs go to the next prompt; a pasted block of lines is one command.
func TestShellTypeAheadAndPaste(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "shell")
	p.reads("~ $")
	p.keys("until [ -e go ]; do sleep 0.02; done\r")
	p.reads("Esc cancels")
	p.keys("echo typed ahead\r")
	if err := os.WriteFile(p.file("go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p.reads("\ntyped ahead\n")
	p.keys("\x1b[200~for i in a b; do\r\techo pasted $i\rdone\x1b[201~")
	p.reads("\n> done")
	p.keys("\r")
	p.reads("\npasted a\npasted b\n")
	p.keys("\x04")
	p.leaves(0)
}

// The cursor is in the right place among wide characters, at any width.
func TestShellEditsWideText(t *testing.T) {
	t.Parallel()
	p := sit(t, 24, 12, "shell", "-C", "/")
	p.reads("/ $")
	p.keys("echo 漢字テスト漢字テスト👍🏽e\u0301x")
	p.reads("e\u0301x")
	p.keys("\x1b[D\x1b[D\x7f\x7f")                      // over x and é; the thumb and ト go
	p.keys("\x01\x1b[C\x1b[C\x1b[C\x1b[C\x1b[C\x1b[3~") // 漢 goes
	p.keys("\r")
	p.reads("\n字テスト漢字テスe\u0301x\n")
	p.size(20, 5)
	p.keys("echo small\r")
	p.reads("\nsmall\n")
	p.keys("\x04")
	p.leaves(0)
}

func TestShellEnds(t *testing.T) {
	for _, tt := range []struct {
		sig    syscall.Signal
		status int
	}{{syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}} {
		t.Run(tt.sig.String(), func(t *testing.T) {
			t.Parallel()
			p := sit(t, 80, 24, "shell")
			p.reads("~ $")
			p.keys("echo $$ > pid; sleep 1000\r")
			p.reads("Esc cancels")
			within(t, "the command is up", func() bool { return filled(p.file("pid")) })
			p.signal(tt.sig)
			p.leaves(tt.status)
			if alive(t, p.file("pid")) {
				t.Error("the session is still alive")
			}
		})
	}
}

func TestShellStopAndContinue(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "shell")
	p.reads("~ $")
	p.keys("echo half")
	p.reads("echo half")
	p.signal(syscall.SIGTSTP)
	within(t, "pi is stopped", func() bool { return state(t, p.cmd.Process.Pid) == 'T' })
	p.asBefore()
	p.signal(syscall.SIGCONT)
	p.until("the line again", func(s string) bool { return strings.Count(s, "$ echo half") == 2 })
	p.keys(" whole\r")
	p.reads("\nhalf whole\n")
	p.keys("\x04")
	p.leaves(0)
}

// Without a terminal, commands are read like a script.
func TestShellScript(t *testing.T) {
	for _, tt := range []struct {
		name, in, out, err string
		status             int
	}{
		{"a session", "cd /\nx=1\n\necho $x $PWD\n", "1 /\n", "", 0},
		{"several lines", "for i in 1 2; do\necho $i\ndone\ncat <<E\n$i\nE\n", "1\n2\n2\n", "", 0},
		{"the last status", "true\nexit_status() { return 3; }\nexit_status\n", "", "", 3},
		{"no notices", "cd /tmp\npwd\nfalse\n", "/tmp\n", "", 1},
		{"a status in between", "false\necho $?\n", "1\n", "", 0},
		{"exit", "exit 4\necho not reached\n", "", "", 4},
		{"no newline at the end", "echo a", "a\n", "", 0},
		{"nothing", "", "", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := piCommand(t, "shell")
			c.Env = append(cleanEnv(c.Env), "SHELL=/bin/bash", "PI_SHELL_SNAPSHOT=off")
			c.Stdin = strings.NewReader(tt.in)
			var errs strings.Builder
			c.Stderr = &errs
			out, _ := c.Output()
			if string(out) != tt.out || c.ProcessState.ExitCode() != tt.status || errs.String() != tt.err {
				t.Errorf("printed %q, status %d; want %q, %d; stderr %q", out, c.ProcessState.ExitCode(), tt.out, tt.status, errs.String())
			}
		})
	}
}
