//go:build unix

package run

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/pty"
	"pi/internal/vt"
)

// ample bounds every wait of the tests with a terminal; it is only used up by a failure.
const ample = 60 * time.Second

// inPTY runs a request under a configuration that the test may change.
func inPTY(t *testing.T, q Request, change func(*config.Config)) Result {
	t.Helper()
	cfg := config.Defaults()
	cfg.Shell.Snapshot = SnapshotOff
	if change != nil {
		change(&cfg)
	}
	if q.PTY == nil {
		q.PTY = &PTY{}
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=dumb", "COLUMNS=7", "COLORTERM=x"}
	return New(cfg, env, artifact.Open(t.TempDir(), artifact.Options{})).Run(context.Background(), q)
}

func TestInTerminal(t *testing.T) {
	stream := func(c *config.Config) { c.Bash.PtyText = PTYStream }
	for _, c := range []struct {
		name   string
		q      Request
		change func(*config.Config)
		text   string // of Content
		status Status
	}{
		{"a terminal", Request{Command: `test -t 0 && test -t 1 && echo "$TERM ${COLORTERM-none} ${COLUMNS-none}"; stty size`}, nil,
			"xterm-256color none none\n40 120\n", OK},
		{"size and colours", Request{Command: `stty size; echo $COLORTERM`, PTY: &PTY{Cols: 10, Rows: 500, ColorTerm: "truecolor"}}, nil,
			"200 20\ntruecolor\n", OK},
		{"a progress bar", Request{Command: `printf '10%%\r50%%\r100%%\ndone\n'`}, nil, "100%\ndone\n", OK},
		{"a progress bar as it came", Request{Command: `printf '10%%\r50%%\r100%%\ndone\n'`}, stream, "10%\n50%\n100%\ndone\n", OK},
		{"colours", Request{Command: `printf '\033[31mred\033[0m\n'`}, nil, "red\n", OK},
		{"a full-screen program", Request{Command: `printf 'a\n\033]2;ed f\007\033[?1049h\033[HB\033[?1049lc\n'`}, nil,
			"a\nc\n[full-screen program ed f, last screen: B]\n", OK},
		{"a full-screen program before a person", Request{Command: `printf 'a\n\033]2;ed f\007\033[?1049h\033[HB\033[?1049lc\n'`, PTY: &PTY{Attended: true}}, nil,
			"a\nc\n[full-screen program ed f]\n", OK},
		{"one without a title before a person", Request{Command: `printf '\033[?1049h\033[HB\033[?1049l'`, PTY: &PTY{Attended: true}}, nil,
			"[full-screen program]\n", OK},
		{"a long title in a narrow window", Request{Command: `printf '\033]2;漢字漢字漢字\007\033[?1049hB\033[?1049l'`, PTY: &PTY{Attended: true, Cols: 30}}, nil,
			"[full-screen program 漢字漢…]\n", OK},
		{"a wide last screen", Request{Command: `printf '\033[?1049h%0300d\033[?1049l' 7`, PTY: &PTY{Cols: 300}}, nil,
			"[full-screen program, last screen: " + strings.Repeat("0", 83) + "…]\n", OK},
		{"a status", Request{Command: `echo out; exit 3`}, nil, "out\n\nCommand exited with code 3", Failed},
		{"a signal", Request{Command: `printf x; kill -9 $$`}, nil, "x\n\nCommand exited with code 137", Failed},
		{"nothing", Request{Command: `true`}, nil, "(no output)", OK},
		{"its input has ended", Request{Command: `cat; read x || echo "<$x>"`, Timeout: ample}, nil, "<>\n", OK},
		{"head and tail stay in the text", Request{Command: `seq 1 100 | tail -n 2`}, nil, "99\n100\n", OK},
		{"a head", Request{Command: `yes | head -n 2`, Timeout: ample}, nil, "y\ny\n", OK},
		{"explicit limits", Request{Command: `seq 1 1000`, Head: 2}, nil,
			"1\n2\n\n[Showing lines 1-2 of 1000. Full output: artifact://1]", OK},
		{"a wide line is one line", Request{Command: `printf '%0300d\n' 7; echo end`}, nil, strings.Repeat("0", 299) + "7\nend\n", OK},
		{"unattended", Request{Command: `echo $PAGER $CI ${NO_COLOR-none}`}, nil, "cat 1 none\n", OK},
		{"before a person", Request{Command: `echo ${PAGER-none} ${CI-none} ${GIT_EDITOR-none}`, PTY: &PTY{Attended: true}}, nil, "none none none\n", OK},
		{"a person's own timeout", Request{Command: `echo a; sleep 100`, Timeout: time.Second, PTY: &PTY{Attended: true}}, nil,
			"a\n\nCommand timed out after 1 second", TimedOut},
		{"a person's time", Request{Command: `sleep 2; echo b`, PTY: &PTY{Attended: true}}, func(c *config.Config) { c.Bash.Timeout = time.Second },
			"b\n", OK},
		{"a prefix", Request{Command: `echo $x`, Env: []string{"x=5"}}, func(c *config.Config) { c.Shell.Prefix = "x=6;" }, "6\n", OK},
		{"own settings win", Request{Command: `echo $TERM $PAGER`, Env: []string{"TERM=vt100"}},
			func(c *config.Config) { c.Shell.Env = map[string]string{"PAGER": "less"} }, "vt100 less\n", OK},
		{"an answer", Request{Command: `stty raw -echo; printf '\033[5n'; dd bs=1 count=4 2>/dev/null | od -An -tx1; stty sane`, Timeout: ample,
			PTY: &PTY{Terminal: NewTerminal()}}, nil, " 1b 5b 30 6e\n", OK},
		{"timeout", Request{Command: `echo a; sleep 100`, Timeout: time.Second}, nil, "a\n\nCommand timed out after 1 second", TimedOut},
		{"no directory", Request{Command: `true`, Cwd: "/no/such"}, nil, "Working directory does not exist: /no/such", Error},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := inPTY(t, c.q, c.change)
			if got := r.Content[0].Text; got != c.text || r.Details.Status != c.status || r.Details.Backend != "pty" {
				t.Errorf("%s %s %q\nwant %s %q", r.Details.Backend, r.Details.Status, got, c.status, c.text)
			}
		})
	}
}

