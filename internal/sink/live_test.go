package sink

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// update is a snapshot and the time since the start at which it arrived.
type update struct {
	at time.Duration
	Snapshot
}

// follow collects the updates of a sink in a synctest bubble.
func follow(opt Options) (*Sink, *[]update) {
	start := time.Now()
	got := new([]update)
	opt.OnUpdate = func(s Snapshot) { *got = append(*got, update{time.Since(start), s}) }
	return New(opt), got
}

func TestUpdates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, got := follow(Options{})
		for range 100 {
			s.Write(Stdout, []byte("line\n"))
			time.Sleep(3 * time.Millisecond)
		}
		s.Write(Stdout, []byte("50%\r"))
		time.Sleep(time.Minute)
		synctest.Wait()
		n := len(*got)
		if last := (*got)[n-1]; !strings.HasSuffix(last.Text, "line\n50%") || last.TotalLines != 101 || last.TotalBytes != 503 {
			t.Fatalf("last state: %+v", last)
		}
		if n < 4 || n > 8 {
			t.Fatalf("%d updates in 300 ms", n)
		}
		for i := 1; i < n; i++ {
			if gap := (*got)[i].at - (*got)[i-1].at; gap < updateEvery {
				t.Fatalf("%v between updates", gap)
			}
		}
		if (*got)[0].at != 0 {
			t.Fatalf("first update after %v", (*got)[0].at)
		}
		s.Close()
		if len(*got) != n {
			t.Fatal("an update without a change")
		}
	})
}

func TestLastUpdateBeforeClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, got := follow(Options{})
		s.Write(Stdout, []byte("a"))
		synctest.Wait()
		s.Write(Stdout, []byte("b\xe4"))
		s.Close()
		if last := (*got)[len(*got)-1]; last.Text != "ab\ufffd" || last.at >= updateEvery {
			t.Fatalf("%+v", last)
		}
	})
}

func TestUpdatesAreBoundedAndLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, got := follow(Options{Head: 2, MaxBytes: 8})
		s.Write(Stdout, []byte("first\nsecond\nthird\nfour"))
		s.Close()
		if last := (*got)[len(*got)-1]; last.Text != "\nsecond\n" && last.Text != "second\n" {
			t.Fatalf("%+v", last)
		}
	})
}

// TestSlowUpdate uses a slow callback: writers do not wait for it, and states are skipped.
func TestSlowUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var texts []string
		s := New(Options{OnUpdate: func(s Snapshot) {
			time.Sleep(time.Second)
			texts = append(texts, s.Text)
		}})
		start := time.Now()
		for range 50 {
			s.Write(Stdout, []byte("x"))
			time.Sleep(time.Millisecond)
		}
		if time.Since(start) > 100*time.Millisecond {
			t.Fatal("writes waited for the callback")
		}
		s.Close()
		if len(texts) != 2 || texts[1] != strings.Repeat("x", 50) {
			t.Fatalf("%q", texts)
		}
	})
}

func TestNoUpdatesNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a leaked goroutine would deadlock the bubble
		s, got := follow(Options{})
		s.Write(Stdout, nil)
		s.Close()
		s.Close()
		if len(*got) != 0 {
			t.Fatalf("%+v", *got)
		}
	})
}
