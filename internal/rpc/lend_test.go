package rpc

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestLender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var readers atomic.Int32
		l := lender{readOn: func() { readers.Add(1) }}
		work := func(d time.Duration) (lent bool) {
			turn := l.begin()
			time.Sleep(d)
			return l.end(turn)
		}
		for range 50 {
			if work(lendAfter / 3) {
				t.Fatal("lent for a short one")
			}
		}
		if !work(2 * lendAfter) {
			t.Error("not lent for a long one")
		}
		if n := readers.Load(); n != 1 {
			t.Errorf("%d others read, want 1", n)
		}

		long := l.begin()
		time.Sleep(2 * lendAfter)
		next := l.begin() // of who reads now
		if !l.end(long) || l.end(next) {
			t.Error("who has lent takes the next one's turn for his")
		}
		time.Sleep(time.Minute) // nobody asks for anything
		synctest.Wait()
		if l.set {
			t.Error("the timer goes on for nobody")
		}
		if !work(2*lendAfter) || readers.Load() != 3 {
			t.Errorf("after a pause %d others read, want 3", readers.Load())
		}
	})
}
