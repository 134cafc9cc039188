package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"pi/internal/self"
)

// An installed pi is a program file of its own that a test removes or replaces, with a home for what it runs.
type installed struct {
	t    *testing.T
	dir  string // home, working directory and state of every process of this test
	path string // the program file
}

// installPi puts a copy of this test binary into a directory of its own.
func installPi(t *testing.T) *installed {
	t.Helper()
	dir, err := os.MkdirTemp("", "pi") // short: the path of a session's socket goes below it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	p := &installed{t, dir, filepath.Join(dir, "bin", "pi")}
	if err := os.MkdirAll(filepath.Dir(p.path), 0o755); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("/proc/self/exe")
	if err == nil {
		err = os.WriteFile(p.path, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// remove removes the program file.
func (p *installed) remove() {
	p.t.Helper()
	if err := os.Remove(p.path); err != nil {
		p.t.Fatal(err)
	}
}

// replace puts another program in place of the file, which records that it was started.
func (p *installed) replace() {
	p.t.Helper()
	script := "#!/bin/sh\necho \"$*\" >>" + p.dir + "/wrong\n"
	err := os.WriteFile(p.path+".new", []byte(script), 0o755)
	if err == nil {
		err = os.Rename(p.path+".new", p.path)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// command returns pi, started from path, in the home of this test.
func (p *installed) command(path string, args ...string) *exec.Cmd {
	c := exec.Command(path, args...)
	c.Args[0], c.Dir = "pi", p.dir
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "XDG_STATE_HOME=" + p.dir, "XDG_CONFIG_HOME=" + p.dir,
		"XDG_RUNTIME_DIR=" + p.dir, "SHELL=/bin/bash", "PI_SHELL_SNAPSHOT=off"}
	return c
}

// A target is a running pi that outlives its program file.
type target struct {
	pid int
	run func(command string) (answer string)
	// begin starts a command and does not wait for its end.
	begin func(command string)
}

// serve starts pi with args, writes greeting to it, and returns a target that sends the lines that call makes.
func (p *installed) serve(greeting string, call func(id int, command string) string, args ...string) target {
	p.t.Helper()
	c := p.command(p.path, args...)
	in, err := c.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	lines, id := bufio.NewReader(out), 0
	begin := func(command string) {
		id++
		if _, err := io.WriteString(in, greeting+call(id, command)); err != nil {
			p.t.Fatal(err)
		}
		greeting = ""
	}
	run := func(command string) string {
		begin(command)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				p.t.Fatalf("%q after %s", err, command)
			}
			if strings.Contains(line, fmt.Sprintf(`"id":%d,`, id)) && !strings.Contains(line, `"event"`) {
				return line
			}
		}
	}
	return target{c.Process.Pid, run, begin}
}

func (p *installed) rpc() target {
	return p.serve("", func(id int, command string) string {
		return fmt.Sprintf(`{"id":%d,"type":"tool_call","tool":"bash","args":{"events":[],"command":%q}}`+"\n", id, command)
	}, "rpc")
}

func (p *installed) mcp() target { return p.serve(mcpInit, mcpCall, "mcp") }

// host returns a session host that lost its program file, or one that lost it before it was started.
func (p *installed) host(lose func()) target {
	p.t.Helper()
	c := p.command(p.path, "run", "--session", "s", "-")
	in, err := c.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	lose()
	_, _ = io.WriteString(in, "echo up")
	in.Close()
	if err := c.Wait(); err != nil || !strings.Contains(out.String(), "up") {
		p.t.Fatalf("first command of the session: %v: %s", err, out.String())
	}
	client := func(command string) *exec.Cmd {
		return p.command("/proc/self/exe", "run", "--session", "s", "-o", "json", "--", command)
	}
	t := target{pid: p.hostPID()}
	t.run = func(command string) string {
		out, err := client(command).CombinedOutput()
		if err != nil {
			p.t.Fatalf("%s: %v: %s", command, err, out)
		}
		return string(out)
	}
	t.begin = func(command string) {
		c := client(command)
		if err := c.Start(); err != nil {
			p.t.Fatal(err)
		}
		p.t.Cleanup(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		})
	}
	return t
}

// hostPID returns the process ID of the session host of this home.
func (p *installed) hostPID() int {
	p.t.Helper()
	for _, pid := range withArg(p.t, self.SessionHost) {
		env, _ := os.ReadFile("/proc/" + pid + "/environ")
		if strings.Contains(string(env), "HOME="+p.dir) {
			n, _ := strconv.Atoi(pid)
			p.t.Cleanup(func() { _ = syscall.Kill(n, syscall.SIGKILL) })
			return n
		}
	}
	p.t.Fatal("no session host")
	return 0
}

// kept reports whether an artifact of this home holds text.
func (p *installed) kept(text string) (found bool) {
	_ = filepath.WalkDir(filepath.Join(p.dir, "pi"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			data, _ := os.ReadFile(path)
			found = found || bytes.Contains(data, []byte(text))
		}
		return nil
	})
	return found
}

// TestProgramReplaced removes or replaces the program file under a running pi. What that pi starts of itself afterwards
// still is the program that runs.
func TestProgramReplaced(t *testing.T) {
	for how, lose := range map[string]func(*installed){"removed": (*installed).remove, "replaced": (*installed).replace} {
		for kind, start := range map[string]func(p *installed) target{
			"rpc": func(p *installed) target { s := p.rpc(); s.run("true"); lose(p); return s },
			"mcp": func(p *installed) target { s := p.mcp(); s.run("true"); lose(p); return s },
			"session host": func(p *installed) target {
				s := p.host(func() {})
				lose(p)
				return s
			},
			"new session host": func(p *installed) target { return p.host(func() { lose(p) }) },
		} {
			t.Run(kind+" "+how, func(t *testing.T) {
				t.Parallel()
				testSelfStarts(t, installPi(t), start)
			})
		}
	}
}

func testSelfStarts(t *testing.T, p *installed, start func(*installed) target) {
	s := start(p)

	const late = "printed when the command was over"
	answer := s.run("(until [ -e go ]; do sleep 0.01; done; echo " + late + ") & echo up")
	if !strings.Contains(answer, "artifact://") || strings.Contains(answer, "lose") {
		t.Errorf("the answer to a command with a background job: %s", answer)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	within(t, "the output of the background job is kept", func() bool { return p.kept(late + "\n") })

	s.begin(treeCommand)
	near, deep := filepath.Join(p.dir, "near"), filepath.Join(p.dir, "deep")
	within(t, "the command is up", func() bool { return filled(near) && filled(deep) })
	within(t, "the guardian is up", func() bool { return guarded(s.pid) })
	if err := syscall.Kill(s.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	within(t, "nothing is left", func() bool { return !alive(t, near) && !alive(t, deep) })

	if wrong, err := os.ReadFile(filepath.Join(p.dir, "wrong")); err == nil {
		t.Errorf("the new program was started with: %s", wrong)
	}
}
