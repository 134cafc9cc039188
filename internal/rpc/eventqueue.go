package rpc

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"pi/internal/jsonl"
	"pi/internal/run"
	"pi/internal/sink"
)

// eventQueue collects the events of one run until they are sent. It keeps the newest update and the newest unfinished
// line only. It keeps all text: a run that prints faster than its client reads has to wait.
type eventQueue struct {
	conn   *conn
	out    *jsonl.Outbox
	begun  func() // called when the run has its turn
	id     json.RawMessage
	wanted map[string]bool

	terminal bool // text is what a pseudo-terminal printed
	base64   bool

	// Guarded by the outbox, like what follows.
	start   *startEvent
	text    []byte
	partial *string
	update  *updateEvent
	dropped int64 // bytes of text that could not be queued

	noWait bool        // the run must not wait for the client any more
	limit  *time.Timer // sets noWait at the run's timeout
}

// subscribe sets the request's id and the events its client wants; nil: start and update.
func (q *eventQueue) subscribe(id json.RawMessage, events []string) {
	if events == nil {
		events = []string{eventStart, eventUpdate}
	}
	q.out.Do(func() {
		q.id, q.wanted = id, map[string]bool{}
		for _, e := range events {
			q.wanted[e] = true
		}
	})
}

// callbacks returns what the run has to call.
func (q *eventQueue) callbacks() run.Live {
	l := run.Live{Start: q.onStart}
	if q.wanted[eventUpdate] {
		l.Update = q.onUpdate
	}
	if q.wanted[eventText] {
		l.Text = q.onText
	}
	if q.wanted[eventPartial] {
		l.Partial = q.onPartial
	}
	return l
}

// publish changes the queue and has it sent.
func (q *eventQueue) publish(change func()) { q.out.Update(q, change) }

func (q *eventQueue) onStart(d run.Details) {
	q.begun()
	if q.terminal || q.wanted[eventText] { // a run that may have to wait for the client
		limit := time.AfterFunc(time.Duration(d.TimeoutSeconds*float64(time.Second)), q.stopWaiting)
		q.out.Do(func() { q.limit = limit })
	}
	if q.wanted[eventStart] {
		q.publish(func() { q.start = &startEvent{eventStart, q.id, d.Command, d.Cwd, d.TimeoutSeconds} })
	}
}

func (q *eventQueue) onUpdate(s sink.Snapshot) {
	text := tail(s.Text, maxUpdate)
	q.publish(func() {
		q.dropUpdate()
		if q.conn.eventBytes+len(text) <= maxEvents {
			q.conn.eventBytes += len(text)
			q.update = &updateEvent{eventUpdate, q.id, text, s.TotalLines, s.TotalBytes}
		}
	})
}

func (q *eventQueue) dropUpdate() {
	if q.update != nil {
		q.conn.eventBytes -= len(q.update.Text)
		q.update = nil
	}
}

// tail returns the end of a text, from the start of a line if there is one.
func tail(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[len(text)-limit:]
	if _, rest, ok := strings.Cut(text, "\n"); ok && rest != "" {
		return rest
	}
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

// onPartial queues the unfinished line, unless it is very long.
func (q *eventQueue) onPartial(line []byte) {
	if len(line) > maxPartial {
		return
	}
	q.publish(func() {
		s := string(line)
		q.partial = &s
	})
}

// onText waits for room. While the run is being terminated it does not wait, and counts what does not fit.
func (q *eventQueue) onText(p []byte) {
	full := func() bool { return len(q.text) >= maxText || len(q.text) > 0 && q.conn.eventBytes >= maxEvents }
	q.out.WaitWhile(func() bool { return full() && !q.noWait })
	q.publish(func() {
		if full() {
			q.dropped += int64(len(p))
			return
		}
		q.text = append(q.text, p...)
		q.conn.eventBytes += len(p)
		q.partial = nil // it preceded this text
	})
}

// stopWaiting frees a run that waits for its client: it was aborted, or its time is up.
func (q *eventQueue) stopWaiting() { q.out.Do(func() { q.noWait = true }) }

// close marks the end of the run. What is queued is sent before the reply.
func (q *eventQueue) close() {
	end := func() {
		q.noWait = true
		if q.limit != nil {
			q.limit.Stop()
		}
	}
	if q.terminal {
		q.publish(end) // the first bytes of a character may be left
	} else {
		q.out.Do(end)
	}
}

// Take implements [jsonl.Source].
func (q *eventQueue) Take() []any {
	n := len(q.text)
	if q.terminal && !q.base64 && !q.noWait {
		n = completeUTF8(q.text)
	}
	events := q.messages(q.text[:n])
	q.conn.eventBytes -= n
	q.dropUpdate()
	q.start, q.text, q.partial, q.dropped = nil, bytes.Clone(q.text[n:]), nil, 0
	return events
}

func (q *eventQueue) messages(text []byte) (list []any) {
	if q.start != nil {
		list = append(list, *q.start)
	}
	switch {
	case len(text) == 0:
	case q.base64:
		list = append(list, outputEvent{eventOutput, q.id, base64.StdEncoding.EncodeToString(text)})
	case q.terminal:
		list = append(list, outputEvent{eventOutput, q.id, string(text)}) // the encoder replaces invalid UTF-8
	default:
		list = append(list, textEvent{eventText, q.id, string(text)})
	}
	if q.dropped > 0 {
		list = append(list, droppedEvent{eventDropped, q.id, q.dropped})
	}
	if q.partial != nil {
		list = append(list, textEvent{eventPartial, q.id, *q.partial})
	}
	if q.update != nil {
		list = append(list, *q.update)
	}
	return list
}
