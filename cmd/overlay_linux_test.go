package cmd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pi/internal/testmain"
)

// Full-screen programs work in the box.
func TestOverlayVim(t *testing.T) {
	t.Parallel()
	testmain.Tool(t, "vim")
	p := sit(t, 80, 24, "pty", "--", "vim -N -u NONE -i NONE notes.txt")
	p.reads("[New")
	p.reads("Ctrl-] ends it")
	p.keys("ihello, 漢字")
	p.reads("│hello, 漢字 ")
	p.keys("\x1b") // the command's, on its alternate screen
	p.until("the end of insert mode", func(s string) bool { return !strings.Contains(s, "-- INSERT --") })
	p.keys("o\x1b[200~pasted\rlines\x1b[201~")
	p.reads("│lines ")
	p.keys("\x1b:wq\r")
	p.leaves(0)
	if got, err := os.ReadFile(p.file("notes.txt")); err != nil || string(got) != "hello, 漢字\npasted\nlines\n" {
		t.Errorf("notes.txt holds %q, %v", got, err)
	}
	if s := p.text(); !strings.Contains(s, "✓ vim -N -u NONE -i NONE notes.txt [exit 0]\n[full-screen program") {
		t.Errorf("what stays:\n%s", s)
	}
}

func TestOverlayLess(t *testing.T) {
	t.Parallel()
	testmain.Tool(t, "less")
	p := sitWith(t, 60, 20, nil, "pty", "-e", "LESS=", "--", "seq 1 500 | less")
	p.reads("│17 ")
	p.keys(" ")
	p.reads("│34 ")
	p.keys("G")
	p.reads("│500 ")
	p.keys("\x1b[A\x1b[A")
	p.reads("│482 ")
	p.keys("q")
	p.leaves(0)
}

func TestOverlayTop(t *testing.T) {
	for _, name := range []string{"htop", "top"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testmain.Tool(t, name)
			p := sit(t, 100, 30, "pty", "--", name)
			p.reads("PID")
			p.size(70, 20)
			p.until("the smaller box", func(s string) bool {
				rows := strings.Split(s, "\n")
				return len(rows) > 19 && strings.HasSuffix(rows[0], "┐") && strings.HasPrefix(rows[19], "└") && strings.Contains(s, "PID")
			})
			p.keys("q")
			p.leaves(0)
		})
	}
}

func TestOverlayNestedShell(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "pty", "--", `PS1='sh> ' bash --norc --noprofile -i`)
	p.reads("│sh> ")
	p.reads("Esc ends it")
	p.keys("sleep 1000\r")
	p.reads("sleep 1000")
	within(t, "sleep runs", func() bool { return strings.Contains(psTree(p.cmd.Process.Pid), "sleep 1000") })
	p.keys("\x03")
	p.keys("echo status $?\r")
	p.reads("status 130")
	p.keys("tty; exit 7\r")
	p.leaves(7)
	if s := p.text(); !strings.Contains(s, "[exit 7]") || !strings.Contains(s, "sh> sleep 1000\n^C") || !strings.Contains(s, "/dev/pts/") {
		t.Errorf("what stays:\n%s", s)
	}
}

// After any sequence of resizes, the command has the size of the box.
func TestOverlayResizeStorm(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "pty", "--", `trap 'stty size' WINCH; echo up; while :; do sleep 0.05; done`)
	p.reads("│up ")
	for i := range 300 {
		p.size(20+i*7%120, 5+i*3%50)
	}
	p.size(20, 5)
	p.until("the smallest box", func(s string) bool { return strings.Count(s, "\n") <= 5 && strings.Contains(s, "│5 20") })
	p.size(91, 31)
	p.reads("│29 89")
	p.keys("\x1b")
	p.leaves(130)
}

// A size set by flags does not change; the box shows the part around the cursor.
func TestOverlayGivenSize(t *testing.T) {
	t.Parallel()
	p := sit(t, 40, 10, "pty", "--cols", "100", "--rows", "30", "--", `stty size; read x; printf '\033[25;90Hthere'; read x`)
	p.reads("│30 100")
	p.keys("\r")
	p.reads("there")
	p.keys("\r")
	p.leaves(0)
}

