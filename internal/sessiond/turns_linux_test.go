package sessiond

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"pi/internal/run"
)

func TestFirstCallsStartOneDaemon(t *testing.T) {
	h := newHome(t)
	const n = 20
	out := make([]string, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], clientArg, "x", "echo $PPID")
			b, err := cmd.CombinedOutput()
			out[i] = string(b)
			if err != nil {
				t.Errorf("client %d: %v: %s", i, err, b)
			}
		})
	}
	wg.Wait()
	for _, o := range out {
		if o != out[0] || o != fmt.Sprintln(h.daemonPID()) {
			t.Errorf("daemons %q, and now %d", out, h.daemonPID())
			break
		}
	}
	if l := h.files(); len(l) != 1 {
		t.Errorf("files %q", l)
	}
}

func TestTurns(t *testing.T) {
	h := newHome(t)
	dir := t.TempDir()
	first := make(chan run.Result)
	go func() {
		first <- h.Run(context.Background(), h.call("touch "+dir+"/on; while [ ! -e "+dir+"/gate ]; do sleep 0.02; done; echo first >>"+dir+"/log"))
	}()
	eventually(t, "the first call runs", func() bool { _, err := os.Stat(dir + "/on"); return err == nil })

	c := h.call("echo no")
	c.Busy = run.BusyRefuse
	if r := h.Run(context.Background(), c); r.Details.Status != run.Error || r.ExitStatus() != 125 || text(r) != "session x is busy" {
		t.Errorf("--no-wait: %+v", r)
	}
	c = h.call("echo no >>" + dir + "/log")
	c.Request.Timeout = time.Second
	r := h.Run(context.Background(), c)
	if r.Details.Status != run.TimedOut || len(r.Details.Warnings) != 1 || !strings.Contains(r.Details.Warnings[0], "was not started") {
		t.Errorf("timeout: %+v", r)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 20 { // the abort must not overtake the call
		if r := h.Run(ctx, h.call("echo no >>"+dir+"/log")); r.Details.Status != run.Cancelled {
			t.Fatalf("cancelled: %+v", r)
		}
	}
	list, err := h.List()
	if err != nil || len(list) != 1 || !list[0].Busy || list[0].Name != "x" {
		t.Errorf("list %+v, %v", list, err)
	}

	second := make(chan run.Result)
	go func() { second <- h.Run(context.Background(), h.call("echo second >>"+dir+"/log")) }()
	if err := os.WriteFile(dir+"/gate", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ch := range []chan run.Result{first, second} {
		if r := <-ch; r.Details.Status != run.OK {
			t.Errorf("%+v", r)
		}
	}
	if b, _ := os.ReadFile(dir + "/log"); string(b) != "first\nsecond\n" {
		t.Errorf("log %q", b)
	}
}

func TestCancel(t *testing.T) {
	h := newHome(t)
	h.run("export X=kept; cd /usr")
	s := uniqueSleep()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := h.call("echo before; setsid sleep " + s + " & sleep " + s)
	c.Request.Live.Update = func(sinkSnapshot) { cancel() }
	r := h.Run(ctx, c)
	if r.Details.Status != run.Cancelled || text(r) != "before\n\nCommand cancelled" {
		t.Errorf("%+v", r)
	}
	if left := withArgument(s); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	r = h.run("echo $X; pwd")
	if text(r) != "kept\n/usr\n" || len(r.Details.Warnings) != 1 || !r.Details.Session.Fresh {
		t.Errorf("%+v", r)
	}
}

func TestClientKilled(t *testing.T) {
	h := newHome(t)
	h.run("export X=kept")
	s := uniqueSleep()
	cmd := exec.Command(os.Args[0], clientArg, "x", "sleep "+s)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the command runs", func() bool { return len(withArgument(s)) == 1 })
	pid := h.daemonPID()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	eventually(t, "the command is ended", func() bool { return len(withArgument(s)) == 0 })
	if got := text(h.run("echo $X")); got != "kept\n" || h.daemonPID() != pid {
		t.Errorf("got %q from host %d, was %d", got, h.daemonPID(), pid)
	}
}
