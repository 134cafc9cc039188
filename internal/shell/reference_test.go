//go:build unix

package shell

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestExecuteAgainstBash runs every command of the table through Execute and through a plain `bash -c`, started as
// a person's script would start it, and wants the same bytes and the same end.
func TestExecuteAgainstBash(t *testing.T) {
	type answer struct {
		out  string
		code int
	}
	table := tableOf(t, "testdata/commands.jsonl")
	want := make([]answer, len(table))
	// All references come first: a child that was not started by ps must not be taken for an orphan of a run.
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
			s := spec(t, c.Command, &r)
			end := execute(t, s)
			for _, p := range end.Background {
				_ = syscall.Kill(p.PID, syscall.SIGKILL)
			}
			want, code := want[i].out, want[i].code
			got := r.text(Stdout)
			if got != want {
				t.Errorf("%s\n got %q\nwant %q", c.Command, got, want)
			}
			if status := exitStatus(end); status != code {
				t.Errorf("%s: status %d, want %d", c.Command, status, code)
			}
		})
	}
}

func exitStatus(e End) int {
	if e.Signal != 0 {
		return 128 + int(e.Signal)
	}
	return e.ExitCode
}

type tableCommand struct{ ID, Command string }

func tableOf(t *testing.T, file string) []tableCommand {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []tableCommand
	for line := range bytes.Lines(data) {
		var c tableCommand
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// reference runs the command in bash with one pipe for both outputs, and reads until bash is done and the pipe has
// been silent for a while, which is long enough for the table's commands.
func reference(t *testing.T, s Spec) (string, int) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(s.Shell.Path)
	cmd.Args = []string{"bash", "-c", s.Command}
	cmd.Dir, cmd.Env = t.TempDir(), s.Env
	cmd.Stdout, cmd.Stderr = w, w
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	err = cmd.Wait()
	_ = r.SetReadDeadline(time.Now().Add(400 * time.Millisecond))
	var out strings.Builder
	_, _ = bufio.NewReader(r).WriteTo(&out)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if ws := cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signaled() {
		return out.String(), 128 + int(ws.Signal())
	}
	return out.String(), cmd.ProcessState.ExitCode()
}