// A paste of a megabyte arrives complete.
func TestOverlayPaste(t *testing.T) {
	t.Parallel()
	paste := bytes.Repeat([]byte("0123456789abcdef\r"), 1<<20/17)
	for _, mode := range []string{"h", "l"} {
		t.Run("2004"+mode, func(t *testing.T) {
			t.Parallel()
			want := paste
			if mode == "h" {
				want = []byte("\x1b[200~" + string(paste) + "\x1b[201~")
			}
			p := sit(t, 80, 24, "pty", "--", fmt.Sprintf(`stty raw -echo; printf 'ready\033[?2004%s'; head -c %d > got; echo done`, mode, len(want)))
			p.reads("│ready")
			within(t, "the mode is on", func() bool { return p.modes().BracketedPaste })
			go func() { _, _ = p.master.WriteString("\x1b[200~" + string(paste) + "\x1b[201~") }() // what got lost is missing below
			p.leaves(0)
			if got, err := os.ReadFile(p.file("got")); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes arrived of %d, %v", len(got), len(want), err)
			}
		})
	}
}

// Each way to end the command kills its tree and restores the terminal.
func TestOverlayEnds(t *testing.T) {
	main := `echo up; echo $$ > pid; sleep 1000`
	alternate := `printf '\033[?1049h\033[?1000;1004h\033[?25l\033[>5u\033[2;5rup'; echo $$ > pid; sleep 1000`
	stubborn := `trap '' TERM INT HUP; echo up; echo $$ > pid; while :; do sleep 1; done`
	for _, tt := range []struct {
		name, command string
		end           func(p *person)
		status        int
	}{
		{"escape", main, func(p *person) { p.keys("\x1b") }, 130},
		{"escape in Kitty's form", main, func(p *person) { p.keys("\x1b[27u") }, 130},
		{"ctrl+] on the alternate screen", alternate, func(p *person) { p.keys("\x1b"); p.reads("^[[27u"); p.keys("\x1d") }, 130},
		{"escape twice at once", main, func(p *person) { p.keys("\x1b\x1b") }, 130},
		{"escape twice, stubborn", stubborn, func(p *person) { p.keys("\x1b"); p.reads("ending…"); p.keys("\x1b") }, 130},
		{"interrupt", main, func(p *person) { p.signal(syscall.SIGINT) }, 130},
		{"termination", main, func(p *person) { p.signal(syscall.SIGTERM) }, 143},
		{"termination on the alternate screen", alternate, func(p *person) { p.signal(syscall.SIGTERM) }, 143},
		{"hang-up", alternate, func(p *person) { p.signal(syscall.SIGHUP) }, 129},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sit(t, 80, 24, "pty", "--", tt.command)
			p.reads("│up")
			within(t, "the command is up", func() bool { return filled(p.file("pid")) })
			tt.end(p)
			p.leaves(tt.status)
			if alive(t, p.file("pid")) {
				t.Error("the command is still alive")
			}
			if s := p.text(); !strings.Contains(s, "[killed]") {
				t.Errorf("what stays:\n%s", s)
			}
		})
	}
}

func (p *person) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

func TestOverlayTimeout(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "pty", "-t", "1", "--", "echo up; sleep 1000")
	p.leaves(124)
	if s := p.text(); !strings.Contains(s, "[timed out after 1s]\nup\n") || strings.Contains(s, "Command timed out") {
		t.Errorf("what stays:\n%s", s)
	}
}

func TestOverlayEscapeRules(t *testing.T) {
	ask := `stty raw -echo; %s echo up; dd bs=1 count=1 2>/dev/null | od -An -tx1; printf '\033[?1049l'`
	for _, tt := range []struct {
		name, rule, mode, keys string
		status                 int
		want                   string
	}{
		{"auto, main screen", "auto", "", "\x1b", 130, "[killed]"},
		{"auto, alternate screen", "auto", `printf '\033[?1049h';`, "\x1b", 0, " 1b"},
		{"kill, alternate screen", "kill", `printf '\033[?1049h';`, "\x1b", 130, "[killed]"},
		{"forward, main screen", "forward", "", "\x1b", 0, " 1b"},
		{"ctrl+] is the command's where Esc is not", "auto", "", "\x1d", 0, " 1d"},
		{"forward, ctrl+]", "forward", "", "\x1d", 130, "[killed]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sitWith(t, 80, 24, []string{"PI_PTY_ESCAPE=" + tt.rule}, "pty", "--", fmt.Sprintf(ask, tt.mode))
			p.reads("│up")
			p.keys(tt.keys)
			p.leaves(tt.status)
			if s := p.text(); !strings.Contains(s, tt.want) && tt.status != 0 {
				t.Errorf("%q is missing in:\n%s", tt.want, s)
			}
		})
	}
}

