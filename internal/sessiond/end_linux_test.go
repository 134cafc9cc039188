package sessiond

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"pi/internal/run"
)

func TestStop(t *testing.T) {
	h := newHome(t)
	s := uniqueSleep()
	r := h.run("sleep " + s + " >/dev/null & (setsid sleep " + s + " >/dev/null 2>&1 &)")
	if jobs := r.Details.BackgroundJobs; len(jobs) != 2 || !strings.HasPrefix(jobs[0].Command, "sleep ") {
		t.Errorf("jobs %+v", jobs)
	}
	list, err := h.List()
	if err != nil || len(list) != 1 || len(list[0].BackgroundJobs) != 2 || list[0].Busy || list[0].Shell != "/bin/bash" || list[0].Cwd != "/" {
		t.Errorf("list %+v, %v", list, err)
	}
	if was, err := h.Stop("x"); !was || err != nil {
		t.Errorf("Stop: %v, %v", was, err)
	}
	if left, l := withArgument(s), h.files(); len(left) > 0 || len(l) > 0 {
		for _, p := range left {
			b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p))
			t.Errorf("%s", b)
		}
		t.Errorf("left %v, files %q", left, l)
	}
	if was, err := h.Stop("x"); was || err != nil {
		t.Errorf("Stop of nobody: %v, %v", was, err)
	}
	if list, err := h.List(); len(list) > 0 || err != nil {
		t.Errorf("list %+v, %v", list, err)
	}
}

// TestStopWhileBusy: the running command is cancelled, and its client gets what it printed.
func TestStopWhileBusy(t *testing.T) {
	h := newHome(t)
	s := uniqueSleep()
	done := make(chan run.Result)
	go func() { done <- h.Run(context.Background(), h.call("echo before; sleep "+s)) }()
	eventually(t, "the command runs", func() bool { return len(withArgument(s)) == 1 })
	if was, err := h.Stop("x"); !was || err != nil {
		t.Errorf("Stop: %v, %v", was, err)
	}
	if r := <-done; r.Details.Status != run.Cancelled || !strings.HasPrefix(text(r), "before\n") {
		t.Errorf("%+v", r)
	}
}

// TestStopFrozen: a daemon that cannot answer is killed.
func TestStopFrozen(t *testing.T) {
	h := newHome(t)
	s := uniqueSleep()
	h.run("sleep " + s + " >/dev/null 2>&1 &")
	pid := h.daemonPID()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	h.stop = 200 * time.Millisecond
	if was, err := h.Stop("x"); !was || err != nil {
		t.Errorf("Stop: %v, %v", was, err)
	}
	eventually(t, "nothing is left", func() bool { return len(withArgument(s)) == 0 && !alive(pid) })
	if l := h.files(); len(l) > 0 {
		t.Errorf("files %q", l)
	}
}

func TestIdleDaemonExits(t *testing.T) {
	h := newHome(t)
	t.Setenv(TestIdle, "150ms")
	h.reopen()
	s := uniqueSleep()
	h.run("sleep " + s + " >/dev/null 2>&1 &")
	pid := h.daemonPID()
	eventually(t, "the daemon is gone", func() bool { return len(h.files()) == 0 && len(withArgument(s)) == 0 && (pid == 0 || !alive(pid)) })
}

// TestIdleRace: calls that come just when the daemon exits are served, by it or by another one.
func TestIdleRace(t *testing.T) {
	h := newHome(t)
	t.Setenv(TestIdle, "15ms")
	h.reopen()
	for range 30 {
		r := h.run("echo ok")
		if text(r) != "ok\n" || len(r.Details.Warnings) > 0 {
			t.Fatalf("%+v", r)
		}
		time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond)
	}
}

// TestDaemonKilled kills the daemon at any moment: the next call works and says so, and no process is left.
func TestDaemonKilled(t *testing.T) {
	h := newHome(t)
	rounds := 20
	if os.Getenv("PI_LONG") != "" {
		rounds = 200
	}
	for i := range rounds {
		s := uniqueSleep()
		stubborn := "" // ends only after the guardian's grace period
		if i%10 == 0 {
			stubborn = "(trap '' TERM; sleep " + s + " &); "
		}
		done := make(chan run.Result)
		go func() {
			done <- h.Run(context.Background(), h.call("sleep "+s+" & setsid sleep "+s+" & "+stubborn+"echo on; sleep "+s))
		}()
		pid := 0
		eventually(t, "there is a daemon", func() bool { pid = h.daemonPID(); return pid > 0 && pid != os.Getpid() })
		time.Sleep(time.Duration(rand.IntN(80)) * time.Millisecond)
		_ = syscall.Kill(pid, syscall.SIGKILL)
		deadline := time.After(patience)
		select {
		case <-done:
		case <-time.After(2 * time.Second):
			// It was killed before it accepted the call, and its successor has the call.
			if _, err := h.Stop("x"); err != nil {
				t.Errorf("round %d: %v", i, err)
			}
			select {
			case <-done:
			case <-deadline:
				t.Fatalf("round %d: the call does not return", i)
			}
		}
		if r := h.run("echo ok"); text(r) != "ok\n" {
			t.Fatalf("round %d: %+v", i, r)
		}
		if l := h.files(); len(l) != 1 {
			t.Fatalf("round %d: files %q", i, l)
		}
		eventually(t, fmt.Sprintf("round %d: nothing is left", i), func() bool { return len(withArgument(s)) == 0 })
	}
}

func TestKilledDaemonIsReported(t *testing.T) {
	h := newHome(t)
	h.run("true")
	pid := h.daemonPID()
	kill := func() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		eventually(t, "it is dead", func() bool { return h.daemonPID() == 0 })
	}
	kill()
	r := h.run("true")
	if w := r.Details.Warnings; len(w) != 1 || !strings.Contains(w[0], "the host of session x was killed") {
		t.Errorf("warnings %q", w)
	}
	pid = h.daemonPID()
	kill()
	if list, err := h.List(); len(list) > 0 || err != nil || len(h.files()) > 0 {
		t.Errorf("list %+v, %v, files %q", list, err, h.files())
	}
}
