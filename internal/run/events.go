package run

import (
	"bytes"
	"context"
	"sync"
	"time"

	"pi/internal/sink"
)

// outletGrace is how long an event that is under way when the run has to end may still take.
const outletGrace = 500 * time.Millisecond

// An outlet passes a run's events on, one at a time. A receiver that takes nothing any more (nobody reads pi's
// standard output) holds the command up, as a full pipe does; it must not hold up the end of the run. Once the run has
// to end, an event that does not come through is given up, and everything after it.
type outlet struct {
	live Live
	over context.Context // done when the run has to end

	mu   sync.Mutex
	lost bool
}

// passesOn tells whether anything of the output has a receiver. Where nothing has, there is nobody to wait for.
func (l Live) passesOn() bool { return l.Text != nil || l.Update != nil || l.Held != nil }

// text passes committed text on.
func (o *outlet) text() func([]byte) {
	if o.live.Text == nil {
		return nil
	}
	return func(p []byte) {
		p = bytes.Clone(p) // a receiver that is given up may still be looking at it
		o.pass(func() { o.live.Text(p) })
	}
}

// update passes a snapshot on.
func (o *outlet) update() func(sink.Snapshot) {
	if o.live.Update == nil {
		return nil
	}
	return func(s sink.Snapshot) { o.pass(func() { o.live.Update(s) }) }
}

// held passes the unfinished line on.
func (o *outlet) held(line []byte) { o.pass(func() { o.live.Held(line) }) }

func (o *outlet) pass(event func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost {
		return
	}
	done := make(chan struct{})
	go func() {
		event()
		close(done)
	}()
	select {
	case <-done:
		return
	case <-o.over.Done():
	}
	select {
	case <-done:
	case <-time.After(outletGrace):
		o.lost = true
	}
}

// gaveUp tells whether events were lost.
func (o *outlet) gaveUp() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lost
}
