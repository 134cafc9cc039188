//go:build unix

package shell

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pi/internal/shell/embedded"
)

// embeddedSpec is a command for the embedded shell.
func embeddedSpec(t *testing.T, command string, r *recorder) Spec {
	t.Helper()
	s := spec(t, command, r)
	var err error
	if s.Shell, err = Choose(embedded.Name, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// embeddedDiffers names the commands of the table with which the embedded shell is not like bash, and why.
var embeddedDiffers = map[string]string{
	"exit/exit-nonnum":  "words of a builtin's complaint",
	"exit/syntax-if":    "words of a syntax error",
	"exit/syntax-quote": "words of a syntax error",
	"exit/break-top":    "words of a builtin's complaint",
	"exit/continue-top": "words of a builtin's complaint",
	"exit/wait-bad":     "words, and 1 for 127",
	"exit/sub-ulimit":   "no ulimit",
	"stdin/devtty":      "a redirection does not know its line",
	"vars/pids":         "the process has the arguments of pi's own",
	"lang/read-t":       "no time limit on read",
	"lang/coproc":       "no coproc",
	"lang/noclobber":    "no noclobber",
	"lang/printf":       "%q quotes in the way of printf(1)",
	"lang/select-fd":    "no descriptors above 2",
	"output/closed-out": "a closed stream takes everything",
}

// TestEmbeddedAgainstBash runs the table in the embedded shell and in bash. Output and status are the same, except
// where embeddedDiffers has a reason; a reason without a difference is an error too. What only looks at the bytes of a
// program is left out: they do not pass through a shell.
func TestEmbeddedAgainstBash(t *testing.T) {
	table := slices.DeleteFunc(tableOf(t, "testdata/commands.jsonl"), func(c tableCommand) bool { return strings.HasPrefix(c.Command, "python3") })
	type answer struct {
		out  string
		code int
	}
	want := make([]answer, len(table))
	t.Run("reference", func(t *testing.T) {
		for i, c := range table {
			t.Run(c.ID, func(t *testing.T) {
				t.Parallel()
				want[i].out, want[i].code = reference(t, spec(t, c.Command, new(recorder)))
			})
		}
	})
	for i, c := range table {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			var r recorder
			end := execute(t, embeddedSpec(t, c.Command, &r))
			for _, p := range end.Background {
				_ = syscall.Kill(p.PID, syscall.SIGKILL)
			}
			got := answer{strings.ReplaceAll(r.text(Stdout), "sh: line ", "bash: line "), exitStatus(end)}
			reason, differs := embeddedDiffers[c.ID]
			switch {
			case got == want[i] && differs:
				t.Errorf("no difference any more: %s", reason)
			case got != want[i] && !differs:
				t.Errorf("%s\n got %d %q\nwant %d %q", c.Command, got.code, got.out, want[i].code, want[i].out)
			}
		})
	}
}

func TestEmbeddedEnds(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("( ", n) + "echo a" + strings.Repeat(" )", n) }
	for _, tt := range []struct {
		name, command, out string
		code               int
		signal             syscall.Signal
	}{
		{"status", "exit 42", "", 42, 0},
		{"own TERM", "echo x; kill -TERM $$; echo y", "x\n", 0, syscall.SIGTERM},
		{"own USR1", "echo x; kill -USR1 $$; echo y", "x\n", 0, syscall.SIGUSR1},
		{"own KILL", "echo x; kill -KILL $$; echo y", "x\n", 0, syscall.SIGKILL},
		{"a child's signal", "sh -c 'kill -9 $$'", "", 137, 0},
		{"nothing of a text that does not parse", "echo a\nfi", "sh: line 2: syntax error: `fi` can only be used to end an `if`\n", 2, 0},
		{"nested too deeply", nested(100_000), "sh: the command is nested too deeply for the embedded shell\n", 2, 0},
		{"nested as nobody does", nested(500), "a\n", 0, 0},
		{"not there", "nope_zz; echo $?", "sh: line 1: nope_zz: command not found\n127\n", 0, 0},
		{"not there, by path", "\n./nope_zz", "sh: line 2: ./nope_zz: No such file or directory\n", 127, 0},
		{"not executable", "echo >f; ./f", "sh: line 1: ./f: Permission denied\n", 126, 0},
		{"a directory", "/; echo $?", "sh: line 1: /: Is a directory\n126\n", 0, 0},
		{"too many arguments", "/bin/true $(seq 400000); echo $?", "sh: line 1: /bin/true: Argument list too long\n126\n", 0, 0},
		{"interpreter missing", "printf '#!/no/such\\n' >f; chmod +x f; ./f; echo $?", "sh: line 1: ./f: No such file or directory\n127\n", 0, 0},
		{"redirection", "cat </no/such; echo $?", "sh: /no/such: No such file or directory\n1\n", 0, 0},
		{"writer without a reader", "while :; do echo x; done | head -n 2; echo $?", "x\nx\n0\n", 0, 0},
		{"printf without a reader", "set -o pipefail; while :; do printf x; done | head -c 2; echo $?", "xx141\n", 0, 0},
		{"standard streams by name", "{ echo a >/dev/stderr; echo b >/dev/stdout; } 2>/dev/null; echo c | cat /dev/stdin", "b\nc\n", 0, 0},
		{"caught output by name", "x=$(echo a >/dev/stdout; echo b >/dev/stderr); echo $x", "b\na\n", 0, 0},
		{"forced redirection", "echo a >f; echo b >|f; cat f", "b\n", 0, 0},
		{"printf of the program", `printf '%.2f|%5s|%q\n' 1.5 a 'b c'`, "1.50|    a|'b c'\n", 0, 0},
		{"exit trap", "trap 'echo bye' EXIT; echo a; exit 3", "a\nbye\n", 3, 0},
		{"descriptors", "ls /proc/self/fd | tr '\\n' ' '; grep flags /proc/self/fdinfo/0", "0 1 2 3 flags:\t0100000\n", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			end := execute(t, embeddedSpec(t, tt.command, &r))
			if got := r.text(Stdout); got != tt.out {
				t.Errorf("output %.500q, want %q", got, tt.out)
			}
			if end.Signal != tt.signal || tt.signal == 0 && end.ExitCode != tt.code {
				t.Errorf("end %+v, want code %d, signal %d", end, tt.code, tt.signal)
			}
		})
	}
}

