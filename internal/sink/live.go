package sink

import (
	"bytes"
	"time"
)

// updateEvery is the minimum time between two live updates.
const updateEvery = 50 * time.Millisecond

// Snapshot is the state of a running command's output.
type Snapshot struct {
	// Text is the end of the text so far, at most MaxBytes bytes, including incomplete lines.
	Text string
	// TotalLines and TotalBytes are the size of the text so far.
	TotalLines, TotalBytes int64
}

// updater delivers snapshots from one goroutine, which the first notify starts. Writers only signal that the state has
// changed, so a slow callback skips states and never blocks a writer.
type updater struct {
	deliver func()
	started bool
	changed chan struct{} // holds one item while there is an undelivered state
	quit    chan struct{}
	done    chan struct{}
}

func newUpdater(fn func(Snapshot), snapshot func() Snapshot) *updater {
	return &updater{
		deliver: func() { fn(snapshot()) },
		changed: make(chan struct{}, 1),
		quit:    make(chan struct{}),
		done:    make(chan struct{}),
	}
}

// notify wakes the delivery goroutine after a state change. The caller must hold the sink's lock.
func (u *updater) notify() {
	select {
	case u.changed <- struct{}{}:
	default:
	}
	if !u.started {
		u.started = true
		go u.run()
	}
}

// run delivers snapshots until quit is closed, and then the final one if the state has changed.
func (u *updater) run() {
	defer close(u.done)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-u.quit:
			u.last()
			return
		}
		select {
		case <-u.changed:
			u.deliver()
		case <-u.quit:
			u.last()
			return
		}
		pause.Reset(updateEvery)
	}
}

// last delivers the final state if it has not been delivered yet.
func (u *updater) last() {
	select {
	case <-u.changed:
		u.deliver()
	default:
	}
}

// stop ends the goroutine after a final delivery and waits for it. It must be called once only.
func (u *updater) stop() {
	close(u.quit)
	if u.started {
		<-u.done
	}
}

// snapshot returns the state of the text so far.
func (s *Sink) snapshot() Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, _, _ := s.text.compose()
	total := s.text.totalSize()
	for i := range s.streams {
		line := s.streams[i].partial()
		if len(line) == 0 || s.text.full(Stream(i)) {
			continue
		}
		text = append(bytes.Clone(text), line...)
		total.add(line, 0)
	}
	return Snapshot{
		Text:       string(text[cut(text, s.opt.MaxBytes):]),
		TotalLines: total.lines(),
		TotalBytes: total.bytes,
	}
}
