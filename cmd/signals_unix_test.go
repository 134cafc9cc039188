//go:build unix

package cmd

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pi/internal/run"
)

// piCommand returns a command that runs pi as another process: this test binary under another name.
func piCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	dir := t.TempDir()
	link := filepath.Join(dir, "pi")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(link, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	return c
}

// within fails the test if done does not become true in generous time.
func within(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if done() {
			return
		}
	}
	t.Fatalf("waited in vain: %s", what)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// filled reports whether a file has content; a redirection creates it empty first.
func filled(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Size() > 0
}

// alive reports whether the process whose PID is in the file is running.
func alive(t *testing.T, file string) bool {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid := strings.TrimSpace(string(data))
	if pid == "" {
		t.Fatalf("%s is empty", file)
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !bytes.Contains(stat, []byte(") Z "))
}

const treeCommand = `echo up; (setsid sh -c 'echo $$ > deep; exec sleep 1000' &) ; sleep 1000 & echo $! > near; wait`

func TestSignalsEndTheTree(t *testing.T) {
	for _, tt := range []struct {
		sig    syscall.Signal
		status int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}, {syscall.SIGQUIT, 131}} {
		t.Run(tt.sig.String(), func(t *testing.T) {
			t.Parallel()
			c := piCommand(t, "run", "-o", "json", "--", treeCommand)
			var out bytes.Buffer
			c.Stdout = &out
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			near, deep := filepath.Join(c.Dir, "near"), filepath.Join(c.Dir, "deep")
			within(t, "the command is up", func() bool { return filled(near) && filled(deep) })
			if err := c.Process.Signal(tt.sig); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			if got := c.ProcessState.ExitCode(); got != tt.status {
				t.Errorf("exit status %d, want %d", got, tt.status)
			}
			var r run.Result
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatalf("stdout is no JSON: %v: %q", err, out.String())
			}
			if r.Details.Status != run.Cancelled || !r.IsError || r.Content[0].Text != "up\n\nCommand cancelled" {
				t.Errorf("result %+v", r)
			}
			if alive(t, near) || alive(t, deep) {
				t.Error("a member of the tree is still alive")
			}
		})
	}
}

// If pi is killed with SIGKILL, the guardian kills the tree.
func TestKilledPiLeavesNothing(t *testing.T) {
	c := piCommand(t, "run", "--", treeCommand)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	near, deep := filepath.Join(c.Dir, "near"), filepath.Join(c.Dir, "deep")
	within(t, "the command is up", func() bool { return filled(near) && filled(deep) })
	within(t, "the guardian is up", func() bool { return guarded(c.Process.Pid) })
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	within(t, "nothing is left", func() bool { return !alive(t, near) && !alive(t, deep) })
}

// guarded reports whether a child of pid is a guardian.
func guarded(pid int) bool {
	out, _ := exec.Command("ps", "-o", "args=", "--ppid", strconv.Itoa(pid)).Output()
	return strings.Contains(string(out), "__guardian")
}

// The second interrupt skips the grace period.
func TestSecondInterruptKillsAtOnce(t *testing.T) {
	c := piCommand(t, "run", "--", `trap '' TERM INT; echo $$ > near; while :; do sleep 0.05; done`)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	near := filepath.Join(c.Dir, "near")
	within(t, "the command is up", func() bool { return filled(near) })
	began := time.Now()
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	for over := false; !over; {
		_ = c.Process.Signal(syscall.SIGINT)
		select {
		case <-ended:
			over = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Logf("ended after %v", time.Since(began)) // without the second interrupt it takes 2 s
	if got := c.ProcessState.ExitCode(); got != 130 || alive(t, near) {
		t.Errorf("exit status %d, alive %v", got, alive(t, near))
	}
}

// A signal that was ignored when pi started stays ignored in pi, and has its default action in the command.
func TestIgnoredSignals(t *testing.T) {
	c := piCommand(t, "run", "--", `kill -HUP $$; echo survived`)
	nohup := exec.Command("sh", append([]string{"-c", `trap '' HUP; exec "$0" "$@"`, c.Path}, c.Args[1:]...)...)
	nohup.Dir, nohup.Env = c.Dir, c.Env
	out, _ := nohup.Output()
	if len(out) != 0 || nohup.ProcessState.ExitCode() != 129 {
		t.Errorf("output %q, exit status %d; want the command ended by SIGHUP", out, nohup.ProcessState.ExitCode())
	}
}

func TestReaderClosesPipe(t *testing.T) {
	for _, args := range [][]string{
		{"run", "--stream", "--", "yes"},
		{"run", "-o", "stream-json", "--", "yes"},
	} {
		t.Run(args[1], func(t *testing.T) {
			t.Parallel()
			c := piCommand(t, args...)
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			var errs bytes.Buffer
			c.Stderr = &errs
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(out, make([]byte, 1000)); args[1] == "--stream" && err != nil {
				t.Fatal(err)
			}
			out.Close()
			_ = c.Wait()
			if got := c.ProcessState.ExitCode(); got != 141 {
				t.Errorf("exit status %d, want 141; stderr %q", got, errs.String())
			}
		})
	}
}

// A reader that never reads blocks the command, but not its timeout.
func TestReaderThatNeverReads(t *testing.T) {
	for _, args := range [][]string{
		{"run", "--stream", "-t", "1", "--", "yes"},
		{"run", "--stream", "-t", "1", "--", "printf start; yes x | head -c 10000000 | tr -d '\\n'; sleep 100"},
	} {
		t.Run(strings.Fields(args[5])[0], func(t *testing.T) {
			t.Parallel()
			c := piCommand(t, args...)
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			var errs bytes.Buffer
			c.Stderr = &errs
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				_, _ = c.Process.Wait()
				close(ended)
			}()
			select {
			case <-ended:
			case <-time.After(30 * time.Second):
				t.Error("still running")
				_ = c.Process.Kill()
			}
			_ = c.Wait()
			if !strings.Contains(errs.String(), "timed out after 1 second") {
				t.Errorf("stderr %q", errs.String())
			}
		})
	}
}

func TestStandardStreamsClosed(t *testing.T) {
	for _, tt := range []struct{ name, redirect string }{
		{"stdout", ">&-"}, {"stderr", "2>&-"}, {"all", "<&- >&- 2>&-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := piCommand(t, "run", "--", "cat; echo out; echo x > made; exit 4")
			sh := exec.Command("sh", append([]string{"-c", `exec "$0" "$@" ` + tt.redirect, c.Path}, c.Args[1:]...)...)
			sh.Dir, sh.Env = c.Dir, c.Env
			_ = sh.Run()
			if got := sh.ProcessState.ExitCode(); got != 4 || !exists(filepath.Join(c.Dir, "made")) {
				t.Errorf("exit status %d, want 4; ran: %v", got, exists(filepath.Join(c.Dir, "made")))
			}
		})
	}
}

// SIGQUIT ends pi before it has anything to end, and prints no goroutines.
func TestQuitBeforeTheRun(t *testing.T) {
	c := piCommand(t, "run", "-")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(bytes.Repeat([]byte(" "), 1<<18)); err != nil { // more than a pipe holds: pi reads its command
		t.Fatal(err)
	}
	if err := c.Process.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if got := c.ProcessState.ExitCode(); got != 131 || errs.Len() > 0 {
		t.Errorf("exit status %d, want 131; stderr %.200q", got, errs.String())
	}
}
