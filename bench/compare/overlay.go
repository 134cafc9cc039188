//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// overlay: what a person feels of the box. Both sides run on a terminal of 120×40 that shows everything at once.
func overlay(l *lab) error {
	lines := 2_000_000 / l.scale
	seq := fmt.Sprintf("seq 1 %d", lines)
	var ours, theirs []float64
	for i := range 6 { // the first is for the caches
		a, err := l.onTerminal(l.pi, "pty", "--", seq)
		if err != nil {
			return err
		}
		b, err := l.onTerminal("script", "-qc", seq, "/dev/null")
		if err != nil {
			return err
		}
		if i > 0 {
			ours, theirs = append(ours, a), append(theirs, b)
		}
	}
	l.row("pi pty -- seq 1 2000000, drawn | script -qc", median(ours), median(theirs), 1.3, "ms")
	keys := max(300/l.scale, 20)
	quiet, err := l.echo("stty raw -echo; echo up; cat", keys, 25*time.Millisecond)
	if err != nil {
		return err
	}
	l.row("key echo through the box, median | 5 ms", median(quiet), 5, 1, "ms")
	flood, err := l.echo("stty raw -echo; (while :; do echo flood; done) & echo up; cat", max(keys/5, 10), 40*time.Millisecond)
	if err != nil {
		return err
	}
	l.row("key to the command under a flood, worst | 50 ms", flood[len(flood)-1], 50, 1, "ms")
	return nil
}

// onTerminal runs a command on a terminal and returns its wall time in milliseconds.
func (l *lab) onTerminal(argv ...string) (float64, error) {
	c := l.terminalCommand(argv...)
	began := time.Now()
	f, err := pty.StartWithSize(c, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		return 0, err
	}
	defer f.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		drainTerminal(f, nil)
	}()
	err = c.Wait()
	took := time.Since(began)
	<-done
	if err != nil {
		return 0, fmt.Errorf("%v: %w", argv, err)
	}
	return float64(took.Microseconds()) / 1000, nil
}

func (l *lab) terminalCommand(argv ...string) *exec.Cmd {
	c := exec.Command(argv[0], argv[1:]...)
	c.Env = append(os.Environ(), "TERM=xterm-256color", "PI_ARTIFACTS_DIR="+l.dir+"/artifacts")
	return c
}

func drainTerminal(f *os.File, each func([]byte)) {
	buf := make([]byte, 64<<10)
	for {
		n, err := f.Read(buf)
		if n > 0 && each != nil {
			each(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// echo types single characters into a command in the box, and returns in milliseconds, sorted, how long each took to be
// seen. In a flood, where what is seen scrolls away, the command's answer is the file that it writes: there it is how
// long a key took to reach the command.
func (l *lab) echo(command string, n int, pause time.Duration) ([]float64, error) {
	flood := bytes.Contains([]byte(command), []byte("flood"))
	got := l.dir + "/typed"
	if flood {
		_ = os.Remove(got)
		if err := syscall.Mkfifo(got, 0o600); err != nil {
			return nil, err
		}
		defer os.Remove(got)
		command += " > '" + got + "'"
	}
	c := l.terminalCommand(l.pi, "pty", "--", command)
	f, err := pty.StartWithSize(c, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	defer func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
	}()
	seen := make(chan []byte, 1024)
	go drainTerminal(f, func(p []byte) {
		select {
		case seen <- bytes.Clone(p):
		default:
		}
	})
	if err := await(seen, "up"); err != nil {
		return nil, err
	}
	if flood {
		keys, err := os.Open(got)
		if err != nil {
			return nil, err
		}
		defer keys.Close()
		typed := make(chan []byte, 16)
		go drainTerminal(keys, func(p []byte) { typed <- bytes.Clone(p) })
		seen = typed
	}
	var times []float64
	for i := range n {
		time.Sleep(pause)
		for len(seen) > 0 {
			<-seen
		}
		key := string(rune('a' + i%26))
		began := time.Now()
		if _, err := f.WriteString(key); err != nil {
			return nil, err
		}
		if err := await(seen, key); err != nil {
			return nil, err
		}
		times = append(times, float64(time.Since(began).Microseconds())/1000)
	}
	median(times) // sorts
	return times, nil
}

// await reads until text comes.
func await(seen <-chan []byte, text string) error {
	limit := time.After(30 * time.Second)
	for {
		select {
		case p := <-seen:
			if bytes.Contains(p, []byte(text)) {
				return nil
			}
		case <-limit:
			return fmt.Errorf("%q is not seen", text)
		}
	}
}
