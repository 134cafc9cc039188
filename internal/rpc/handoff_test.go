package rpc

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestHandoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var readers atomic.Int32
		h := handoff{readOn: func() { readers.Add(1) }}
		work := func(d time.Duration) (handedOff bool) {
			turn := h.begin()
			time.Sleep(d)
			return h.end(turn)
		}
		for range 50 {
			if work(handoffAfter / 3) {
				t.Fatal("handed off during short work")
			}
		}
		if !work(2 * handoffAfter) {
			t.Error("not handed off during long work")
		}
		if n := readers.Load(); n != 1 {
			t.Errorf("%d new readers, want 1", n)
		}

		long := h.begin()
		time.Sleep(2 * handoffAfter)
		next := h.begin() // the new reader's
		if !h.end(long) || h.end(next) {
			t.Error("the old reader's work is taken for the new one's")
		}
		time.Sleep(time.Minute) // no requests
		synctest.Wait()
		if h.set {
			t.Error("the timer keeps running without requests")
		}
		if !work(2*handoffAfter) || readers.Load() != 3 {
			t.Errorf("after a pause %d new readers, want 3", readers.Load())
		}
	})
}
