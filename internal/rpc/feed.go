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

// feed gathers the events of one run until they are sent. Of updates and unfinished lines only the newest is kept; text
// is kept whole, and a run that prints faster than its client reads has to wait.
type feed struct {
	conn  *conn
	out   *jsonl.Outbox
	begin func() // called when the run has its turn
	id    json.RawMessage
	wants map[string]bool

	terminal bool // text is what a pseudo-terminal printed
	base64   bool

	start   *startEvent
	text    []byte
	partial *string
	update  *updateEvent
	dropped int64 // bytes of text that could not be passed on

	ending bool        // nobody waits for the client any more
	limit  *time.Timer // makes ending true at the run's timeout
}

type startEvent struct {
	Type           string          `json:"type"`
	ID             json.RawMessage `json:"id"`
	Command        string          `json:"command"`
	Cwd            string          `json:"cwd"`
	TimeoutSeconds float64         `json:"timeoutSeconds"`
}

type updateEvent struct {
	Type       string          `json:"type"`
	ID         json.RawMessage `json:"id"`
	Text       string          `json:"text"` // the bounded tail so far
	TotalLines int64           `json:"totalLines"`
	TotalBytes int64           `json:"totalBytes"`
}

type textEvent struct {
	Type string          `json:"type"`
	ID   json.RawMessage `json:"id"`
	Text string          `json:"text"`
}

type outputEvent struct {
	Type string          `json:"type"`
	ID   json.RawMessage `json:"id"`
	Data string          `json:"data"`
}

type droppedEvent struct {
	Type  string          `json:"type"`
	ID    json.RawMessage `json:"id"`
	Bytes int64           `json:"bytes"`
}

// want says whose events they are and which the client wants; nil: start and update.
func (f *feed) want(id json.RawMessage, events []string) {
	if events == nil {
		events = []string{eventStart, eventUpdate}
	}
	f.out.Do(func() {
		f.id, f.wants = id, map[string]bool{}
		for _, e := range events {
			f.wants[e] = true
		}
	})
}

// live gives the callbacks of a run.
func (f *feed) live() run.Live {
	l := run.Live{Start: f.onStart}
	if f.wants[eventUpdate] {
		l.Update = f.onUpdate
	}
	if f.wants[eventText] {
		l.Text = f.onText
	}
	if f.wants[eventPartial] {
		l.Held = f.onPartial
	}
	return l
}

// put changes the feed and sees to it that it is sent.
func (f *feed) put(change func()) { f.out.Update(f, change) }

func (f *feed) onStart(d run.Details) {
	f.begin()
	if f.terminal || f.wants[eventText] { // a command that may have to wait for the client
		limit := time.AfterFunc(time.Duration(d.TimeoutSeconds*float64(time.Second)), f.release)
		f.out.Do(func() { f.limit = limit })
	}
	if f.wants[eventStart] {
		f.put(func() { f.start = &startEvent{eventStart, f.id, d.Command, d.Cwd, d.TimeoutSeconds} })
	}
}

func (f *feed) onUpdate(s sink.Snapshot) {
	text := tail(s.Text, maxUpdate)
	f.put(func() {
		f.dropUpdate()
		if f.conn.events+len(text) <= maxEvents {
			f.conn.events += len(text)
			f.update = &updateEvent{eventUpdate, f.id, text, s.TotalLines, s.TotalBytes}
		}
	})
}

func (f *feed) dropUpdate() {
	if f.update != nil {
		f.conn.events -= len(f.update.Text)
		f.update = nil
	}
}

// tail gives the end of a text, from the beginning of a line where there is one.
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

// onPartial shows the unfinished line; of a very long one nothing.
func (f *feed) onPartial(partial []byte) {
	if len(partial) > maxPartial {
		return
	}
	f.put(func() {
		s := string(partial)
		f.partial = &s
	})
}

// onText waits for room, but not when the run is being ended: then what does not fit is counted.
func (f *feed) onText(p []byte) {
	full := func() bool { return len(f.text) >= maxText || len(f.text) > 0 && f.conn.events >= maxEvents }
	f.out.WaitWhile(func() bool { return full() && !f.ending })
	f.put(func() {
		if full() {
			f.dropped += int64(len(p))
			return
		}
		f.text = append(f.text, p...)
		f.conn.events += len(p)
		f.partial = nil // it was of the text before this
	})
}

// release lets nobody wait for the client any more: the run was aborted or its time is up.
func (f *feed) release() { f.out.Do(func() { f.ending = true }) }

// done ends the feed; what has gathered is sent before the reply.
func (f *feed) done() {
	end := func() {
		f.ending = true
		if f.limit != nil {
			f.limit.Stop()
		}
	}
	if f.terminal {
		f.put(end) // half a character may have been kept back
	} else {
		f.out.Do(end)
	}
}

// Take implements [jsonl.Source].
func (f *feed) Take() []any {
	n := len(f.text)
	if f.terminal && !f.base64 && !f.ending {
		n = whole(f.text)
	}
	events := f.gathered(f.text[:n])
	f.conn.events -= n
	f.dropUpdate()
	f.start, f.text, f.partial, f.dropped = nil, bytes.Clone(f.text[n:]), nil, 0
	return events
}

func (f *feed) gathered(text []byte) (list []any) {
	if f.start != nil {
		list = append(list, *f.start)
	}
	switch {
	case len(text) == 0:
	case f.base64:
		list = append(list, outputEvent{eventOutput, f.id, base64.StdEncoding.EncodeToString(text)})
	case f.terminal:
		list = append(list, outputEvent{eventOutput, f.id, string(text)}) // the encoder replaces what is no UTF-8
	default:
		list = append(list, textEvent{eventText, f.id, string(text)})
	}
	if f.dropped > 0 {
		list = append(list, droppedEvent{eventDropped, f.id, f.dropped})
	}
	if f.partial != nil {
		list = append(list, textEvent{eventPartial, f.id, *f.partial})
	}
	if f.update != nil {
		list = append(list, *f.update)
	}
	return list
}