// A terminal that disappears ends the command.
func TestOverlayHangup(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "pty", "--", "echo $$ > pid; echo up; sleep 1000")
	p.reads("│up")
	within(t, "the command is up", func() bool { return filled(p.file("pid")) })
	p.slave.Close()
	p.master.Close()
	select {
	case <-p.ended:
	case <-time.After(patience):
		t.Fatal("pi does not end")
	}
	if alive(t, p.file("pid")) {
		t.Error("the command is still alive")
	}
}

// The terminal is restored after a panic in any goroutine.
func TestOverlayPanic(t *testing.T) {
	for _, where := range []string{"look", "start"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			p := sitWith(t, 80, 24, []string{"PI_TEST_FAULT=" + where}, "pty", "--", "sleep 1000")
			p.leaves(2)
			if s := p.text(); !strings.Contains(s, "a fault in "+where) {
				t.Errorf("what stays:\n%s", s)
			}
		})
	}
}

// pi reset-terminal restores the terminal after SIGKILL.
func TestResetTerminal(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "pty", "--", `printf '\033[?1049h\033[?1003;1004;2004h\033[?25l\033[>5u\033(0\033[7mup'; sleep 1000`)
	p.until("the box", func(s string) bool { return strings.HasPrefix(s, "┌─ ●") && p.modes().Mouse != 0 })
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-p.ended
	if p.stty() == p.before || !p.modes().AltScreen {
		t.Fatal("SIGKILL leaves nothing behind")
	}
	_, _ = p.slave.WriteString("\x1b(0\x1b[1;31m\x1b[4h")
	c := piCommand(t, "reset-terminal")
	c.Stdin, c.Stdout, c.Stderr = p.slave, p.slave, p.slave
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	p.before = strings.NewReplacer(" -brkint", " brkint", " -imaxbel", " imaxbel").Replace(p.before) // as after stty sane
	p.asBefore()
	if s := p.sees(); !strings.Contains(s, "the end of output\n") || strings.Contains(s, "┌") {
		t.Errorf("the screen:\n%s", s)
	}
}

// A stopped pi restores the terminal, and redraws everything when it continues.
func TestOverlayStopAndContinue(t *testing.T) {
	t.Parallel()
	p := sit(t, 80, 24, "pty", "--", `printf '\033[?1000hup'; until [ -e go ]; do sleep 0.02; done`)
	p.reads("│up")
	for range 3 {
		p.signal(syscall.SIGTSTP)
		within(t, "pi is stopped", func() bool { return state(t, p.cmd.Process.Pid) == 'T' })
		p.asBefore()
		p.signal(syscall.SIGCONT)
		p.reads("│up")
		within(t, "the modes are back", func() bool { return p.modes().Mouse != 0 && p.modes().AltScreen })
	}
	if err := os.WriteFile(p.file("go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p.leaves(0)
}

// Keys and the screen keep working while the command floods its output.
func TestOverlayFlood(t *testing.T) {
	t.Parallel()
	p := sit(t, 120, 40, "pty", "--", `yes & read x; kill $!; echo "got $x"; read y; echo "and $y"`)
	p.reads("│y ")
	p.keys("key\r")
	p.reads("got key")
	p.keys("end\r")
	p.leaves(0)
}

// On a terminal without cursor movement, text is printed as it comes and lines are typed.
func TestOverlayDumb(t *testing.T) {
	t.Parallel()
	p := sitWith(t, 80, 24, []string{"TERM=dumb"}, "pty", "--", `printf 'name? '; read x; echo "hello $x"; exit 4`)
	p.reads("name?")
	p.keys("you\r")
	p.leaves(4)
	if s := p.text(); !strings.Contains(s, "hello you\n") || strings.Contains(s, "┌") {
		t.Errorf("what stays:\n%s", s)
	}
}

// psTree returns the command lines of the descendants of a process.
func psTree(pid int) string {
	var b strings.Builder
	kids, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, k := range kids {
		list, _ := os.ReadFile(k)
		for _, kid := range strings.Fields(string(list)) {
			line, _ := os.ReadFile("/proc/" + kid + "/cmdline")
			b.WriteString(string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})) + "\n")
			n := 0
			_, _ = fmt.Sscan(kid, &n)
			b.WriteString(psTree(n))
		}
	}
	return b.String()
}