func TestEmbeddedInput(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, []byte("given\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	long := "x='" + strings.Repeat("abcdefghij", 20_000) + "'; echo ${#x}; cat; echo \"$0 $#\"; exit 3"
	for _, tt := range []struct {
		name, command string
		given         bool
		out           string
		code          int
	}{
		{"null by default", "cat; read x; echo \"$? [$x]\"; readlink /proc/self/fd/0", false, "1 []\n/dev/null\n", 0},
		{"given", "read x; echo $x; cat", true, "given\n", 0},
		{"long command", long, false, "200000\nsh 0\n", 3},
		{"long command with input", long, true, "200000\ngiven\nsh 0\n", 3},
		{"empty", "", false, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			s := embeddedSpec(t, tt.command, &r)
			if tt.given {
				f, err := os.Open(in)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				s.Stdin = f
			}
			if end := execute(t, s); r.text(Stdout) != tt.out || end.ExitCode != tt.code {
				t.Errorf("output %.200q, code %d; want %q, %d", r.text(Stdout), end.ExitCode, tt.out, tt.code)
			}
		})
	}
}

// A job that is text of the shell lives on after the foreground, and so does what it prints.
func TestEmbeddedBackground(t *testing.T) {
	for _, tt := range []struct{ name, job string }{
		{"program", "sh -c 'while [ ! -e GATE ]; do sleep 0.02; done; echo late' &"},
		{"shell text", "while [ ! -e GATE ]; do sleep 0.02; done && echo late &"},
		{"of a subshell", "( (while [ ! -e GATE ]; do sleep 0.02; done; echo late) & );"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			gate := filepath.Join(t.TempDir(), "gate")
			var r recorder
			end, err := Execute(context.Background(), embeddedSpec(t, strings.ReplaceAll(tt.job, "GATE", gate)+" echo now; exit 5", &r))
			if err != nil {
				t.Fatal(err)
			}
			if r.text(Stdout) != "now\n" || end.ExitCode != 5 || end.Held[Stdout] == nil || len(end.Background) == 0 {
				t.Fatalf("output %q, end %+v", r.text(Stdout), end)
			}
			if err := os.WriteFile(gate, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			var rest strings.Builder
			buf := make([]byte, 100)
			for n := 1; n > 0; { // until the last writer is gone
				n, _ = end.Held[Stdout].Read(buf)
				rest.Write(buf[:n])
			}
			if rest.String() != "late\n" {
				t.Errorf("later output %q", rest.String())
			}
			end.Held[Stdout].Close()
		})
	}
}

// What is left of a command that ended without jobs does not hold its output.
func TestEmbeddedHoldsNothing(t *testing.T) {
	for _, command := range []string{
		"echo <(echo a) >/dev/null", "f() { :; }; f <(echo a) >(cat)", "nope_zz <(echo a) 2>/dev/null", "true <(sleep 0.01)",
		"cat <<E >/dev/null\na\nE", "read x <<< a", "cat <(echo a) >/dev/null",
	} {
		t.Run(command, func(t *testing.T) {
			// Not parallel: a substitution that gets no processor time for 250 ms rightly holds the output.
			var r recorder
			end := execute(t, embeddedSpec(t, command, &r))
			if r.text(Stdout) != "" || len(end.Held) != 0 {
				t.Errorf("output %q, end %+v", r.text(Stdout), end)
			}
			for _, p := range end.Background { // may be on its way out still
				for limit := time.Now().Add(20 * time.Second); syscall.Kill(p.PID, 0) == nil; time.Sleep(5 * time.Millisecond) {
					if time.Now().After(limit) {
						t.Fatalf("%+v stays", p)
					}
				}
			}
		})
	}
}

func TestEmbeddedTimeout(t *testing.T) {
	for i, tt := range []struct{ name, command, out string }{
		{"sleep", "echo before; echo warn >&2; sleep TAG", "before\nwarn\n"},
		{"busy loop", "echo spin; while :; do :; done", "spin\n"},
		{"pipeline", "echo a; sleep TAG | sleep TAG", "a\n"},
		{"jobs", "echo a; (while :; do sleep TAG; done) & sleep TAG & wait", "a\n"},
		{"deaf", "echo a; sh -c \"trap '' TERM; sleep TAG; sleep TAG\"", "a\n"},
		{"in another session", "setsid sh -c \"trap '' TERM; sleep TAG; sleep TAG\" & echo a; sleep TAG", "a\n"},
		{"waiting for input", "echo a; read x < <(sleep TAG)", "a\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tag := fmt.Sprintf("97%d.%d", i, os.Getpid())
			var r recorder
			s := embeddedSpec(t, strings.ReplaceAll(tt.command, "TAG", tag), &r)
			s.Timeout = 4 * time.Second // enough for pi to come up as the shell, under the race detector too
			end := execute(t, s)
			if !end.TimedOut || end.Survivors != 0 || len(end.Held) != 0 {
				t.Errorf("end %+v, want a timeout without survivors", end)
			}
			// A shell that ignores TERM may get to see its child killed.
			if got := r.text(Stdout); strings.TrimSuffix(got, "Killed\n") != tt.out {
				t.Errorf("output %q, want %q", got, tt.out)
			}
			if left := running(t, tag); len(left) > 0 {
				t.Errorf("still running: %q", left)
			}
		})
	}
}

