package jsonl

import (
	"io"
	"slices"
	"sync"
	"time"
)

// Outbox is the queue of messages to one reader. One goroutine sends. The others do not wait for the reader, except in
// [Outbox.WaitWhile] and [Outbox.Room]. Create one with [NewOutbox].
type Outbox struct {
	mu     sync.Mutex
	some   sync.Cond // for the sender: something to send, or closed
	change sync.Cond // for everybody else: room, closed, or changed by Do
	w      io.Writer // nil before Send
	busy   bool      // a write is going on
	queue  []item
	urgent [][]byte // lines sent before the queue
	bytes  int      // of the lines in queue and urgent
	taken  int64    // items handed to the writer
	closed bool     // nothing more is accepted
	err    error    // of the first failed write
}

// item is one thing to send: a line, or what a source has collected by then.
type item struct {
	line   []byte
	source Source
}

// Source collects messages of which only some matter once they can be sent, such as the newest of several states.
type Source interface {
	// Take returns what has been collected since the last call. It is called with the outbox locked.
	Take() []any
}

// NewOutbox returns an empty outbox.
func NewOutbox() *Outbox {
	o := &Outbox{}
	o.some.L, o.change.L = &o.mu, &o.mu
	return o
}

// Reply queues a message that must not be dropped.
func (o *Outbox) Reply(v any) {
	line, err := Encode(v)
	if err != nil { // one of our values that JSON cannot express; those of others came as JSON
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.push(item{line: line})
}

// ReplySelf is [Outbox.Reply] for callers that may wait for the reader. If nothing else is to be sent, it queues nothing
// and returns a function with which the caller must write the message; otherwise it returns nil. That saves the time to
// wake the sending goroutine.
func (o *Outbox) ReplySelf(v any) (write func()) {
	line, err := Encode(v)
	if err != nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.w == nil || o.busy || len(o.queue)+len(o.urgent) > 0 || !o.open() {
		o.push(item{line: line})
		return nil
	}
	o.busy = true
	return func() { o.write(line) }
}

// write writes lines. Its caller has set busy.
func (o *Outbox) write(lines []byte) {
	_, err := o.w.Write(lines)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.busy = false
	if err != nil && o.err == nil {
		o.err, o.queue, o.urgent, o.bytes = err, nil, nil, 0
		o.change.Broadcast()
	}
	if len(o.queue)+len(o.urgent) > 0 || !o.open() {
		o.some.Signal()
	}
}

// Urgent queues a message ahead of all that are not urgent.
func (o *Outbox) Urgent(v any) {
	line, err := Encode(v)
	if err != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.open() {
		return
	}
	o.urgent = append(o.urgent, line)
	o.bytes += len(line)
	o.some.Signal()
}

// Update changes a source and queues it.
func (o *Outbox) Update(s Source, change func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change()
	if !slices.ContainsFunc(o.queue, func(i item) bool { return i.source == s }) {
		o.push(item{source: s})
	}
}

// Do changes the state that sources and waiting goroutines look at, with the outbox locked, and wakes those that wait.
func (o *Outbox) Do(change func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change()
	o.change.Broadcast()
}

// WaitWhile waits until full, called with the outbox locked, returns false, or nothing can be sent any more.
func (o *Outbox) WaitWhile(full func() bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for full() && o.open() {
		o.change.Wait()
	}
}

// stallLimit is how long a reader may take no reply, while there is no room for more, before it counts as gone. It could
// not even ask for an abort, because nothing more is read from it.
const stallLimit = 30 * time.Second

// Room waits until at most limit bytes of replies are unsent. It reports whether anything can be sent at all. A reader
// that takes nothing for [stallLimit] counts as gone.
func (o *Outbox) Room(limit int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	seen, stalled := int64(-1), false
	for o.bytes > limit && o.open() && !stalled {
		if seen != o.taken {
			seen = o.taken
			at := seen
			timer := time.AfterFunc(stallLimit, func() { o.Do(func() { stalled = o.taken == at }) })
			defer timer.Stop()
		}
		o.change.Wait()
	}
	return o.open() && !stalled
}

// Unsent returns the number of bytes of replies that wait to be sent.
func (o *Outbox) Unsent() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bytes
}

// Pending is [Outbox.Unsent] for functions that are called with the outbox locked.
func (o *Outbox) Pending() int { return o.bytes }

func (o *Outbox) open() bool { return !o.closed && o.err == nil }

func (o *Outbox) push(i item) {
	if !o.open() {
		return
	}
	o.queue = append(o.queue, i)
	o.bytes += len(i.line)
	o.some.Signal()
}

// Send writes messages until the outbox is closed and empty, or a write fails. It must be called once.
func (o *Outbox) Send(w io.Writer) error {
	o.mu.Lock()
	o.w = w
	o.mu.Unlock()
	for {
		lines, ok := o.take()
		if !ok {
			return o.failed()
		}
		o.write(lines)
	}
}

func (o *Outbox) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

func (o *Outbox) take() (lines []byte, ok bool) {
	i, events, ok := o.next()
	if i.source == nil {
		return i.line, ok
	}
	for _, e := range events {
		if line, err := Encode(e); err == nil {
			lines = append(lines, line...)
		}
	}
	return lines, ok
}

// next waits for something to send and sets busy.
func (o *Outbox) next() (i item, events []any, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.busy || len(o.queue)+len(o.urgent) == 0 && o.open() {
		o.some.Wait()
	}
	switch {
	case len(o.queue)+len(o.urgent) == 0 || o.err != nil:
		return item{}, nil, false
	case len(o.urgent) > 0:
		i.line = o.urgent[0]
		o.urgent = slices.Delete(o.urgent, 0, 1)
	default:
		i = o.queue[0]
		o.queue[0] = item{}
		o.queue = o.queue[1:]
	}
	o.bytes -= len(i.line)
	o.taken++
	o.busy = true
	if i.source != nil {
		events = i.source.Take()
	}
	o.change.Broadcast()
	return i, events, true
}

// Close makes the outbox accept nothing more. [Outbox.Send] returns when the rest is sent.
func (o *Outbox) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.change.Broadcast()
	o.some.Signal()
}
