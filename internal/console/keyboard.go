package console

import (
	"bytes"
	"time"

	"pi/internal/keys"
)

// Keyboard is the input of the user's terminal.
type Keyboard interface {
	// Read waits for input for at most wait, or without limit if wait is negative. It returns 0 and no error if
	// nothing arrived or the wait was interrupted.
	Read(p []byte, wait time.Duration) (int, error)
}

// A typist turns the keyboard's bytes into events and buffers type-ahead. It belongs to one goroutine.
type typist struct {
	in     Keyboard
	reader *keys.Reader
	ahead  []keys.Event
	quiet  time.Time // when the last bytes arrived
	buf    [4096]byte
}

// maxAhead bounds the type-ahead, in events.
const maxAhead = 4096

func newTypist(in Keyboard, escape time.Duration) *typist {
	return &typist{in: in, reader: keys.NewReader(keys.Options{Escape: escape})}
}

// next returns the next event. It returns none, and no error, if the wait was interrupted.
func (t *typist) next() (e keys.Event, ok bool, err error) {
	if len(t.ahead) > 0 {
		e, t.ahead = t.ahead[0], t.ahead[1:]
		return e, true, nil
	}
	return t.live()
}

// live is next without the type-ahead.
func (t *typist) live() (e keys.Event, ok bool, err error) {
	for {
		if e, ok := t.reader.Next(); ok {
			return e, true, nil
		}
		wait, pending := t.reader.Wait()
		if pending {
			wait = max(0, time.Until(t.quiet.Add(wait)))
		} else {
			wait = -1
		}
		n, err := t.in.Read(t.buf[:], wait)
		switch {
		case err != nil:
			return e, false, err
		case n > 0:
			t.reader.Feed(t.buf[:n])
			t.quiet = time.Now()
		case !pending:
			return e, false, nil
		case time.Since(t.quiet) >= wait:
			t.reader.Expire()
		}
	}
}

// later keeps an event for next.
func (t *typist) later(e keys.Event) {
	if len(t.ahead) < maxAhead {
		e.Raw, e.Text = bytes.Clone(e.Raw), bytes.Clone(e.Text)
		t.ahead = append(t.ahead, e)
	}
}
