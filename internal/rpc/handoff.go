package rpc

import (
	"sync"
	"time"
)

// handoffAfter is how long the reading goroutine may work on a request before another one takes over the reading; the
// timer may double it. It bounds how much later a request is heard that follows closely on another one.
const handoffAfter = 500 * time.Microsecond

// A handoff watches the goroutine that reads requests and also does their work: if a request takes a while, another
// goroutine takes over the reading. One timer serves requests in a row, because the runtime wakes a thread for every new
// timer, which would take longer than a short command.
type handoff struct {
	readOn func() // reads on, in a goroutine of its own

	mu    sync.Mutex
	turn  int       // grows with every handoff
	since time.Time // when the reader's current work began; zero: it waits for a request
	any   bool      // there has been work since the timer was set
	timer *time.Timer
	set   bool // the timer is running
}

// begin marks the start of the reader's work.
func (h *handoff) begin() (turn int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.since, h.any = time.Now(), true
	switch {
	case h.set:
		return h.turn
	case h.timer == nil:
		h.timer = time.AfterFunc(handoffAfter, h.check)
	default:
		h.timer.Reset(handoffAfter)
	}
	h.set = true
	return h.turn
}

// end marks the end of the work. It reports whether another goroutine has taken over the reading.
func (h *handoff) end(turn int) (handedOff bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.turn != turn {
		return true
	}
	h.since = time.Time{}
	return false
}

// check hands the reading over if the current work has lasted long enough. It runs again as long as requests come.
func (h *handoff) check() {
	h.mu.Lock()
	late := !h.since.IsZero() && time.Since(h.since) >= handoffAfter
	if late {
		h.turn++
		h.since = time.Time{}
	}
	h.set, h.any = h.any && !late, false
	if h.set {
		h.timer.Reset(handoffAfter)
	}
	h.mu.Unlock()
	if late {
		h.readOn()
	}
}
