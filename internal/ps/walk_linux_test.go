package ps

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWalkAgreesWithScan looks at the same trees in both ways.
func TestWalkAgreesWithScan(t *testing.T) {
	for name, text := range map[string]string{
		"flat":    "for i in $(seq 50); do sleep TAG & done; wait",
		"deep":    "sh -c 'sh -c \"sh -c \\\"sleep TAG; :\\\"; :\"; :'; :",
		"setsid":  "setsid sleep TAG & sleep TAG",
		"threads": "python3 -c 'import threading, subprocess\nfor i in range(5): threading.Thread(target=subprocess.run, args=([\"sleep\", \"TAG\"],)).start()'; :",
	} {
		t.Run(name, func(t *testing.T) {
			tag := tag(t)
			tree := start(t, strings.ReplaceAll(text, "TAG", tag))
			want := map[string]int{"flat": 50, "deep": 1, "setsid": 2, "threads": 5}[name]
			eventually(t, "all sleep", func() bool { return sleepers(t, tag) == want })
			all := func(int) bool { return false }
			walked, ok := walk(tree.PID(), 1<<20)
			if !ok {
				t.Fatal("no children files here")
			}
			scanned, err := scan()
			if err != nil {
				t.Fatal(err)
			}
			got, exp := pids(walked.below([]int{tree.PID()}, all)), pids(scanned.below([]int{tree.PID()}, all))
			if !slices.Equal(got, exp) {
				t.Errorf("walk %v, scan %v", got, exp)
			}
			if _, ok := walk(tree.PID(), 1); ok {
				t.Error("a walk went beyond its bound")
			}
		})
	}
}

func pids(list []proc) (pids []int) {
	for _, p := range list {
		pids = append(pids, p.pid)
	}
	slices.Sort(pids)
	return pids
}

func TestKillTree(t *testing.T) {
	tag := tag(t)
	cmd := exec.Command("bash", "-c", strings.ReplaceAll("sleep TAG & sh -c 'sleep TAG; :' & wait", "TAG", tag))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both sleep", func() bool { return sleepers(t, tag) == 2 })
	below := Descendants(cmd.Process.Pid)
	if len(below) != 3 {
		t.Fatalf("descendants %v, want 3", below)
	}
	if p, _ := readProc(below[len(below)-1]); p.ppid != cmd.Process.Pid {
		t.Errorf("descendants %v do not end with a child of %d", below, cmd.Process.Pid)
	}
	// Stopped first, so that no parent ends by itself when its child does.
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
		if n := KillTree(cmd.Process.Pid, sig); n != 4 {
			t.Errorf("%v: signalled %d, want 4", sig, n)
		}
	}
	_ = cmd.Wait()
	eventually(t, "nothing left", func() bool { return len(tagged(t, tag)) == 0 })
	if n := KillTree(cmd.Process.Pid, syscall.SIGKILL); n != 0 {
		t.Errorf("signalled %d of a tree that is gone", n)
	}
	if list := Descendants(cmd.Process.Pid); list != nil {
		t.Errorf("descendants %v of a process that is gone", list)
	}
}

// TestKillTreeThatGoesOn: parents that start another child when one dies do not get to it.
func TestKillTreeThatGoesOn(t *testing.T) {
	const loop = "while :; do sleep TAG; done"
	for _, tt := range []struct {
		name, text string
		sleepers   int
	}{
		{"root", loop, 1},
		{"children", "for i in $(seq 40); do sh -c '" + loop + "' & done; wait", 40},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for round := range 5 {
				tag := tag(t)
				cmd := exec.Command("sh", "-c", strings.ReplaceAll(tt.text, "TAG", tag))
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				eventually(t, "all sleep", func() bool { return sleepers(t, tag) == tt.sleepers })
				KillTree(cmd.Process.Pid, syscall.SIGKILL)
				_ = cmd.Wait()
				eventually(t, "no parent is left", func() bool { return len(tagged(t, tag)) == sleepers(t, tag) })
				if n := sleepers(t, tag); n > 0 {
					t.Errorf("round %d: %d children were started meanwhile", round, n)
					_ = exec.Command("pkill", "-KILL", "-f", "sleep "+tag).Run()
				}
			}
		})
	}
}

// TestNobodyElse asks for the end of processes that are not to be touched; it is its own proof.
func TestNobodyElse(t *testing.T) {
	me, _ := readProc(os.Getpid())
	for _, pid := range []int{-1, 0, 1, me.pid, me.ppid, me.session} {
		if n := KillTree(pid, syscall.SIGTERM); n != 0 {
			t.Errorf("KillTree(%d) signalled %d", pid, n)
		}
		if _, err := TerminateTree(pid, syscall.SIGTERM, 0, nil); err == nil {
			t.Errorf("TerminateTree(%d) was not refused", pid)
		}
	}
	if err := send(me.id, syscall.SIGTERM); err == nil {
		t.Error("signalled itself")
	}
}

