//go:build unix

package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pi/internal/shell"
	"pi/internal/shelltext"
	"pi/internal/testmain"
)

var update = flag.Bool("update", false, "write down what sessions do where they differ from plain shells")

// A sessionProgram is some runs in a row. See testdata/sessions.txt.
type sessionProgram struct {
	name   string
	shells []string
	eval   bool     // the plain shell gets the texts by eval: one that does not parse would end it
	differ []string // shells whose sessions differ
	runs   []programRun
}

type programRun struct {
	text string
	ends bool // the shell
}

// An runAnswer is what a run printed, and its status.
type runAnswer struct {
	Out    string
	Status int
}

var tableShells = []string{"bash", "zsh", "dash"}

func sessionTable(t testing.TB) []sessionProgram {
	t.Helper()
	data, err := os.ReadFile("testdata/sessions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []sessionProgram
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		mark, rest, _ := strings.Cut(line, " ")
		last := len(list) - 1
		switch mark {
		case "==":
			name, shells, _ := strings.Cut(rest, " | ")
			p := sessionProgram{name: name}
			for _, w := range strings.Fields(shells) {
				if w == "eval" {
					p.eval = true
				} else {
					p.shells = append(p.shells, w)
				}
			}
			if p.shells == nil {
				p.shells = tableShells
			}
			list = append(list, p)
		case "~":
			shells, _, _ := strings.Cut(rest, ":")
			list[last].differ = append(list[last].differ, strings.Fields(shells)...)
		case "$", "$!":
			list[last].runs = append(list[last].runs, programRun{rest, mark == "$!"})
		case ">":
			list[last].runs[len(list[last].runs)-1].text += "\n" + rest
		}
	}
	return list
}