// TestLoginProfile: what the user and the unattended defaults say survives the login profile, and no program is lost.
func TestLoginProfile(t *testing.T) {
	home, bin := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		home + "/.profile": "PATH=/usr/bin:/bin; PAGER=less; EDITOR=vim; FOO=profile; BAR=profile; export PATH PAGER EDITOR FOO BAR\n",
		bin + "/my-prog":   "#!/bin/sh\necho mine\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cfg := config.Defaults()
	env := []string{"PATH=" + bin + ":/usr/bin:/bin", "HOME=" + home, "FOO=host", "BAR=host"}
	r := New(cfg, env, nil).Run(context.Background(), Request{
		Command: `echo $PAGER $EDITOR $FOO $BAR ${PI_PTY_ENV-none}; my-prog; echo ${PATH%%:*}`, Env: []string{"FOO=it's"}, PTY: &PTY{},
	})
	if want := "cat true it's profile none\nmine\n/usr/bin\n"; r.Body != want {
		t.Errorf("%q, want %q", r.Body, want)
	}
}

// TestTerminalFromOutside: typing, looking, resizing and killing while the command runs.
func TestTerminalFromOutside(t *testing.T) {
	term := NewTerminal()
	if err := term.Write([]byte("x")); !errors.Is(err, pty.ErrNotRunning) {
		t.Errorf("before: %v", err)
	}
	var raw []byte
	done := make(chan Result, 1)
	ready := make(chan struct{})
	go func() {
		done <- inPTY(t, Request{Command: `trap 'stty size' WINCH; echo there; while read x; do echo "<$x>"; done; exec sleep 1000`, PTY: &PTY{
			Terminal: term, Ready: func() { close(ready) }, Output: func(p []byte) { raw = append(raw, p...) },
		}}, nil)
	}()
	<-ready
	see := func(text string) {
		t.Helper()
		for end := time.Now().Add(ample); time.Now().Before(end); {
			found := false
			term.View(func(s *vt.Terminal) { found = strings.Contains(strings.Join(s.ScreenText(), "\n"), text) })
			if found {
				return
			}
			select {
			case <-term.Changed():
			case <-time.After(10 * time.Millisecond):
			}
		}
		t.Fatalf("%q is not on the screen", text)
	}
	see("there")
	if err := term.Write([]byte("hello\n")); err != nil {
		t.Error(err)
	}
	see("<hello>")
	if err := term.Resize(100, 30); err != nil {
		t.Error(err)
	}
	if err := term.Write([]byte("\n")); err != nil { // a shell runs its trap when read has returned
		t.Error(err)
	}
	see("30 100")
	term.View(func(s *vt.Terminal) {
		if c, r := s.Size(); c != 100 || r != 30 {
			t.Errorf("the screen has %d×%d", c, r)
		}
	})
	if err := term.CloseInput(); err != nil {
		t.Error(err)
	}
	if err := term.Kill(); err != nil {
		t.Error(err)
	}
	r := <-done
	if r.Details.Status != Cancelled || !strings.Contains(r.Body, "<hello>") || !strings.Contains(string(raw), "<hello>\r\n") {
		t.Errorf("%s %q, raw %q", r.Details.Status, r.Body, raw)
	}
	if err := term.Resize(80, 24); !errors.Is(err, pty.ErrNotRunning) {
		t.Errorf("afterwards: %v", err)
	}
}

// Lines that leave the screen because the window gets smaller are neither lost nor mixed with those that the command
// prints meanwhile.
func TestTerminalResizedWhilePrinting(t *testing.T) {
	term, stop, done := NewTerminal(), make(chan struct{}), make(chan struct{})
	q := Request{Command: "seq 1 20000", Timeout: ample, MaxBytes: 1 << 20, PTY: &PTY{Terminal: term}}
	q.PTY.Ready = func() {
		go func() {
			defer close(done)
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
					_ = term.Resize(80, 5+i%60) // fails once the command is done
				}
			}
		}()
	}
	r := inPTY(t, q, nil)
	close(stop)
	<-done
	var want strings.Builder
	for i := range 20000 {
		want.WriteString(strconv.Itoa(i+1) + "\n")
	}
	if r.Body != want.String() {
		t.Errorf("%d bytes, want %d", len(r.Body), want.Len())
	}
}
