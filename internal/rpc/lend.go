package rpc

import (
	"sync"
	"time"
)

// lendAfter is how long who reads may be busy with a request before somebody else goes on reading; it may become twice
// that. It bounds how much later a request is heard that follows another one closely.
const lendAfter = 500 * time.Microsecond

// A lender watches who does the work of a request that he has read himself: if that takes a while, somebody else reads
// on. One timer looks after requests that come one after the other: to start and stop one for each would take longer
// than a short command, since the runtime wakes a thread for every new timer.
type lender struct {
	readOn func() // in a goroutine of its own

	mu    sync.Mutex
	turn  int       // grows with every lending
	since time.Time // when the work began of who reads; zero: he waits for a request
	any   bool      // there has been work since the timer was set
	timer *time.Timer
	set   bool // the timer will come
}

// begin says that who reads is at work from now on.
func (l *lender) begin() (turn int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.since, l.any = time.Now(), true
	switch {
	case l.set:
		return l.turn
	case l.timer == nil:
		l.timer = time.AfterFunc(lendAfter, l.look)
	default:
		l.timer.Reset(lendAfter)
	}
	l.set = true
	return l.turn
}

// end says that the work is done; lent tells that somebody else reads by now.
func (l *lender) end(turn int) (lent bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.turn != turn {
		return true
	}
	l.since = time.Time{}
	return false
}

// look lends the reading if the work that goes on has lasted long enough. It comes again as long as there are requests.
func (l *lender) look() {
	l.mu.Lock()
	late := !l.since.IsZero() && time.Since(l.since) >= lendAfter
	if late {
		l.turn++
		l.since = time.Time{}
	}
	l.set, l.any = l.any && !late, false
	if l.set {
		l.timer.Reset(lendAfter)
	}
	l.mu.Unlock()
	if late {
		l.readOn()
	}
}
