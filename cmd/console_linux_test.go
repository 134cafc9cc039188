package cmd

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"pi/internal/vt"
)

// person is a user at a terminal where pi runs: a test can wait for what is on the screen, and type keys.
type person struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	slave  *os.File
	before string // stty -a
	dir    string // pi's working directory and home

	mu      sync.Mutex
	screen  *vt.Terminal
	changed chan struct{}
	ended   chan struct{}
}

// sit starts pi on a terminal of the given size.
func sit(t *testing.T, cols, rows int, args ...string) *person {
	t.Helper()
	return sitWith(t, cols, rows, nil, args...)
}

func sitWith(t *testing.T, cols, rows int, env []string, args ...string) *person {
	t.Helper()
	c := piCommand(t, args...)
	c.Env = append(cleanEnv(c.Env), append([]string{"TERM=xterm-256color", "LANG=C.UTF-8", "SHELL=/bin/bash", "PI_SHELL_SNAPSHOT=off", "XDG_STATE_HOME=" + filepath.Join(c.Dir, "state")}, env...)...)
	return before(t, c, cols, rows)
}

// cleanEnv removes the variables that change what pi prints.
func cleanEnv(env []string) (out []string) {
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "PI_") && !strings.HasPrefix(name, "LC_") && !strings.Contains(" NO_COLOR COLORTERM TERM LANG SHELL SSH_TTY SSH_CONNECTION SSH_CLIENT TMUX ", " "+name+" ") {
			out = append(out, kv)
		}
	}
	return out
}

// before starts a command on a new terminal.
func before(t *testing.T, c *exec.Cmd, cols, rows int) *person {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, cmd: c, master: master, slave: slave, dir: c.Dir, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	p.screen = vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: 5000})
	p.size(cols, rows)
	p.before = p.stty()
	c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.read()
	}()
	go func() {
		_ = c.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		<-p.ended
		slave.Close()
		master.Close()
		<-read
	})
	return p
}

func (p *person) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := p.master.Read(buf)
		if n > 0 {
			p.mu.Lock()
			p.screen.Write(buf[:n])
			answers := append([]byte(nil), p.screen.Replies()...)
			p.mu.Unlock()
			if len(answers) > 0 {
				_, _ = p.master.Write(answers)
			}
			select {
			case p.changed <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// stty returns the modes of the terminal as text, without its size.
func (p *person) stty() string {
	out, err := exec.Command("stty", "-a", "-F", p.slave.Name()).CombinedOutput()
	if err != nil {
		p.t.Fatalf("stty: %v: %s", err, out)
	}
	_, modes, _ := strings.Cut(string(out), "\n")
	return modes
}

// keys types bytes.
func (p *person) keys(s string) {
	p.t.Helper()
	if _, err := io.WriteString(p.master, s); err != nil && !errors.Is(err, syscall.EIO) {
		p.t.Fatal(err)
	}
}

// size resizes the window.
func (p *person) size(cols, rows int) {
	p.t.Helper()
	if err := pty.Setsize(p.master, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}); err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	p.screen.Resize(cols, rows)
	p.mu.Unlock()
}

// sees returns the text on the screen.
func (p *person) sees() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.TrimRight(strings.Join(p.screen.ScreenText(), "\n"), "\n") + "\n"
}

// text returns everything that was printed on the main screen.
func (p *person) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.Text()
}

func (p *person) modes() vt.Modes {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.Modes()
}

// patience bounds every wait; the machine may be slow and busy.
const patience = 60 * time.Second

// until waits until the screen satisfies ok.
func (p *person) until(what string, ok func(screen string) bool) {
	p.t.Helper()
	limit := time.After(patience)
	for {
		if ok(p.sees()) {
			return
		}
		select {
		case <-p.changed:
		case <-time.After(50 * time.Millisecond):
		case <-limit:
			p.t.Fatalf("waited in vain for %s; the screen:\n%s", what, p.sees())
		}
	}
}

// reads waits for text on the screen.
func (p *person) reads(text string) {
	p.t.Helper()
	p.until(text, func(s string) bool { return strings.Contains(s, text) })
}

// leaves waits for pi to exit with status, and checks that the terminal is restored.
func (p *person) leaves(status int) {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatalf("pi does not end; the screen:\n%s", p.sees())
	}
	if got := p.cmd.ProcessState.ExitCode(); got != status {
		p.t.Errorf("exit status %d, want %d; the screen:\n%s", got, status, p.sees())
	}
	p.asBefore()
}

// asBefore checks that the terminal is restored: its modes in the kernel and in the emulator.
func (p *person) asBefore() {
	p.t.Helper()
	sync := "the end of output"
	_, _ = io.WriteString(p.slave, "\r\n"+sync+"\r\n") // what pi wrote has come when this has
	p.reads(sync)
	if now := p.stty(); now != p.before {
		p.t.Errorf("stty -a was:\n%s\nand is:\n%s", p.before, now)
	}
	fresh := vt.New(vt.Options{})
	if got := p.modes(); got != fresh.Modes() {
		p.t.Errorf("modes of the terminal: %+v", got)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.screen.Cursor(); !c.Visible || c.Shape != 0 {
		p.t.Errorf("cursor %+v", c)
	}
}

func (p *person) file(name string) string { return filepath.Join(p.dir, name) }
