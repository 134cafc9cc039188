package run

import (
	"bytes"
	"context"
	"sync"
	"time"

	"pi/internal/sink"
)

// deliveryGrace is how long a callback that is running when the run must end may still take.
const deliveryGrace = 500 * time.Millisecond

// A dispatcher delivers the events of a run, one at a time. A callback that blocks, because nobody reads pi's standard
// output, blocks the command as a full pipe does, but must not block the end of the run. Once the run must end, the
// dispatcher gives up on a callback that does not return, and on all later events.
type dispatcher struct {
	live Live
	over context.Context // done when the run must end

	mu       sync.Mutex
	dropping bool // events are dropped from now on
}

// wantsOutput reports whether any of the output has a callback.
func (l Live) wantsOutput() bool { return l.Text != nil || l.Update != nil || l.Partial != nil }

// text returns the callback for complete text, or nil.
func (o *dispatcher) text() func([]byte) {
	if o.live.Text == nil {
		return nil
	}
	return func(p []byte) {
		p = bytes.Clone(p) // an abandoned callback may still read it
		o.deliver(func() { o.live.Text(p) })
	}
}

// update returns the callback for snapshots, or nil.
func (o *dispatcher) update() func(sink.Snapshot) {
	if o.live.Update == nil {
		return nil
	}
	return func(s sink.Snapshot) { o.deliver(func() { o.live.Update(s) }) }
}

// partial delivers the unfinished line.
func (o *dispatcher) partial(line []byte) { o.deliver(func() { o.live.Partial(line) }) }

func (o *dispatcher) deliver(event func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dropping {
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
	case <-time.After(deliveryGrace):
		o.dropping = true
	}
}

// dropped reports whether events were dropped.
func (o *dispatcher) dropped() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.dropping
}
