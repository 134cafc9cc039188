//go:build unix

package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pi/internal/ps"
	"pi/internal/shell"
	"pi/internal/shelltext"
)

// testSession is a session of a shell that lives in dir.
func testSession(t testing.TB, name, dir string) *Session {
	t.Helper()
	sh, err := shell.Choose(name, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	s := New(Spec{Shell: sh, Dir: dir, Env: sessionEnv(dir)})
	t.Cleanup(s.Close)
	return s
}

// transports are the ways in which a session speaks to its shell.
var transports = []struct {
	name string
	open func() (transport, error)
}{
	{"session", newTransport},
	{"fifo", func() (transport, error) { return newFifoTransport() }},
}

func sessionEnv(dir string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C.UTF-8"}
}

// do runs one command and returns its output.
func do(t testing.TB, s *Session, o Options) (string, Result) {
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

// eachShell runs a test in every shell that sessions speak to.
func eachShell(t *testing.T, test func(t *testing.T, sh string)) {
	for _, sh := range tableShells {
		t.Run(sh, func(t *testing.T) {
			t.Parallel()
			test(t, sh)
		})
	}
}

func wantOutput(t *testing.T, s *Session, o Options, want string) Result {
	t.Helper()
	out, res := do(t, s, o)
	if out != want {
		t.Errorf("%q printed %q, want %q (%+v)", o.Command, out, want, res)
	}
	return res
}

func TestSessionEnvironmentOfARun(t *testing.T) {
	eachShell(t, func(t *testing.T, sh string) {
		s := testSession(t, sh, t.TempDir())
		env := []string{"HOME=/h", "FRESH=new 'q'", "SHELLVAR=run"}
		wantOutput(t, s, Options{Command: "SHELLVAR=own"}, "")
		wantOutput(t, s, Options{Command: `echo "$HOME|$FRESH|$SHELLVAR"; sh -c 'echo "$FRESH"'; FRESH=changed; HOME=/x; unset SHELLVAR`, Env: env},
			"/h|new 'q'|run\nnew 'q'\n")
		dir := s.spec.Dir
		wantOutput(t, s, Options{Command: `echo "$HOME|${FRESH-unset}|$SHELLVAR"; sh -c 'echo "$HOME|${FRESH-unset}|${SHELLVAR-unset}"'`},
			dir+"|unset|own\n"+dir+"|unset|unset\n")
		wantOutput(t, s, Options{Command: "false", Env: env}, "")
		wantOutput(t, s, Options{Command: `echo "$? $HOME"`}, "1 "+dir+"\n")
		_, res := do(t, s, Options{Command: "exit 3", Env: env})
		if !res.Dropped {
			t.Errorf("%+v", res)
		}
		wantOutput(t, s, Options{Command: `echo "$HOME|${FRESH-unset}"`}, dir+"|unset\n")
	})
}

func TestSessionDirOfARun(t *testing.T) {
	eachShell(t, func(t *testing.T, sh string) {
		dir := t.TempDir()
		s := testSession(t, sh, dir)
		res := wantOutput(t, s, Options{Command: "pwd", Dir: "/usr"}, "/usr\n")
		if res.Cwd != dir {
			t.Errorf("cwd is %s, want %s", res.Cwd, dir)
		}
		wantOutput(t, s, Options{Command: "pwd; cd /bin; cd /etc"}, dir+"\n")
		wantOutput(t, s, Options{Command: "true", Dir: "/usr"}, "")
		wantOutput(t, s, Options{Command: "echo $OLDPWD; cd " + dir}, "/bin\n")
		if res = wantOutput(t, s, Options{Command: "cd /", Dir: "/usr"}, ""); res.Cwd != "/" {
			t.Errorf("cwd is %s, want /", res.Cwd)
		}
		wantOutput(t, s, Options{Command: "pwd"}, "/\n")
		wantOutput(t, s, Options{Command: "(exit 4)", Dir: "/usr"}, "")
		wantOutput(t, s, Options{Command: "echo $?; pwd"}, "4\n/\n")
		if _, err := s.Run(context.Background(), Options{Command: "pwd", Dir: dir + "/nope", Timeout: time.Minute}, nil); err == nil {
			t.Error("no error for a missing directory")
		}
		wantOutput(t, s, Options{Command: "pwd"}, "/\n")
	})
}

func TestSessionRestores(t *testing.T) {
	eachShell(t, func(t *testing.T, sh string) {
		dir := filepath.Join(t.TempDir(), "it's a b")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		s := testSession(t, sh, "/")
		wantOutput(t, s, Options{Command: "export A='x \"y\" $z `w`\n2' PATH=$PATH:/zz; unset LC_ALL; B=no; cd " + shelltext.QuoteAlways(dir)}, "")
		_, res := do(t, s, Options{Command: "export C=late; kill -9 $$"})
		if !res.Dropped || res.Signal != syscall.SIGKILL {
			t.Errorf("%+v", res)
		}
		res = wantOutput(t, s, Options{Command: `pwd; echo "$A|${B-}|${LC_ALL-}|${C-}"; sh -c 'echo "$A"'; case $PATH in *:/zz) echo path;; esac; echo $?`},
			dir+"\nx \"y\" $z `w`\n2|||\nx \"y\" $z `w`\n2\npath\n0\n")
		if !res.Fresh || len(res.Warnings) != 1 || res.Cwd != dir {
			t.Errorf("%+v", res)
		}
		if res = wantOutput(t, s, Options{Command: "echo $$ | grep -c ."}, "1\n"); res.Fresh || len(res.Warnings) != 0 {
			t.Errorf("%+v", res)
		}
		if out, _ := do(t, s, Options{Command: "echo $" + ps.MarkerName}); strings.Count(out, ",") > strings.Count(os.Getenv(ps.MarkerName), ",")+1 {
			t.Errorf("marker %q", out)
		}
		do(t, s, Options{Command: "cd ..; rmdir " + shelltext.QuoteAlways(dir) + "; mkdir " + shelltext.QuoteAlways(dir) + "; cd " + shelltext.QuoteAlways(dir) + "; rmdir " + shelltext.QuoteAlways(dir)})
		do(t, s, Options{Command: "exit"})
		if _, res = do(t, s, Options{Command: "pwd"}); len(res.Warnings) != 2 || res.Cwd != "/" {
			t.Errorf("%+v", res)
		}
	})
}

// killedNotice: a shell that does not heed TERM may live to see its child killed, and say so.
var killedNotice = regexp.MustCompile(`\Aa\n(\w+: .*)?[Kk]illed( +sleep 60)?\n\z`)

func TestSessionTimesOut(t *testing.T) {
	eachShell(t, func(t *testing.T, sh string) {
		s := testSession(t, sh, t.TempDir())
		for _, command := range []string{"echo a; sleep 60", "echo a; while :; do :; done", "echo a; trap '' TERM; sleep 60; sleep 60", "echo a; setsid sleep 60 & sleep 60",
			"echo a; cat </dev/zero >/dev/null"} {
			began := time.Now()
			out, res := do(t, s, Options{Command: command, Timeout: 1500 * time.Millisecond, Force: forced()})
			if deaf := strings.Contains(command, "trap"); out != "a\n" && !(deaf && killedNotice.MatchString(out)) {
				t.Errorf("%q printed %q", command, out)
			}
			if !res.TimedOut || !res.Dropped || res.Survivors != 0 {
				t.Errorf("%q: %+v", command, res)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("%q took %v", command, took)
			}
			wantOutput(t, s, Options{Command: "echo ok"}, "ok\n")
		}
		if _, _, bg := s.State(); len(bg) != 0 {
			t.Errorf("left behind: %+v", bg)
		}
	})
}

func forced() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

func TestSessionAbort(t *testing.T) {
	eachShell(t, func(t *testing.T, sh string) {
		s := testSession(t, sh, t.TempDir())
		if err := s.Abort(); err != nil {
			t.Error(err)
		}
		wantOutput(t, s, Options{Command: "echo not aborted"}, "not aborted\n")
		seen := make(chan struct{})
		var once sync.Once
		over := make(chan Result)
		go func() {
			res, err := s.Run(context.Background(), Options{Command: "echo x; sleep 60", Timeout: time.Minute}, func([]byte) { once.Do(func() { close(seen) }) })
			if err != nil {
				t.Error(err)
			}
			over <- res
		}()
		<-seen
		if _, err := s.Run(context.Background(), Options{Command: "echo", Timeout: time.Minute}, nil); !errors.Is(err, ErrBusy) {
			t.Errorf("a second run: %v", err)
		}
		if _, busy, _ := s.State(); !busy {
			t.Error("not busy")
		}
		_ = s.Abort()
		if res := <-over; !res.Cancelled || !res.Dropped {
			t.Errorf("%+v", res)
		}
		wantOutput(t, s, Options{Command: "echo ok"}, "ok\n")
	})
}

func TestSessionBackground(t *testing.T) {
	eachShell(t, func(t *testing.T, sh string) {
		s := testSession(t, sh, t.TempDir())
		wantOutput(t, s, Options{Command: "mkfifo gate"}, "")
		var out bytes.Buffer
		res, err := s.Run(context.Background(), Options{Command: "(read x < gate; echo late) & echo now", Timeout: time.Minute}, func(p []byte) { out.Write(p) })
		held := res.Held[shell.Stdout]
		if err != nil || out.String() != "now\n" || held == nil || len(res.Background) == 0 {
			t.Fatalf("%q %+v %v", out.String(), res, err)
		}
		if _, _, bg := s.State(); len(bg) == 0 {
			t.Error("no background job")
		}
		wantOutput(t, s, Options{Command: "echo > gate; wait; echo next"}, "next\n")
		late, _ := io.ReadAll(held)
		held.Close()
		if string(late) != "late\n" {
			t.Errorf("the job printed %q", late)
		}
		do(t, s, Options{Command: "sleep 300 >/dev/null 2>&1 &"})
		do(t, s, Options{Command: "exit"})
		if _, _, bg := s.State(); len(bg) != 1 {
			t.Errorf("after the shell's exit: %+v", bg)
		}
		s.Close()
		if _, _, bg := s.State(); len(bg) != 0 {
			t.Errorf("after Close: %+v", bg)
		}
		if _, err := s.Run(context.Background(), Options{Command: "echo", Timeout: time.Minute}, nil); err == nil {
			t.Error("a run after Close")
		}
	})
}

func TestSessionLongCommand(t *testing.T) {
	eachShell(t, func(t *testing.T, sh string) {
		s := testSession(t, sh, t.TempDir())
		body := strings.Repeat("it's $x `y` \\z \"q\"\n", 500_000)
		wantOutput(t, s, Options{Command: "x=1; cat <<'E' | cksum\n" + body + "E\n/bin/echo external"}, cksum(t, body)+"external\n")
		wantOutput(t, s, Options{Command: "echo $x; /bin/echo external"}, "1\nexternal\n")
		if _, err := s.Run(context.Background(), Options{Command: "a\x00b", Timeout: time.Minute}, nil); err == nil || !strings.Contains(err.Error(), "offset 1") {
			t.Errorf("NUL: %v", err)
		}
		do(t, s, Options{Command: "exec 0<&-; exit"})
		res := wantOutput(t, s, Options{Command: "echo " + strings.Repeat(" ", 1<<20) + "a"}, "a\n")
		if !res.Fresh {
			t.Errorf("%+v", res)
		}
	})
}

// TestSessionDamaged: what makes a shell unable to report ends it, with its status where that can be known.
func TestSessionDamaged(t *testing.T) {
	eachShell(t, func(t *testing.T, sh string) {
		for _, command := range []string{"ulimit -n 3", "ulimit -n 0", "unset _pi_r _pi_i _pi_s _pi_q; echo", "shopt -s extdebug 2>/dev/null; trap false DEBUG", "readonly _pi_i=1 2>/dev/null", "set -r", "set -n\nif then"} {
			s := testSession(t, sh, t.TempDir())
			out, res := do(t, s, Options{Command: command, Timeout: 10 * time.Second})
			if res.TimedOut {
				t.Errorf("%q: %q %+v", command, out, res)
			}
			wantOutput(t, s, Options{Command: "echo ok", Timeout: 10 * time.Second}, "ok\n")
			wantOutput(t, s, Options{Command: "/bin/echo ok", Timeout: 10 * time.Second}, "ok\n")
			s.Close()
		}
	})
}

// TestSessionIdleDeath: a shell that dies between two runs is replaced, and the command is run.
func TestSessionIdleDeath(t *testing.T) {
	eachShell(t, func(t *testing.T, sh string) {
		s := testSession(t, sh, t.TempDir())
		do(t, s, Options{Command: "export A=kept"})
		_ = syscall.Kill(s.proc.tree.PID(), syscall.SIGKILL)
		<-s.proc.tree.Done()
		res := wantOutput(t, s, Options{Command: "echo $A"}, "kept\n")
		if !res.Fresh || len(res.Warnings) != 1 {
			t.Errorf("%+v", res)
		}
	})
}

// TestSessionRandom runs the table's runs in a random order in one session: none may hang or fail to get through, and
// nothing may be left.
func TestSessionRandom(t *testing.T) {
	table := sessionTable(t)
	for _, sh := range tableShells {
		t.Run(sh, func(t *testing.T) {
			seed := uint64(time.Now().UnixNano())
			if given := os.Getenv("PI_SEED"); given != "" {
				seed, _ = strconv.ParseUint(given, 10, 64)
			}
			t.Logf("seed %d", seed)
			rnd := rand.New(rand.NewPCG(seed, 0))
			var texts []string
			for _, p := range table {
				if slices.Contains(p.shells, sh) {
					for _, r := range p.runs {
						texts = append(texts, r.text)
					}
				}
			}
			dir := t.TempDir()
			before, err := os.ReadDir("/proc/self/fd")
			s := testSession(t, sh, dir)
			var history []string // of the shell
			n := 100
			if os.Getenv("PI_LONG") != "" {
				n = 10_000
			}
			for range n {
				text := texts[rnd.IntN(len(texts))]
				o := Options{Command: text, Timeout: 5 * time.Second, Force: forced()}
				if outside(s, dir) { // back to where it may write
					do(t, s, Options{Command: `\cd -- '` + dir + `'`, Timeout: 5 * time.Second, Force: forced()})
				}
				if outside(s, dir) { // it has a cd of its own
					o.Dir = dir
				}
				_, res := do(t, s, o)
				if res.TimedOut || res.Survivors > 0 {
					t.Logf("%q after %q: %+v", text, history, res)
				}
				if history = append(history, text); res.Dropped {
					history = nil
				}
			}
			s.Close()
			if _, _, bg := s.State(); len(bg) > 0 {
				t.Errorf("left behind: %+v", bg)
			}
			if err == nil {
				noMoreDescriptors(t, len(before)) // the guardian has gone as well
			}
		})
	}
}

// outside reports whether a session is neither in a directory nor below it.
func outside(s *Session, dir string) bool {
	rel, err := filepath.Rel(dir, s.Cwd())
	return err != nil || rel == ".." || strings.HasPrefix(rel, "../")
}

// noMoreDescriptors waits until at most n are open: looks at the process table open files for a moment.
func noMoreDescriptors(t *testing.T, n int) {
	t.Helper()
	var links []string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		links = nil
		list, _ := os.ReadDir("/proc/self/fd")
		for _, f := range list {
			link, _ := os.Readlink("/proc/self/fd/" + f.Name())
			links = append(links, f.Name()+" "+link)
		}
		if len(links) <= n {
			return
		}
	}
	t.Errorf("%d descriptors, want at most %d: %q", len(links), n, links)
}

func BenchmarkSessionTrue(b *testing.B) {
	for _, sh := range []string{"bash", "zsh", "dash"} {
		for _, c := range []string{"true", "/bin/true"} {
			b.Run(sh+" "+c, func(b *testing.B) {
				s := testSession(b, sh, b.TempDir())
				do(b, s, Options{Command: c})
				b.ReportAllocs()
				for b.Loop() {
					do(b, s, Options{Command: c})
				}
			})
		}
	}
}

func cksum(t *testing.T, text string) string {
	file := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, err := testSession(t, "sh", "/").Run(context.Background(), Options{Command: "cksum <" + shelltext.QuoteAlways(file), Timeout: time.Minute}, func(p []byte) { out.Write(p) })
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
