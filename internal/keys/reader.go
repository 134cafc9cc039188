package keys

import "time"

// Kind is the type of an [Event].
type Kind uint8

// Key is the only kind with an id. Text holds printable characters and bytes without a key. Reply is a reply
// of the terminal. Other is any other complete sequence: a released key, a key without a name, an
// interrupted sequence.
const (
	Key Kind = iota
	Text
	Paste
	Mouse
	Focus
	Reply
	Other
)

// String returns the kind's name in lower case.
func (k Kind) String() string {
	names := [...]string{"key", "text", "paste", "mouse", "focus", "reply", "other"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Event is one unit of terminal input. The Raw bytes of all events, concatenated, are the input.
type Event struct {
	Kind Kind
	ID   string // of a Key, as [Parse] returns it
	Raw  []byte // the bytes as received; valid until the next Feed
	Text []byte // of a Paste: Raw without the brackets
	// Part reports that more of the same follows, unless it is lost: the whole is longer than a Reader buffers.
	Part bool
}

// Options are the limits of a [Reader].
type Options struct {
	// Escape is how long the reader waits after a lone ESC before it is the escape key; 0 means 50 ms. All other waits are
	// multiples of it. See [EscapeDelay].
	Escape time.Duration
	// MaxPaste is the largest paste returned as one event, in bytes; 0 means 1 MiB.
	MaxPaste int
	// Kitty reports that the terminal is in Kitty mode; see [Parse].
	Kitty bool
}

const (
	localEscape     = 50 * time.Millisecond  // longer than a terminal takes for one sequence, shorter than a person notices
	remoteEscape    = 200 * time.Millisecond // the jitter of a bad link
	defaultMaxPaste = 1 << 20
	maxMaxPaste     = 1 << 30  // far from what an int holds
	maxSequence     = 64 << 10 // CSI and strings; a longer one is returned in parts

	// Waits in units of Options.Escape. Only the first two ever become keys.
	escapeWait     = 1
	introducerWait = 4   // ESC [ and similar: alt and a key, unless a sequence follows
	sequenceWait   = 20  // an unfinished sequence, then dropped
	pasteWait      = 100 // a paste whose end was lost, then closed
)

// EscapeDelay returns the Escape option for a terminal in this environment (KEY=VALUE): 50 ms, or
// 200 ms over SSH, where a sequence may arrive in two packets.
func EscapeDelay(environ []string) time.Duration {
	for _, kv := range environ {
		for _, name := range [...]string{"SSH_TTY=", "SSH_CONNECTION=", "SSH_CLIENT="} {
			if len(kv) > len(name) && kv[:len(name)] == name {
				return remoteEscape
			}
		}
	}
	return localEscape
}

// Reader splits the byte stream of a terminal into keys, text, pastes, reports and replies. Splitting the stream
// differently does not change the events, except that a run of text may become several. It has no clock: the caller asks
// [Reader.Wait] how long to wait for more bytes, and calls [Reader.Expire] if none arrived. It is not safe for
// concurrent use.
type Reader struct {
	opt     Options
	buf     []byte // unread bytes are buf[at:]
	at      int
	scanned int    // of those, bytes already scanned for an end
	inside  inside // what buf[at:] continues, after a part
	pending pending
	event   Event
	late    bool // Expire was called: no more bytes will follow what is pending
	orphan  bool // the last event was a lone ESC with nothing after it
	maxSeq  int  // maxSequence, except in tests
	reports int  // expected cursor position reports
}

type inside uint8

const (
	nothing inside = iota
	insideCSI
	insideString
	insidePaste
)

// pending is what the buffered bytes may still become. Its values are the waits.
type pending int

// NewReader returns a Reader at the start of a stream.
func NewReader(o Options) *Reader {
	if o.Escape <= 0 {
		o.Escape = localEscape
	}
	if o.MaxPaste <= 0 {
		o.MaxPaste = defaultMaxPaste
	}
	o.MaxPaste = min(o.MaxPaste, maxMaxPaste)
	return &Reader{opt: o, maxSeq: maxSequence}
}

// Feed adds the bytes of one read. Call [Reader.Next] until it has no more before the next Feed, which
// invalidates the bytes of earlier events.
func (r *Reader) Feed(p []byte) {
	r.late, r.pending = false, 0
	if r.at > 0 {
		r.buf = r.buf[:copy(r.buf, r.buf[r.at:])]
		r.at = 0
	}
	r.buf = append(r.buf, p...)
}

// Next returns the next event, or false if it needs more bytes or Expire to decide.
func (r *Reader) Next() (Event, bool) {
	if r.next() {
		return r.event, true
	}
	return Event{}, false
}

// next is Next with the event in r.event. Like the functions it calls, it returns false if there is none.
func (r *Reader) next() bool {
	b := r.buf[r.at:]
	if len(b) == 0 {
		return r.empty()
	}
	if r.orphan {
		switch n, end := scanOrphan(b); {
		case end == whole:
			return r.take(Event{Kind: Mouse, Raw: b[:n]})
		case end == more && !r.late:
			return r.wait(escapeWait)
		}
	}
	switch {
	case r.inside != nothing:
		return r.resume(b)
	case b[0] == esc:
		return r.escape(b)
	case b[0] < ' ' || b[0] == 0x7f:
		return r.key(b[:1])
	}
	if n := textRun(b, r.late); n > 0 {
		return r.take(Event{Kind: Text, Raw: b[:n]})
	}
	return r.wait(introducerWait)
}

// Wait returns how long after the last Feed to call [Reader.Expire], counted from when Next had no more, or false if
// nothing is pending.
func (r *Reader) Wait() (time.Duration, bool) {
	return time.Duration(r.pending) * r.opt.Escape, r.pending > 0
}

// Expire resolves what is pending: a lone ESC is the escape key, ESC and [ are alt+[, an unfinished sequence is Other,
// an unfinished paste ends. [Reader.Next] returns the events.
func (r *Reader) Expire() { r.late = true }

// SetKitty changes the Kitty option for subsequent input.
func (r *Reader) SetKitty(on bool) { r.opt.Kitty = on }

// ExpectCursorReports sets how many cursor position reports are outstanding. They look like f3 with modifiers; only
// if one is expected is such a sequence a Reply.
func (r *Reader) ExpectCursorReports(n int) { r.reports = n }

// empty is Next without a byte. The end of something returned in parts may still be lost.
func (r *Reader) empty() bool {
	switch {
	case r.late:
		r.inside = nothing
	case r.inside == insidePaste:
		return r.wait(pasteWait)
	case r.inside != nothing:
		return r.wait(sequenceWait)
	}
	return r.wait(0)
}

// wait is Next without an event.
func (r *Reader) wait(p pending) bool {
	r.pending, r.late = p, false
	return false
}

// take is Next with an event: it consumes its bytes.
func (r *Reader) take(e Event) bool {
	r.at += len(e.Raw)
	r.scanned, r.orphan = 0, false
	r.event = e
	return true
}

// key returns raw as a Key, or as Other if it has no name.
func (r *Reader) key(raw []byte) bool {
	id, ok := Parse(raw, r.opt.Kitty)
	if !ok {
		return r.take(Event{Kind: Other, Raw: raw})
	}
	return r.take(Event{Kind: Key, ID: id, Raw: raw})
}
