//go:build unix

package shell

import (
	"bytes"
	"context"
	"os"
	"testing"
	"time"
)

// testSession is a session of a shell that lives in dir.
func testSession(t testing.TB, shell, dir string) *Session {
	t.Helper()
	sh, err := Choose(shell, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(SessionSpec{Shell: sh, Dir: dir, Env: sessionEnv(dir)})
	t.Cleanup(s.Close)
	return s
}

func sessionEnv(dir string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C.UTF-8"}
}

// do runs one command and gives its output.
func do(t testing.TB, s *Session, o RunOptions) (string, RunResult) {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	var out bytes.Buffer
	res, err := s.Run(context.Background(), o, func(p []byte) { out.Write(p) })
	if err != nil {
		t.Fatalf("Run(%.200q): %v", o.Command, err)
	}
	for _, f := range res.Held {
		f.Close()
	}
	return out.String(), res
}

func TestSessionTry(t *testing.T) {
	for _, sh := range []string{"bash", "zsh", "dash"} {
		s := testSession(t, sh, t.TempDir())
		for _, c := range []string{"echo a; x=1", "echo $x", "false", "echo $?", "set -x", "echo tr", "set +x", "break; echo b", "if then", "set -n", "exit 7", "echo $x $$", "f() { echo in f; }", "f; cd /usr; export Q='a b'",
			"builtin() { :; }; command() { :; }; read() { echo R; }", "echo hi; pwd", "kill -9 $$", "pwd; echo \"$Q\"", "set -e; false; echo no", "set -u; echo $nope", "exec 1>&- 2>&-", "echo ok; exec true", "trap 'echo bye' EXIT; echo t", "exit 3", "readonly r=1; r=2; echo after", "return 4", "sleep 0.1 & echo bg", "echo end"} {
			out, res := do(t, s, RunOptions{Command: c})
			t.Logf("%s %q -> %q code=%d sig=%d cwd=%s dropped=%v fresh=%v %q", sh, c, out, res.ExitCode, res.Signal, res.Cwd, res.Dropped, res.Fresh, res.Warnings)
		}
	}
}

func BenchmarkSessionTrue(b *testing.B) {
	for _, sh := range []string{"bash", "zsh", "dash"} {
		for _, c := range []string{"true", "/bin/true"} {
			b.Run(sh+" "+c, func(b *testing.B) {
				s := testSession(b, sh, b.TempDir())
				do(b, s, RunOptions{Command: c})
				b.ReportAllocs()
				for b.Loop() {
					do(b, s, RunOptions{Command: c})
				}
			})
		}
	}
}
