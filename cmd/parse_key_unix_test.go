//go:build unix

package cmd

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// keyTerminal is `pi parse-key` on a terminal of its own.
type keyTerminal struct {
	t           *testing.T
	cmd         *exec.Cmd
	master, tty *os.File
	before      term.State

	mu     sync.Mutex
	output bytes.Buffer
	grown  chan struct{} // one token whenever there is more output
	read   chan struct{} // closed when the output ended
}

// startKeys starts the viewer and waits until it is ready.
func startKeys(t *testing.T, args ...string) *keyTerminal {
	t.Helper()
	k := &keyTerminal{t: t, grown: make(chan struct{}, 1), read: make(chan struct{})}
	var err error
	if k.master, k.tty, err = pty.Open(); err != nil {
		t.Fatal(err)
	}
	k.before = k.state()
	k.cmd = exec.Command("pi", append([]string{"parse-key"}, args...)...)
	k.cmd.Stdin, k.cmd.Stdout, k.cmd.Stderr = k.tty, k.tty, k.tty
	k.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	k.cmd.Env = append(os.Environ(), "SSH_TTY=", "SSH_CONNECTION=", "SSH_CLIENT=")
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go k.collect()
	t.Cleanup(func() {
		k.cmd.Process.Kill()
		k.tty.Close()
		<-k.read // with no one left on the terminal, the read ends
		k.master.Close()
	})
	k.want("\x1b[>31u\x1b[?u\x1b[?2004h") // raw by now
	return k
}

func (k *keyTerminal) collect() {
	defer close(k.read)
	var buf [4096]byte
	for {
		n, err := k.master.Read(buf[:])
		k.mu.Lock()
		k.output.Write(buf[:n])
		k.mu.Unlock()
		select {
		case k.grown <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (k *keyTerminal) state() term.State {
	k.t.Helper()
	s, err := term.GetState(int(k.tty.Fd()))
	if err != nil {
		k.t.Fatal(err)
	}
	return *s
}

func (k *keyTerminal) text() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.output.String()
}

// want waits for s in the output since the previous want, and consumes it.
func (k *keyTerminal) want(s string) {
	k.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		if i := strings.Index(k.text(), s); i >= 0 {
			k.mu.Lock()
			k.output.Next(i + len(s))
			k.mu.Unlock()
			return
		}
		select {
		case <-k.grown:
		case <-deadline:
			k.t.Fatalf("no %q in %q", s, k.text())
		}
	}
}

func (k *keyTerminal) send(s string) {
	k.t.Helper()
	if _, err := k.master.WriteString(s); err != nil {
		k.t.Fatal(err)
	}
}

// status waits for the end and returns the exit status.
func (k *keyTerminal) status() int {
	k.t.Helper()
	done := make(chan error, 1)
	go func() { done <- k.cmd.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			k.t.Fatal(err)
		}
		return k.cmd.ProcessState.ExitCode()
	case <-time.After(20 * time.Second):
		k.t.Fatalf("still running, after %q", k.text())
		return 0
	}
}

// ended checks that the terminal is restored.
func (k *keyTerminal) ended(status int) {
	k.t.Helper()
	if got := k.status(); got != status {
		k.t.Errorf("exit status %d, want %d; output %q", got, status, k.text())
	}
	k.want("\x1b[?2004l\x1b[<u")
	if k.state() != k.before {
		k.t.Error("the terminal's modes are not what they were")
	}
}

func TestKeyViewer(t *testing.T) {
	k := startKeys(t)
	if k.state() == k.before {
		t.Error("the terminal is not raw")
	}
	for _, tt := range []struct{ in, want string }{
		{"a", "61 "},
		{"é", "c3a9                   é                  é"},
		{"\x1b[A", `1b5b41                 \e[A               up`},
		{"\x1b[1;5A", "code -1, mod 4"},
		{"\x1b[97:65;6u", "shift+ctrl+a       code 97 a, shifted 65 A, mod 5"},
		{"\x1b[97;1:3u", "(release)          code 97 a, mod 0, release"},
		{"\x1b[99z", "(other)"},
		{"\x1b[<0;1;1M", "(mouse)"},
		{"\x1b[200~two\rlines\x1b[201~", "(paste, 9 bytes)"},
		{"\x1b", `\e                 escape`},
		{"\x1b\x01", "ctrl+alt+a"},
		{"\x1b[?31u", "The terminal speaks the Kitty protocol."},
		{"\x1b\x02", "escape"}, // in Kitty mode no key together
	} {
		k.send(tt.in)
		k.want(tt.want)
	}
	k.send("\x1b[99;5u\x1b[99;5:3u") // ctrl+c and its release
	k.want("release")
	k.send("x\x1b[99;5u")
	k.want("ctrl+c")
	k.send("\x03")
	k.ended(0)
}

func TestKeyViewerSplitSequence(t *testing.T) {
	k := startKeys(t)
	for _, b := range "\x1b[1;5A" {
		k.send(string(b))
	}
	k.want("ctrl+up")
	k.send("\x03\x03")
	k.ended(0)
}

func TestKeyViewerJSON(t *testing.T) {
	k := startKeys(t, "--json")
	k.send("\x1b[97;5u")
	k.want(`{"hex":"1b5b39373b3575","key":"ctrl+a","match":null,"kittySequence":{"codepoint":97,` +
		`"shiftedKey":null,"baseLayoutKey":null,"modifier":4,"eventType":null}}` + "\r\n")
	k.send("\x03\x03")
	k.ended(0)
}

func TestKeyViewerSignals(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			k := startKeys(t)
			if err := k.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			k.ended(128 + int(sig))
		})
	}
}

// TestKeyViewerStop stops and continues the viewer by job control.
func TestKeyViewerStop(t *testing.T) {
	k := startKeys(t)
	raw := k.state()
	if err := k.cmd.Process.Signal(syscall.SIGTSTP); err != nil {
		t.Fatal(err)
	}
	k.want("\x1b[?2004l\x1b[<u")
	k.until(func() bool { return k.state() == k.before }, "the terminal's modes while stopped")
	k.until(func() bool {
		if err := k.cmd.Process.Signal(syscall.SIGCONT); err != nil { // again and again: it may not have stopped yet
			t.Fatal(err)
		}
		return k.state() == raw
	}, "raw mode after going on")
	k.want("\x1b[>31u")
	k.send("q")
	k.want("71 ")
	k.send("\x03\x03")
	k.ended(0)
}

// until polls for a condition that has no event.
func (k *keyTerminal) until(done func() bool, what string) {
	k.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			k.t.Fatalf("never: %s", what)
		}
	}
}
