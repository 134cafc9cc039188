//go:build unix

package session

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pi/internal/ps"
	"pi/internal/shell"
	"pi/internal/shell/snapshot"
	"pi/internal/testmain"
)

// TestFishPrograms: what a fish keeps from run to run, over both transports.
func TestFishPrograms(t *testing.T) {
	type step struct {
		command, out string
		code         int
		ends         bool
	}
	for _, tt := range []struct {
		name  string
		steps []step
	}{
		{"variables stay", []step{{"set x 1; set y a b", "", 0, false}, {"echo $x $y[2]; set -e x", "1 b\n", 0, false}, {"echo \"[$x]\"", "[]\n", 0, false}}},
		{"exported variables reach children", []step{{"set -gx E val; set -g N no", "", 0, false}, {"sh -c 'echo $E [$N]'", "val []\n", 0, false}}},
		{"local variables last for a run", []step{{"set -l x 1; echo $x", "1\n", 0, false}, {"echo \"[$x]\"", "[]\n", 0, false}}},
		{"functions stay", []step{{"function f; echo f $argv; return 3; end", "", 0, false}, {"f 1", "f 1\n", 3, false}, {"echo $status; functions -e f", "3\n", 0, false}, {"functions -q f", "", 1, false}}},
		{"the directory stays", []step{{"mkdir d; cd d", "", 0, false}, {"string replace -r '.*/' '' $PWD; cd ..", "d\n", 0, false}}},
		{"the status is carried over", []step{{"false", "", 1, false}, {"# nothing", "", 1, false}, {"", "", 1, false}, {"echo $status", "1\n", 0, false}}},
		{"exit ends the shell", []step{{"set x 1; exit 4", "", 4, true}, {"echo \"[$x]\"", "[]\n", 0, false}}},
		{"return ends it like a script", []step{{"return 5", "", 5, true}, {"echo on", "on\n", 0, false}}},
		{"exec replaces the shell", []step{{"exec echo gone", "gone\n", 0, true}, {"echo on", "on\n", 0, false}}},
		{"signals", []step{{"kill -9 $fish_pid", "", 137, true}, {"sh -c 'kill -9 $$'", "", 137, false}, {"echo on", "on\n", 0, false}}},
		{"break and continue", []step{{"break; echo no", "", 0, false}, {"for i in 1 2; continue; end; continue; echo no", "", 0, false}, {"echo on", "on\n", 0, false}}},
		{"messages of fish itself", []step{
			{"echo a; nope_zz", "a\nfish: Unknown command: nope_zz\nfish: \necho a; nope_zz\n        ^~~~~~^\n", 127, false},
			{"echo *.nope_zz", "fish: No matches for wildcard '*.nope_zz'. See `help wildcards-globbing`.\necho *.nope_zz\n     ^~~~~~~~^\n", 124, false},
			{"echo on", "on\n", 0, false}}},
		{"syntax errors", []step{{"echo a; if", "", -1, false}, {"echo )", "", 123, false}, {"echo 'open", "", 123, false}, {"echo on", "on\n", 0, false}}},
		{"the input is empty", []step{{"cat; read x; echo $status", "1\n", 0, false}}},
		{"the driver's variables are gone", []step{{"set -e _pi_q _pi_u _pi_s; echo ran >>n", "", 0, true}, {"cat n", "ran\n", 0, false}}},
		{"builtins cannot be redefined in the driver", []step{{"function printf; end; function echo; end; function cat; end", "", 0, false}, {"builtin echo on", "on\n", 0, false}}},
		{"blocks and pipes", []step{{"for i in 1 2 3; echo $i; end | tail -n 1; begin; echo x; end | cat", "3\nx\n", 0, false}}},
		{"traces", []step{{"set -g fish_trace 1", "", 0, false}, {"set -e fish_trace", "", 0, false}, {"echo on", "on\n", 0, false}}},
	} {
		for _, w := range transports {
			t.Run(tt.name+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				testmain.Tool(t, "fish")
				s := testSession(t, "fish", t.TempDir())
				s.transport = w.open
				for _, st := range tt.steps {
					out, res := do(t, s, Options{Command: st.command, Timeout: 20 * time.Second})
					loose := tt.name == "syntax errors" || tt.name == "traces"
					if out != st.out && !(loose && strings.HasSuffix(out, st.out)) || st.code >= 0 && exitStatus(res.End) != st.code || res.Dropped != st.ends || res.TimedOut {
						t.Errorf("%q\n got %q %+v\nwant %q, status %d, dropped %v", st.command, out, res, st.out, st.code, st.ends)
					}
					if st.code > 100 && loose && !strings.Contains(out, "fish: ") {
						t.Errorf("%q: no message in %q", st.command, out)
					}
				}
			})
		}
	}
}

// TestFishRestores: the shell after a dropped one has the directory and the exported variables, lists included.
func TestFishRestores(t *testing.T) {
	testmain.Tool(t, "fish")
	dir := filepath.Join(t.TempDir(), `it's \a b`)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := testSession(t, "fish", dir)
	do(t, s, Options{Command: "set -gx A 'x \"y\" $z\n2' b; set -gx PATH $PATH /zz; set -e LC_ALL; set B no"})
	_, res := do(t, s, Options{Command: "set -gx C late; kill -9 $fish_pid"})
	if !res.Dropped || res.Signal != syscall.SIGKILL {
		t.Errorf("%+v", res)
	}
	res = wantOutput(t, s, Options{Command: `echo $A[1]; count $A; echo "$B|$LC_ALL|$C|$PATH[-1]"; test "$PWD" = '` + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(dir) + `'; echo $status`},
		"x \"y\" $z\n2\n2\n|||/zz\n0\n")
	if !res.Fresh || len(res.Warnings) != 1 || res.Cwd != dir {
		t.Errorf("%+v", res)
	}
	if out, _ := do(t, s, Options{Command: "echo $" + ps.MarkerName}); strings.Count(out, ",") > strings.Count(os.Getenv(ps.MarkerName), ",")+1 {
		t.Errorf("marker %q", out)
	}
}

