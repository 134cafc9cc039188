package jsonl

import (
	"io"
	"slices"
	"sync"
	"time"
)

// Outbox holds what waits to be sent to one reader. One goroutine sends; nobody else waits for the reader, unless he
// asks for it with [Outbox.WaitWhile]. Make one with [NewOutbox].
type Outbox struct {
	mu     sync.Mutex
	some   sync.Cond // the sender's: something to send, or closed
	change sync.Cond // everybody else's: room made, closed, or what Do changed
	w      io.Writer // nil before Send
	busy   bool      // somebody is writing to it
	queue  []item
	urgent [][]byte // lines that overtake the queue
	bytes  int      // of the lines in queue and urgent
	taken  int64    // items that left for the reader
	closed bool     // nothing more is taken
	err    error    // of the first failed write
}

// item is one thing to send: a line, or whatever has gathered in a source.
type item struct {
	line   []byte
	source Source
}

// Source gathers messages of which only some matter once they can be sent: the newest state of several, say.
type Source interface {
	// Take gives what has gathered since the last call. It is called with the outbox locked.
	Take() []any
}

// NewOutbox makes an empty outbox.
func NewOutbox() *Outbox {
	o := &Outbox{}
	o.some.L, o.change.L = &o.mu, &o.mu
	return o
}

// Reply queues a message that must not be lost.
func (o *Outbox) Reply(v any) {
	line, err := Encode(v)
	if err != nil { // a value of ours that JSON cannot express; what others wrote was valid
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.push(item{line: line})
}

// ReplySelf is Reply for callers who may wait for the reader: where nothing else is to be sent, the message is theirs to
// write, by calling write, which is nil otherwise. That saves the time to wake who sends.
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

// write writes what its caller has made the outbox busy for.
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

// Urgent queues a message before everything that waits.
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

// Update changes a source, and sees to it that it is sent.
func (o *Outbox) Update(s Source, change func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change()
	if !slices.ContainsFunc(o.queue, func(i item) bool { return i.source == s }) {
		o.push(item{source: s})
	}
}

// Do changes what sources are made of; whoever waits looks again.
func (o *Outbox) Do(change func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change()
	o.change.Broadcast()
}

// WaitWhile waits until full, called with the outbox locked, says no, or nothing can be sent any more.
func (o *Outbox) WaitWhile(full func() bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for full() && o.open() {
		o.change.Wait()
	}
}

// stallLimit is how long a reader with more unread replies than there is room for may take none before it counts as
// gone. It cannot even ask for an end, since nothing more is read from it.
const stallLimit = 30 * time.Second

// Room waits until at most limit bytes of replies are unsent, and tells whether anything can be sent at all. A reader
// that takes nothing for half a minute meanwhile counts as gone.
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

// Unsent is the number of bytes of replies that wait.
func (o *Outbox) Unsent() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bytes
}

// Pending is Unsent for functions that are called with the outbox locked.
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

// Send writes until the outbox is closed and empty, or a write fails. It is called once.
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

// next waits for something to send, and makes the outbox busy with it.
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

// Close takes nothing more; [Outbox.Send] ends when the rest is out.
func (o *Outbox) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.change.Broadcast()
	o.some.Signal()
}
