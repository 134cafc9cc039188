package sink

import (
	"bytes"
	"time"
)

// updateEvery is the least time between two live updates.
const updateEvery = 50 * time.Millisecond

// Snapshot is the state of a running command's output.
type Snapshot struct {
	// Text is the end of the text so far, at most MaxBytes, with the lines that are still being written.
	Text string
	// TotalLines and TotalBytes measure the text so far.
	TotalLines, TotalBytes int64
}

// live delivers snapshots from one goroutine, which starts with the first notify. Writers only leave word that there is
// something new, so a slow callback misses states and never holds up a writer.
type live struct {
	deliver func()
	started bool
	news    chan struct{} // holds one item while there is an undelivered state
	quit    chan struct{}
	done    chan struct{}
}

func newLive(fn func(Snapshot), snapshot func() Snapshot) *live {
	return &live{
		deliver: func() { fn(snapshot()) },
		news:    make(chan struct{}, 1),
		quit:    make(chan struct{}),
		done:    make(chan struct{}),
	}
}

// notify wakes the delivery goroutine after a state change. The caller must hold the sink's lock.
func (l *live) notify() {
	select {
	case l.news <- struct{}{}:
	default:
	}
	if !l.started {
		l.started = true
		go l.run()
	}
}

// run delivers until it is told to quit, and then once more if there is news.
func (l *live) run() {
	defer close(l.done)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-l.quit:
			l.last()
			return
		}
		select {
		case <-l.news:
			l.deliver()
		case <-l.quit:
			l.last()
			return
		}
		pause.Reset(updateEvery)
	}
}

func (l *live) last() {
	select {
	case <-l.news:
		l.deliver()
	default:
	}
}

// stop ends the goroutine after a last delivery and waits for it. It is called once.
func (l *live) stop() {
	close(l.quit)
	if l.started {
		<-l.done
	}
}

// snapshot describes the text so far.
func (s *Sink) snapshot() Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, _, _ := s.text.compose()
	whole := s.text.whole()
	for i := range s.streams {
		line := s.streams[i].partial()
		if len(line) == 0 || s.text.full(Stream(i)) {
			continue
		}
		text = append(bytes.Clone(text), line...)
		whole.add(line, 0)
	}
	return Snapshot{
		Text:       string(text[cut(text, s.opt.MaxBytes):]),
		TotalLines: whole.lines(),
		TotalBytes: whole.bytes,
	}
}
