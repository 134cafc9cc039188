package ps

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestCleanStart looks from inside at what a command is born with, when pi itself was started with signals ignored
// and blocked and with descriptors open.
func TestCleanStart(t *testing.T) {
	python := `
import os, signal, subprocess, sys
for s in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGCHLD, signal.SIGTSTP, signal.SIGTTOU, signal.SIGUSR1): signal.signal(s, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
r, w = os.pipe(); os.set_inheritable(w, True); os.dup2(w, 9, inheritable=True)
sys.exit(subprocess.run([sys.argv[1], "look-as-pi"], close_fds=False, restore_signals=False).returncode)`
	cmd := exec.Command("python3", "-c", python, os.Args[0])
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	got := strings.Fields(out.String())
	want := strings.Fields("SigBlk: 0000000000000000 SigIgn: 0000000000000000 0 1 2 session own")
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// lookAsPi is a pi that runs a command which prints its signals and descriptors; it then proves that it goes on
// ignoring what it was told to ignore.
func lookAsPi() {
	text := `grep -E 'SigBlk|SigIgn' /proc/self/status
for f in /proc/$$/fd/*; do n=${f##*/}; [ $n = 255 ] || [ ! -e $f ] || echo $n; done # bash's own, and the one that lists
read -r _ _ _ _ _ sid _ </proc/$$/stat; [ $sid = $$ ] && echo session own; exec 3</dev/tty`
	tree, err := Start(Command{Path: "/bin/bash", Args: []string{"bash", "-c", text}, Env: []string{"PATH=/usr/bin:/bin"}, Stdout: os.Stdout})
	if err != nil {
		panic(err)
	}
	<-tree.Done()
	tree.End(0, nil)
	_ = unix.Kill(os.Getpid(), unix.SIGHUP)
	_ = unix.Kill(os.Getpid(), unix.SIGINT)
	os.Exit(0)
}

func TestDescriptorThree(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tree, err := Start(Command{Path: "/bin/sh", Args: []string{"sh", "-c", "echo three >&3"}, Extra: w})
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	defer tree.End(0, nil)
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil || b.String() != "three\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

func TestMarker(t *testing.T) {
	out, _ := output(t, "echo $"+MarkerName)
	if len(strings.TrimSpace(out)) != 16 {
		t.Errorf("marker %q", out)
	}
	env := withMarker([]string{"A=1", MarkerName + "=outer", "B=2"}, "inner")
	if got := strings.Join(env, " "); got != "A=1 "+MarkerName+"=outer,inner B=2" {
		t.Errorf("nested: %s", got)
	}
}
