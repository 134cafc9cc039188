// Package drain reads what a command prints, until the command is done and its output has settled.
//
// A [Reader] reads one descriptor in a goroutine of its own. The end of the command is not the end of reading: what was
// written is still in the descriptor's buffer, and processes of the background may hold it open for ever. So the owner
// of a command calls [Reader.Begin] once that is done: reading goes on until the end of the data, until nothing came
// for a while, or for so long in all, and nothing that was there at that moment is lost, however late the goroutine is.
package drain

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A Reader reads one descriptor. Make one with [New]; Begin, Stop and Done may be called from any goroutine.
type Reader struct {
	f    *os.File
	buf  []byte
	done chan struct{}
	eof  bool // valid after done

	mu       sync.Mutex // orders setting a deadline by Begin against extending it by the reader
	idle     time.Duration
	cap      time.Time
	draining atomic.Bool
}

// New makes a Reader of f, which must be under the runtime poller, since deadlines end the reading. It reads into buf.
func New(f *os.File, buf []byte) *Reader {
	return &Reader{f: f, buf: buf, done: make(chan struct{})}
}

// Run reads and hands on what comes; p is valid during the call of out. It returns when the reading is over: at the end
// of the data (any error is that: a terminal whose last user is gone gives EIO), when out gives false, or by Begin. In
// the first two cases it closes the file. It is called once.
func (r *Reader) Run(out func(p []byte) bool) {
	defer close(r.done)
	for {
		n, err := r.f.Read(r.buf)
		if n > 0 && !out(r.buf[:n]) {
			r.finish()
			return
		}
		switch {
		case err == nil:
			r.extend()
		case errors.Is(err, os.ErrDeadlineExceeded):
			if r.sweep(out) {
				return
			}
			r.extend()
		default:
			r.finish()
			return
		}
	}
}

// Done is closed when Run has returned.
func (r *Reader) Done() <-chan struct{} { return r.done }

// EOF tells, after Done, that there is nothing more to read: every writer is gone, or nobody wants to read on. The file
// is closed then; else it is the caller's, to close or to read on.
func (r *Reader) EOF() bool { return r.eof }

// File is what is read.
func (r *Reader) File() *os.File { return r.f }

func (r *Reader) finish() {
	r.eof = true
	r.f.Close()
}

// extend re-arms the idle limit while draining; before, reads have no limit.
func (r *Reader) extend() {
	if !r.draining.Load() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := time.Now().Add(r.idle)
	if at.After(r.cap) {
		at = r.cap
	}
	_ = r.f.SetReadDeadline(at)
}

// sweep takes what is there when a deadline has passed: on a busy machine this goroutine may have been kept from
// reading, and a passed deadline hides readable bytes. It reports whether reading is over: nothing is there, the data
// is at its end, or the cap is reached and everything that was there at that moment has been read.
func (r *Reader) sweep(out func([]byte) bool) bool {
	r.mu.Lock()
	last := !time.Now().Before(r.cap)
	r.mu.Unlock()
	limit := buffered(r.f)
	for got := 0; ; {
		n, state := readNow(r.f, r.buf)
		if n > 0 {
			got += n
			if !out(r.buf[:n]) {
				r.finish()
				return true
			}
			if !last {
				return false
			}
			if got > limit { // one read beyond what was there: it tells the end from a writer that goes on
				return true
			}
			continue
		}
		if state == atEnd {
			r.finish()
		}
		return true
	}
}

// Begin begins the end of reading: it goes on until the end of the data, until nothing came for idle, or for total.
func (r *Reader) Begin(idle, total time.Duration) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle, r.cap = idle, now.Add(total)
	r.draining.Store(true)
	_ = r.f.SetReadDeadline(now.Add(min(idle, total)))
}

// Stop makes the reading end now, after what is there.
func (r *Reader) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cap = time.Now()
	_ = r.f.SetReadDeadline(r.cap)
}

// What readNow found when there was nothing to read.
type readState uint8

const (
	empty readState = iota
	atEnd
)
