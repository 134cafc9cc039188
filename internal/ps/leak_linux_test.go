package ps

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func descriptors(t *testing.T) int {
	t.Helper()
	names, err := readDirNames("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// TestNothingLeaks starts and ends 200 trees, some released, some ended, some under a guardian.
func TestNothingLeaks(t *testing.T) {
	output(t, "true") // what is opened once
	before := descriptors(t)
	for i := range 200 {
		tree := start(t, "sleep 1000 & wait")
		switch i % 4 {
		case 0:
			tree.mu.Lock()
			tree.delayed.Reset(0)
			tree.mu.Unlock()
			tree.End(time.Second, nil)
		case 1:
			tree.End(0, nil)
		default:
			tree.End(time.Second, nil)
		}
	}
	eventually(t, "all descriptors closed", func() bool { return descriptors(t) <= before })
	eventually(t, "no child", func() bool { return !mayHaveChildren() })
	// The last guardian is struck off a moment after it was reaped.
	eventually(t, "nothing on the books", func() bool {
		registry.mu.Lock()
		defer registry.mu.Unlock()
		return len(registry.trees)+len(registry.armed)+len(registry.helpers) == 0 && registry.reaper == nil && registry.guard == nil
	})
}

func TestEndTwice(t *testing.T) {
	tag := tag(t)
	tree := start(t, "trap '' TERM; sleep "+tag+"; sleep "+tag)
	eventually(t, "it sleeps", func() bool { return sleepers(t, tag) == 1 })
	force := make(chan struct{})
	var wg sync.WaitGroup
	reports := make([]Report, 8)
	for i := range reports {
		wg.Go(func() {
			var h chan struct{}
			if i == 3 {
				h = force
			}
			reports[i] = tree.End(time.Hour, h)
		})
	}
	close(force)
	wg.Wait()
	for _, r := range reports {
		if r != reports[0] || r.Survivors != 0 {
			t.Errorf("reports differ: %+v", reports)
		}
	}
	if st := tree.State(); st.Signal != syscall.SIGKILL {
		t.Errorf("state %+v", st)
	}
}

// TestTreesApart ends one of three trees: what the others run, a released background job among it, lives.
func TestTreesApart(t *testing.T) {
	a, b, c := tag(t)+"1", tag(t)+"2", tag(t)+"3"
	const text = "setsid sleep TAG & (setsid sleep TAG &) ; (sleep TAG &) ; "
	one := start(t, strings.ReplaceAll(text+"wait", "TAG", a))
	two := start(t, strings.ReplaceAll(text+"wait", "TAG", b))
	three := start(t, strings.ReplaceAll(text+"exit", "TAG", c))
	<-three.Done()
	for _, tag := range []string{a, b, c} {
		eventually(t, "all sleep", func() bool { return sleepers(t, tag) == 3 })
	}
	if bg := three.Background(); len(bg) != 3 {
		t.Errorf("background %+v, want 3", bg)
	}
	if err := three.Release(); err != nil {
		t.Error(err)
	}
	one.End(time.Second, nil)
	if n := [3]int{sleepers(t, a), sleepers(t, b), sleepers(t, c)}; n != [3]int{0, 3, 3} {
		t.Errorf("after the end of the first: %v", n)
	}
	two.End(time.Second, nil)
	if n := [3]int{sleepers(t, a), sleepers(t, b), sleepers(t, c)}; n != [3]int{0, 0, 3} {
		t.Errorf("after the end of the second: %v", n)
	}
	three.End(time.Second, nil)
	if n := sleepers(t, c); n != 0 {
		t.Errorf("%d left of the third", n)
	}
}

// TestJanitor reaps orphans that ended while their tree goes on.
func TestJanitor(t *testing.T) {
	tree := start(t, "for i in $(seq 50); do (true &); done; sleep 1000")
	zombies := func() int {
		s, err := childrenOf(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		return len(s.procs)
	}
	eventually(t, "orphans come back", func() bool { return zombies() > 10 })
	eventually(t, "only the leader and perhaps a guardian are children", func() bool { return zombies() <= 3 })
	tree.End(0, nil)
}

// TestForkStorm ends a tree that forks as fast as it can.
func TestForkStorm(t *testing.T) {
	for _, grace := range []time.Duration{0, 2 * time.Second} {
		tag := tag(t)
		// Each keeps forking children that fork; the shell's own limit keeps the number bearable.
		tree := start(t, strings.ReplaceAll(`trap '' TERM; f() { while :; do [ $(jobs -p | wc -l) -lt 8 ] && { setsid bash -c 'sleep 0.0TAG' & (sleep 0.0TAG &); }; done; }; f & f & f & f`, "TAG", tag))
		eventually(t, "storm", func() bool { return len(tagged(t, tag)) > 10 })
		began := time.Now()
		rep := tree.End(min(grace, 50*time.Millisecond), nil)
		t.Logf("%+v after %v", rep, time.Since(began))
		if left := tagged(t, tag); len(left) > 0 || rep.Survivors > 0 {
			t.Errorf("%+v, left %q", rep, left)
		}
	}
}

// TestUnderLoad ends trees while the processors have other things to do.
func TestUnderLoad(t *testing.T) {
	var stop atomic.Bool
	defer stop.Store(true)
	for range 2 {
		go func() {
			for !stop.Load() {
			}
		}()
	}
	for i := range 20 {
		tag := tag(t)
		tree := start(t, strings.ReplaceAll("trap '' TERM; (trap '' TERM; setsid sleep TAG & setsid sleep TAG &) ; (setsid nohup sleep TAG >/dev/null 2>&1 &) ; sleep TAG & while :; do sleep TAG; done", "TAG", tag))
		eventually(t, "all sleep", func() bool { return sleepers(t, tag) == 5 })
		rep := tree.End(time.Duration(i%4)*10*time.Millisecond, nil)
		if left := tagged(t, tag); len(left) > 0 || rep.Survivors > 0 {
			t.Fatalf("round %d: %+v, left %q", i, rep, left)
		}
	}
}
