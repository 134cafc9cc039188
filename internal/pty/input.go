package pty

import (
	"slices"
	"sync"
	"time"
)

// input is a queue of typed input. Its own goroutine writes it to the terminal, so that neither the caller that
// types nor the reader of the terminal ever waits for the command.
type input struct {
	mu      sync.Mutex
	items   []item
	size    int // queued bytes, including those being written
	replies int // queued bytes that are replies to queries

	wake chan struct{} // has an item when input was queued
	room chan struct{} // has an item when input was written
	quit chan struct{} // closed when the command no longer reads
	done chan struct{} // closed when the goroutine has returned
}

// item is one piece of input: bytes, or the end of it.
type item struct {
	p     []byte
	reply bool
	end   bool
}

func newInput() *input {
	return &input{
		wake: make(chan struct{}, 1), room: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{}),
	}
}

func (in *input) write(p []byte) error { return in.add(item{p: p}) }

func (in *input) reply(p []byte) { _ = in.add(item{p: p, reply: true}) }

func (in *input) end() error { return in.add(item{end: true}) }

func (in *input) add(it item) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	n := len(it.p)
	if in.size+n > maxInput || it.reply && in.replies+n > maxReplies {
		return ErrInputFull
	}
	it.p = slices.Clone(it.p)
	in.items = append(in.items, it)
	in.size += n
	if it.reply {
		in.replies += n
	}
	tell(in.wake)
	return nil
}

// tell puts an item into a channel of capacity one.
func tell(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// awaitRoom waits until input was written. It reports false if none will be.
func (in *input) awaitRoom() bool {
	select {
	case <-in.room:
		return true
	case <-in.quit:
		return false
	}
}

// take returns all queued input, in order. settle accounts for it.
func (in *input) take() []item {
	in.mu.Lock()
	defer in.mu.Unlock()
	items := in.items
	in.items = nil
	return items
}

// settle subtracts a written item from the sizes.
func (in *input) settle(it item) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.size -= len(it.p)
	if it.reply {
		in.replies -= len(it.p)
	}
	tell(in.room)
}

// run writes to t until stop is called or the terminal is gone. After the end of input every reader in
// canonical mode gets end of file, as with /dev/null; run repeats the EOF character because each read consumes it.
func (in *input) run(t *terminal) {
	defer close(in.done)
	ended, pause := false, endFirst
	for {
		var look <-chan time.Time
		if ended {
			look = time.After(pause)
		}
		select {
		case <-in.wake:
			for _, it := range in.take() {
				if !t.write(it.p) {
					return
				}
				ended, pause = it.end, 0
				in.settle(it)
			}
		case <-look:
		case <-in.quit:
			return
		}
		if !ended {
			continue
		}
		pause = min(max(2*pause, endFirst), endLast)
		if end := t.endOfInput(); len(end) > 0 && t.write(end) {
			pause = endFirst
		}
	}
}

// stop ends the goroutine and waits for it. Unwritten input is dropped.
func (in *input) stop(t *terminal) {
	close(in.quit)
	t.stopWriting()
	<-in.done
}
