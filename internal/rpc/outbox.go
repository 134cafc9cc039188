package rpc

import (
	"io"
	"sync"
)

// outbox holds what waits to be sent to one client. One goroutine sends; nobody else waits for the client, except
// for text that is passed on whole.
type outbox struct {
	mu     sync.Mutex
	change sync.Cond // something to send, room made, or closed
	queue  []item
	bytes  int   // of the replies in queue
	closed bool  // nothing more is taken
	err    error // of the first failed write
}

// item is one thing to send: a line, or whatever has gathered in a run's feed.
type item struct {
	line []byte
	feed *feed
}

func newOutbox() *outbox {
	o := &outbox{}
	o.change.L = &o.mu
	return o
}

// reply queues a message that must not be lost.
func (o *outbox) reply(v any) {
	line, err := encode(v)
	if err != nil { // a value of ours that JSON cannot express; ids and types are the client's own
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.push(item{line: line})
}

// push queues an item. The caller holds mu.
func (o *outbox) push(i item) {
	if o.closed || o.err != nil {
		return
	}
	o.queue = append(o.queue, i)
	o.bytes += len(i.line)
	o.change.Broadcast()
}

// room waits until a further request may be answered, and tells whether the client still is.
func (o *outbox) room() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.bytes > maxReplies && !o.closed && o.err == nil {
		o.change.Wait()
	}
	return !o.closed && o.err == nil
}

// send writes until the outbox is closed and empty, or a write fails.
func (o *outbox) send(w io.Writer) error {
	for {
		i, ok := o.take()
		if !ok {
			return o.err
		}
		lines := i.line
		if i.feed != nil {
			lines = i.feed.lines()
		}
		if len(lines) == 0 {
			continue
		}
		if _, err := w.Write(lines); err != nil {
			o.fail(err)
		}
	}
}

func (o *outbox) take() (item, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 && !o.closed && o.err == nil {
		o.change.Wait()
	}
	if len(o.queue) == 0 || o.err != nil {
		return item{}, false
	}
	i := o.queue[0]
	o.queue[0] = item{}
	o.queue = o.queue[1:]
	o.bytes -= len(i.line)
	o.change.Broadcast()
	return i, true
}

// fail drops everything: the client cannot be reached any more.
func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err, o.queue = err, nil
	}
	o.change.Broadcast()
}

// close takes nothing more; send ends when the rest is out.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.change.Broadcast()
}
