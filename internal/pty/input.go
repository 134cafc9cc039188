package pty

import (
	"errors"
	"os"
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
	return &input{wake: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
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
	select {
	case in.wake <- struct{}{}:
	default:
	}
	return nil
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
}

// run writes to t until stop is called or the terminal is gone.
func (in *input) run(t *terminal) {
	defer close(in.done)
	open := false // the last byte did not end a line
	for {
		select {
		case <-in.wake:
		case <-in.quit:
			return
		}
		for _, it := range in.take() {
			p := it.p
			if it.end {
				p = t.endOfInput(open)
			}
			if !in.put(t.in, p) {
				return
			}
			if len(p) > 0 {
				open = p[len(p)-1] != '\n' && p[len(p)-1] != '\r' && !it.end
			}
			in.settle(it)
		}
	}
}

// put writes p, and tells whether there is a point in writing on.
func (in *input) put(f *os.File, p []byte) bool {
	for len(p) > 0 {
		select {
		case <-in.quit:
			return false
		default:
		}
		_ = f.SetWriteDeadline(time.Now().Add(writeLimit))
		n, err := f.Write(p)
		p = p[n:]
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return false
		}
	}
	return true
}

// stop ends the goroutine and waits for it. What was not written is dropped.
func (in *input) stop(t *terminal) {
	close(in.quit)
	_ = t.in.SetWriteDeadline(time.Now())
	<-in.done
}