// TestEmbeddedEndlessRecursion: it comes to the bound on nesting, or to the timeout, whichever is first.
func TestEmbeddedEndlessRecursion(t *testing.T) {
	var r recorder
	s := embeddedSpec(t, "f() { f; }; f", &r)
	s.Timeout = 4 * time.Second
	end, out := execute(t, s), ""
	if !end.TimedOut {
		out = "sh: the command is nested too deeply for the embedded shell\n"
	}
	if end.Survivors != 0 || !end.TimedOut && end.ExitCode != 2 || r.text(Stdout) != out {
		t.Errorf("end %+v, output %q", end, r.text(Stdout))
	}
}

// running lists the command lines that hold tag, where there is a /proc.
func running(t *testing.T, tag string) (lines []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if line, err := os.ReadFile(f); err == nil && strings.Contains(string(line), tag) {
			lines = append(lines, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return lines
}

func TestEmbeddedCancel(t *testing.T) {
	var r recorder
	s := embeddedSpec(t, "echo up; sleep 100 & sleep 100", &r)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		r.waitFor(t, "up")
		cancel()
	}()
	if end, err := Execute(ctx, s); err != nil || !end.Cancelled || end.Survivors != 0 {
		t.Errorf("end %+v, %v; want cancelled", end, err)
	}
}

func TestEmbeddedSplit(t *testing.T) {
	var r recorder
	s := embeddedSpec(t, "echo out; echo err >&2; ls /no/such 2>&1 >/dev/null | wc -l; echo both 2>&1", &r)
	s.Split = true
	execute(t, s)
	if r.text(Stdout) != "out\n1\nboth\n" || r.text(Stderr) != "err\n" {
		t.Errorf("stdout %q, stderr %q", r.text(Stdout), r.text(Stderr))
	}
}

func TestEmbeddedEnvironment(t *testing.T) {
	var r recorder
	s := embeddedSpec(t, `echo "$A $SHLVL $PWD"; B=2 sh -c 'echo "$A $B $SHLVL"; pwd'; cd /; pwd; sh -c pwd; X=1; sh -c 'echo "[$X]"'`, &r)
	s.Dir, s.Env = "/usr", []string{"A=1", "PATH=/usr/bin:/bin", "SHLVL=3"}
	execute(t, s)
	if got, want := r.text(Stdout), "1 4 /usr\n1 2 4\n/usr\n/\n/\n[]\n"; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
}

// Without any shell in the directories that are searched, the embedded one it is.
func TestChooseWithoutAnyShell(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "zsh"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, path string
		dirs       []string
		want       *Dialect
		err        string
	}{
		{"no shell", "", []string{"/no/such", "relative"}, nil, ""},
		{"only zsh", "", []string{dir}, &zsh, ""},
		{"asked for", embedded.Name, []string{dir}, nil, ""},
		{"another one asked for", "bash", []string{dir}, nil, `shell.path "bash": not found on PATH`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := choose(tt.path, []string{"SHELL=/no/such/bash"}, tt.dirs)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil || got.Dialect != tt.want || !filepath.IsAbs(got.Path) {
				t.Errorf("choose = %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}
