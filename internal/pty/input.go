package pty

import (
	"slices"
	"sync"
	"time"
)

// input is what was typed and not read yet. A goroutine of its own writes it to the terminal, so that neither who
// types nor who reads the terminal ever waits for the command.
type input struct {
	mu      sync.Mutex
	items   []item
	size    int // bytes that wait, those being written included
	replies int // of which are answers to queries

	wake chan struct{} // holds one item when there is something new
	room chan struct{} // holds one item when something was written
	quit chan struct{} // closed when nobody reads any more
	done chan struct{} // closed when the goroutine has ended
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

// tell leaves word in a channel of one.
func tell(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// awaitRoom waits until something was written; false: nothing will be any more.
func (in *input) awaitRoom() bool {
	select {
	case <-in.room:
		return true
	case <-in.quit:
		return false
	}
}

// take gives everything that waits, in order; it is accounted for by settle.
func (in *input) take() []item {
	in.mu.Lock()
	defer in.mu.Unlock()
	items := in.items
	in.items = nil
	return items
}

// settle takes a written item off the account.
func (in *input) settle(it item) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.size -= len(it.p)
	if it.reply {
		in.replies -= len(it.p)
	}
	tell(in.room)
}

// run writes to t until stop is called or the terminal is gone. Once the input has ended, every reader that is not at a
// key-by-key interface meets its end, as with /dev/null: the terminal forgets that end with each read that has seen it.
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

// stop ends the goroutine and waits for it. What was not written is dropped.
func (in *input) stop(t *terminal) {
	close(in.quit)
	t.stopWriting()
	<-in.done
}
