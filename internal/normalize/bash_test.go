package normalize

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// outcome is what a caller sees of one command.
type outcome struct{ stdout, stderr string }

// workDir is a directory with a few known files.
func workDir(t testing.TB) string {
	dir := t.TempDir()
	files := map[string]string{
		"f": "f1\nf2\nf3\nf4\n", "g": "g1\ng2", "empty": "", "a b": "blank\nin\nname\n",
		"inc.sh": "echo sourced\nx=1\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runBash runs text as pi does: bash -c, no input, separate pipes. headLines > 0 closes standard
// output after so many lines, as head does.
func runBash(t testing.TB, bash, dir, text string, headLines int) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bash, "-c", text)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "HOME=" + dir}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.WaitDelay = 10 * time.Second
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	stdout := readLines(r, headLines)
	r.Close()
	_ = cmd.Wait() // the status is the producer's by contract
	if ctx.Err() != nil {
		t.Fatalf("bash did not end: %q", text)
	}
	return outcome{stdout, stderr.String()}
}

// readLines reads n lines, or everything when n is 0.
func readLines(r io.Reader, n int) string {
	if n == 0 {
		b, _ := io.ReadAll(r)
		return string(b)
	}
	var out strings.Builder
	br := bufio.NewReader(r)
	for range n {
		line, err := br.ReadString('\n')
		out.WriteString(line)
		if err != nil {
			break
		}
	}
	return out.String()
}

// lastLines is the obvious tail -n.
func lastLines(s string, n int) string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines[max(len(lines)-n, 0):], "")
}

// sameAsBash compares a normalised command with what bash makes of the original.
func sameAsBash(t testing.TB, bash, original string, got Result) {
	t.Helper()
	want := runBash(t, bash, workDir(t), original, 0)
	have := runBash(t, bash, workDir(t), got.Command, got.Limits.Head)
	if got.Limits.Tail > 0 {
		have.stdout = lastLines(have.stdout, got.Limits.Tail)
	}
	if have.stdout != want.stdout {
		t.Errorf("%q as %q: stdout %q, bash gives %q", original, got.Command, have.stdout, want.stdout)
	}
	// How far a producer gets after its head is gone, and what it says about that, is a race in
	// bash too.
	if got.Limits.Head == 0 && have.stderr != want.stderr {
		t.Errorf("%q as %q: stderr %q, bash gives %q", original, got.Command, have.stderr, want.stderr)
	}
}