// TestSessionsAgainstPlainShells runs every program of the table in a session and in a plain shell that is fed the
// same texts, and wants the same bytes and statuses.
func TestSessionsAgainstPlainShells(t *testing.T) {
	table := sessionTable(t)
	golden := map[string][]runAnswer{}
	if data, err := os.ReadFile("testdata/sessions.json"); err == nil {
		if err := json.Unmarshal(data, &golden); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string][]runAnswer{}
	// All plain shells come first: a child that was not started by ps must not be taken for an orphan of a session.
	var mu sync.Mutex
	t.Run("plain", func(t *testing.T) {
		eachProgram(t, table, func(t *testing.T, key, sh string, p sessionProgram) {
			list := plain(t, sh, p)
			mu.Lock()
			defer mu.Unlock()
			want[key] = list
		})
	})
	for i, w := range transports {
		table := table
		if (i > 0 || testmain.Race) && os.Getenv("PI_LONG") == "" {
			table = everyFourth(table) // the programs try the driver: other transports and the race detector take a sample
		}
		t.Run(w.name, func(t *testing.T) {
			eachProgram(t, table, func(t *testing.T, key, sh string, p sessionProgram) {
				got := inSession(t, sh, p, w.open)
				same := slices.Equal(got, want[key])
				if !slices.Contains(p.differ, sh) {
					if !same {
						t.Errorf("\n got %q\nwant %q", got, want[key])
					}
					return
				}
				if same {
					t.Errorf("does not differ from a plain shell: %q", got)
				}
				mu.Lock()
				defer mu.Unlock()
				if *update {
					golden[key] = got
				}
				if !slices.Equal(got, golden[key]) {
					t.Errorf("\n  got %q\n want %q\nplain %q", got, golden[key], want[key])
				}
			})
		})
	}
	if *update {
		data, _ := json.MarshalIndent(golden, "", "\t")
		if err := os.WriteFile("testdata/sessions.json", append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func everyFourth(table []sessionProgram) (list []sessionProgram) {
	for i := 0; i < len(table); i += 4 {
		list = append(list, table[i])
	}
	return list
}

// eachProgram runs a test for every program in every shell that it is for.
func eachProgram(t *testing.T, table []sessionProgram, test func(t *testing.T, key, sh string, p sessionProgram)) {
	for _, sh := range tableShells {
		for _, p := range table {
			if !slices.Contains(p.shells, sh) {
				continue
			}
			key := sh + "/" + p.name
			t.Run(key, func(t *testing.T) {
				t.Parallel()
				test(t, key, sh, p)
			})
		}
	}
}

func inSession(t *testing.T, sh string, p sessionProgram, where func() (transport, error)) (list []runAnswer) {
	dir := t.TempDir()
	s := testSession(t, sh, dir)
	s.transport = where
	for _, r := range p.runs {
		began := time.Now()
		out, res := do(t, s, Options{Command: r.text})
		if res.Dropped != r.ends {
			t.Errorf("%q: dropped is %v, output %q", r.text, res.Dropped, out)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%q took %v", r.text, took)
		}
		list = append(list, runAnswer{alike(sh, out, dir, true), exitStatus(res.End)})
	}
	return list
}

// plain runs a program in plain shells: each is a script made of the texts, up to the one that ends it, with a mark
// after each.
func plain(t *testing.T, sh string, p sessionProgram) (list []runAnswer) {
	dir := t.TempDir()
	do := `\command`
	if sh == "zsh" {
		do = `\builtin`
	}
	mark := "{ m_=$?; " + do + " printf '\\036%s\\036' \"$m_\"; ( " + do + " exit \"$m_\" ); } 2>/dev/null\n"
	for at := 0; at < len(p.runs); {
		var script strings.Builder
		from := at
		for at < len(p.runs) {
			text := p.runs[at].text
			if p.eval {
				text = "eval " + shelltext.QuoteAlways(text)
			}
			script.WriteString(text + "\n" + mark)
			if at++; p.runs[at-1].ends {
				break
			}
		}
		out, status := plainShell(t, sh, dir, script.String())
		for range at - from {
			one, rest, _ := strings.Cut(out, "\036")
			n, rest, marked := strings.Cut(rest, "\036")
			a := runAnswer{alike(sh, one, dir, false), status}
			if marked {
				a.Status, _ = strconv.Atoi(n)
			}
			list = append(list, a)
			out = rest
		}
	}
	return list
}

func plainShell(t *testing.T, name, dir, script string) (string, int) {
	t.Helper()
	sh, err := shell.Choose(name, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(sh.Path)
	cmd.Args = sh.Args(script)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, sessionEnv(dir), w, w
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	var out bytes.Buffer
	_, _ = bufio.NewReader(r).WriteTo(&out)
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if ws := cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signaled() {
		return out.String(), 128 + int(ws.Signal())
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// alike takes out of an output what is bound to differ: the directory, the number of the line in the script, where the
// shell says it found an error, and the depth of the trace, which eval makes one more in bash.
func alike(sh, out, dir string, session bool) string {
	out = strings.ReplaceAll(out, dir, "DIR")
	for _, r := range []struct{ shell, from, to string }{
		{"bash", `(?m)^bash: (?:-c: |eval: )?line \d+: (?:eval: )?`, "bash: "},
		{"dash", `(?m)^dash: \d+: (?:eval: )?`, "dash: "},
		{"bash", `here-document at line \d+`, "here-document at line N"},
		{"zsh", `(?m)^(?:zsh|\(eval\))(:[^:\n]+)?:\d+: `, "zsh$1: "},
		{"zsh", `(?m)^\+(?:zsh|\(eval\)):\d+> `, "+zsh> "},
	} {
		if r.shell == sh {
			out = regexp.MustCompile(r.from).ReplaceAllString(out, r.to)
		}
	}
	if session && sh == "bash" {
		out = regexp.MustCompile(`(?m)^([+#])[+#]+ `).ReplaceAllString(out, "$1 ")
	}
	return out
}

func (a runAnswer) String() string { return fmt.Sprintf("%q=%d", a.Out, a.Status) }

func exitStatus(e shell.End) int {
	if e.Signal != 0 {
		return 128 + int(e.Signal)
	}
	return e.ExitCode
}