// TestFishRunOptions: the directory and the variables of a run are undone after it.
func TestFishRunOptions(t *testing.T) {
	testmain.Tool(t, "fish")
	dir := t.TempDir()
	s := testSession(t, "fish", dir)
	do(t, s, Options{Command: "set -g OWN own; set -gx LIST a b"})
	env := []string{"FRESH=new 'q\\'", "OWN=run", "LIST=c", "PATH=/one:/two:" + os.Getenv("PATH")}
	wantOutput(t, s, Options{Command: `echo "$FRESH|$OWN|$LIST|$PATH[2]|$PWD"; sh -c 'echo "$OWN"'; set -gx FRESH changed`, Env: env, Dir: "/usr"}, "new 'q\\'|run|c|/two|/usr\nrun\n")
	wantOutput(t, s, Options{Command: `set -q FRESH; echo $status; echo "$OWN|$LIST[2]|$PWD"; contains /two $PATH; echo $status; sh -c 'echo "[$OWN]"'`}, "1\nown|b|"+dir+"\n1\n[]\n")
	if res := wantOutput(t, s, Options{Command: "cd /", Dir: "/usr"}, ""); res.Cwd != "/" {
		t.Errorf("cwd is %s, want /", res.Cwd)
	}
	if _, err := s.Run(context.Background(), Options{Command: "pwd", Env: []string{"status=1"}, Timeout: time.Minute}, nil); err == nil || !strings.Contains(err.Error(), "status") {
		t.Errorf("reserved variable: %v", err)
	}
}

// TestFishEnds: timeouts and aborts kill what runs, and a background job keeps the output of its run.
func TestFishEnds(t *testing.T) {
	testmain.Tool(t, "fish")
	s := testSession(t, "fish", t.TempDir())
	for _, command := range []string{"echo a; sleep 60", "echo a; while true; end", "echo a; setsid sleep 60 & sleep 60"} {
		out, res := do(t, s, Options{Command: command, Timeout: 1500 * time.Millisecond, Force: forced()})
		if out != "a\n" || !res.TimedOut || !res.Dropped || res.Survivors != 0 {
			t.Errorf("%q: %q %+v", command, out, res)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	res, err := s.Run(ctx, Options{Command: "echo a; sleep 60", Timeout: time.Minute, Force: forced()}, func([]byte) { cancel() })
	if err != nil || !res.Cancelled || !res.Dropped {
		t.Errorf("%+v %v", res, err)
	}
	wantOutput(t, s, Options{Command: "mkfifo gate"}, "")
	var out bytes.Buffer
	res, err = s.Run(context.Background(), Options{Command: "sh -c 'read x <gate; echo late' & echo now", Timeout: time.Minute}, func(p []byte) { out.Write(p) })
	held := res.Held[shell.Stdout]
	if err != nil || out.String() != "now\n" || held == nil || len(res.Background) == 0 {
		t.Fatalf("%q %+v %v", out.String(), res, err)
	}
	wantOutput(t, s, Options{Command: "echo >gate; wait; echo next"}, "next\n")
	late, _ := io.ReadAll(held)
	held.Close()
	if string(late) != "late\n" {
		t.Errorf("the job printed %q", late)
	}
	s.Close()
	if _, _, bg := s.State(); len(bg) != 0 {
		t.Errorf("after Close: %+v", bg)
	}
}

// TestFishLongCommand: a text of any length arrives as it is.
func TestFishLongCommand(t *testing.T) {
	testmain.Tool(t, "fish")
	s := testSession(t, "fish", t.TempDir())
	body := strings.Repeat("it\\'s $x `y` \\\\z \"q\"\n", 50_000)
	text := strings.NewReplacer(`\\`, `\`, `\'`, "'").Replace(body)
	wantOutput(t, s, Options{Command: "set x 1; echo -n '" + body + "' | cksum"}, cksum(t, text))
	wantOutput(t, s, Options{Command: "echo $x"}, "1\n")
}

func TestFishSessionWithSnapshot(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".config", "fish"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".config", "fish", "config.fish"), []byte("function f; echo f; end\nabbr -a g 'echo g'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sh := shell.Shell{Path: testmain.Tool(t, "fish"), Dialect: shell.DialectOf("fish")}
	snap, warning := snapshot.Take(t.Context(), snapshot.Spec{Shell: sh, Env: sessionEnv(home), Home: home, CacheDir: filepath.Join(home, "cache")})
	if warning != "" || snap.Script == "" {
		t.Fatalf("Take = %+v, warning %q", snap, warning)
	}
	s := New(Spec{Shell: sh, Dir: home, Env: sessionEnv(home), Snapshot: snap.Script})
	defer s.Close()
	wantOutput(t, s, Options{Command: "f; g 1"}, "f\ng 1\n")
	do(t, s, Options{Command: "exit"})
	wantOutput(t, s, Options{Command: "f"}, "f\n")
}
