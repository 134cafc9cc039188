package ps

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestState(t *testing.T) {
	for _, tc := range []struct {
		text string
		want State
	}{
		{"true", State{}},
		{"exit 7", State{ExitCode: 7}},
		{"kill -9 $$", State{ExitCode: -1, Signal: syscall.SIGKILL}},
		{"kill -TERM $$", State{ExitCode: -1, Signal: syscall.SIGTERM}},
	} {
		if _, got := output(t, tc.text); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.text, got, tc.want)
		}
	}
}

func TestStartErrors(t *testing.T) {
	file := t.TempDir() + "/file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		c    Command
		says string
		is   error
	}{
		"no program":   {Command{Path: "/nowhere/sh"}, "/nowhere/sh", syscall.ENOENT},
		"no directory": {Command{Path: "/bin/sh", Dir: "/nowhere/at"}, "/nowhere/at", syscall.ENOENT},
		"a file":       {Command{Path: "/bin/sh", Dir: file}, file, syscall.ENOTDIR},
		"not runnable": {Command{Path: file}, file, syscall.EACCES},
		"too long":     {Command{Path: "/bin/sh", Args: []string{strings.Repeat("x", 1<<18)}}, "/bin/sh", syscall.E2BIG},
	} {
		_, err := Start(tc.c)
		if !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v, want %v with %s", name, err, tc.is, tc.says)
		}
	}
}

// TestEnd ends trees that other tools leave behind. Each text starts want sleepers and says nothing else.
func TestEnd(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       int
		grace      time.Duration
	}{
		{"plain", "sleep TAG; true", 1, 2 * time.Second},
		{"pipeline", "sleep TAG | sleep TAG | sleep TAG", 3, 2 * time.Second},
		{"setsid", "setsid sleep TAG & exec sleep TAG", 2, 2 * time.Second},
		{"nohup", "nohup sleep TAG >/dev/null 2>&1 & wait", 1, 2 * time.Second},
		{"orphan in a session of its own", "(nohup setsid sleep TAG >/dev/null 2>&1 &); wait; sleep TAG", 2, 2 * time.Second},
		{"double fork", `setsid sh -c '(sleep TAG &) ; exit' ; sleep TAG`, 2, 2 * time.Second},
		{"clean environment", `env -i setsid sh -c 'exec env -i setsid -f sleep TAG' ; sleep TAG`, 2, 2 * time.Second},
		{"ignores TERM", `trap '' TERM; sleep TAG; sleep TAG`, 1, 50 * time.Millisecond},
		{"job control", "set -m; sleep TAG & sleep TAG & wait", 2, 2 * time.Second},
		{"stopped", "sleep TAG & sleep 0.1; kill -STOP $!; sleep TAG", 2, 2 * time.Second},
		{"leader stopped", "sleep TAG & sleep TAG & sleep 0.02; kill -STOP $$", 2, 2 * time.Second},
		{"leader gone", "sleep TAG & setsid sleep TAG & exit 3", 2, 2 * time.Second},
		{"daemon", `python3 -c '
import os, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.chdir("/")
os.execv("/bin/sleep", ["daemon", "TAG"])'; sleep TAG`, 2, 2 * time.Second},
		{"forked by threads", `python3 -c '
import threading, subprocess
for i in range(3): threading.Thread(target=subprocess.run, args=(["setsid", "sleep", "TAG"],)).start()
'`, 4, 2 * time.Second}, // the interpreter carries the tag as well; so does a child before its exec
		{"main thread gone", `python3 -c '
import threading, time, ctypes
threading.Thread(target=time.sleep, args=(TAG,)).start()
ctypes.CDLL(None).pthread_exit(None)' & wait`, 1, 2 * time.Second},
		{"zombies", `python3 -c '
import os, time
for i in range(20):
    if not os.fork(): os._exit(0)
time.sleep(TAG)'`, 1, 2 * time.Second},
		{"restarts its child", `while :; do sleep TAG; done`, 1, 2 * time.Second},
		{"respawns on TERM", `trap 'setsid sleep TAG & setsid sleep TAG &' TERM; while :; do sleep TAG; done`, 1, 100 * time.Millisecond},
		{"storm", `for i in $(seq 100); do sleep TAG & setsid sleep TAG & done; wait`, 200, 2 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tag := tag(t)
			tree := start(t, strings.ReplaceAll(tc.text, "TAG", tag))
			sleepers := func() (n int) {
				for _, l := range tagged(t, tag) {
					if !strings.Contains(l, "bash -c") && !strings.Contains(l, "setsid sh") {
						n++
					}
				}
				return n
			}
			eventually(t, "all sleep", func() bool { return sleepers() >= tc.want })
			began := time.Now()
			rep := tree.End(tc.grace, nil)
			t.Logf("%v after %v", rep, time.Since(began))
			if left := tagged(t, tag); len(left) > 0 || rep.Survivors != 0 {
				t.Errorf("%+v, left %q", rep, left)
			}
			if rep.Signalled == 0 {
				t.Error("nobody was signalled")
			}
			select {
			case <-tree.Done():
			default:
				t.Error("the leader was not reaped")
			}
			eventually(t, "no children, nor a guardian", func() bool { return !mayHaveChildren() })
		})
	}
}