// TestIdentity gives a living process another birthday: it must not be signalled.
func TestIdentity(t *testing.T) {
	tree := start(t, "sleep 1000")
	p, ok := readProc(tree.PID())
	if !ok {
		t.Fatal("no leader")
	}
	for _, start := range []uint64{0, p.start - 1, p.start + 1} {
		if err := send(id{p.pid, start}, syscall.SIGKILL); err == nil {
			t.Errorf("signalled %d as born at %d instead of %d", p.pid, start, p.start)
		}
	}
	if now, ok := readProc(p.pid); !ok || !now.alive() {
		t.Fatal("it died")
	}
	if err := send(p.id, syscall.Signal(0)); err != nil {
		t.Errorf("with the right birthday: %v", err)
	}
}

func TestEndTreeOfOthers(t *testing.T) {
	tag := tag(t)
	cmd := exec.Command("bash", "-c", strings.ReplaceAll("trap '' TERM; sleep TAG & (sleep TAG &) ; while :; do sleep TAG; done", "TAG", tag))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all sleep", func() bool { return sleepers(t, tag) == 3 })
	list, err := ListTree(cmd.Process.Pid)
	if err != nil || len(list) < 3 || list[0].PID != cmd.Process.Pid || list[1].Depth != 1 {
		t.Errorf("list %+v, %v", list, err)
	}
	rep, err := TerminateTree(cmd.Process.Pid, syscall.SIGTERM, firstPause, nil)
	if err != nil || rep.Survivors != 0 || rep.Signalled < 3 {
		t.Errorf("%+v, %v", rep, err)
	}
	_ = cmd.Wait()
	if left := tagged(t, tag); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestEndTreeThatGrows ends trees of others in the middle of forking: a child born between a look and its parent's death
// is nobody's, since it has neither the session of the root nor a marker.
func TestEndTreeThatGrows(t *testing.T) {
	for _, tt := range []struct {
		name  string
		sig   syscall.Signal
		grace time.Duration
	}{{"TERM", syscall.SIGTERM, patience}, {"KILL", syscall.SIGKILL, 0}} {
		t.Run(tt.name, func(t *testing.T) {
			for range 5 {
				tag := tag(t)
				text := "for i in 1 2 3 4; do sh -c 'for j in $(seq 200); do sleep TAG & done; wait' & done; wait"
				cmd := exec.Command("sh", "-c", strings.ReplaceAll(text, "TAG", tag))
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				eventually(t, "it grows", func() bool { return sleepers(t, tag) >= 10 })
				rep, err := TerminateTree(cmd.Process.Pid, tt.sig, tt.grace, nil)
				_ = cmd.Wait()
				if err != nil || rep.Survivors != 0 {
					t.Errorf("TerminateTree: %+v, %v", rep, err)
				}
				if left := tagged(t, tag); len(left) > 0 {
					_ = exec.Command("pkill", "-KILL", "-f", tag).Run()
					t.Fatalf("%d are left after %d got the signal, such as %s", len(left), rep.Signalled, left[0])
				}
			}
		})
	}
}

func TestThreadIsNoProcess(t *testing.T) {
	tid := syscall.Gettid()
	if tid == os.Getpid() {
		done := make(chan int)
		go func() { done <- syscall.Gettid() }()
		tid = <-done
	}
	if tid != os.Getpid() && !isThread(tid) || isThread(os.Getpid()) {
		t.Errorf("thread %d of process %d", tid, os.Getpid())
	}
}

func TestParseStat(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want string
	}{
		"plain":      {"7 (cat) S 1 7 3 0 -1 4194304 98 0 0 0 0 0 0 0 20 0 1 0 135540 5 6", "{{7 135540} 1 7 3 S 1 false cat} true"},
		"blank name": {"7 (a) R (b c) Z 4 5 6 0 -1 4194304 98 0 0 0 0 0 0 0 20 0 12 0 99 5 6", "{{7 99} 4 5 6 Z 12 false a) R (b c} true"},
		"leaving":    {"7 (cat) R 1 7 3 0 -1 4194308 98 0 0 0 0 0 0 0 20 0 1 0 135540 5 6", "{{7 135540} 1 7 3 R 1 true cat} true"},
		"cut":        {"7 (cat) S 1 7", "false"},
		"empty":      {"", "false"},
		"no bracket": {"7 cat S 1 7", "false"},
		"no rest":    {"7 (cat)", "false"},
	} {
		p, ok := parseStat(7, []byte(tc.text))
		got := fmt.Sprint(ok)
		if ok {
			got = fmt.Sprintf("{{%d %d} %d %d %d %c %d %v %s} %v", p.pid, p.start, p.ppid, p.pgid, p.session, p.state, p.threads, p.leaving, p.name, ok)
		}
		if got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("7 (cat) S 1 7 3 0 -1 4194304 98 0 0 0 0 0 0 0 20 0 1 0 135540 5 6"))
	f.Add([]byte("7 (a) R (b c) Z 4 5 6 0 -1 4194304 98 0 0 0 0 0 0 0 20 0 12 0 99 5 6"))
	f.Add([]byte("7 () "))
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, ok := parseStat(7, text); ok && (p.ppid < 0 || p.session < 0 || p.pid != 7) {
			t.Errorf("%+v", p)
		}
	})
}
