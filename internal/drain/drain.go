// Package drain owns the output pipes of a command: it creates them, reads them while the command runs, and reads what is
// left once the command has exited.
//
// A [Reader] reads one descriptor in its own goroutine. The exit of a command is not the end of its output: data may still
// be in the pipe's buffer, and background processes may hold the pipe open for ever. So the owner calls [Reader.Begin] when
// the command has exited. Reading then continues until end of file, until the descriptor has been silent for a while, or
// until a total time has passed. Nothing that was in the buffer when the time ran out is lost, however late the goroutine is
// scheduled. [Outputs] combines the one or two pipes of a command.
package drain

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A Reader reads one descriptor. Create one with [New]; Begin, Stop and Done may be called from any goroutine.
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

// New returns a Reader of f that reads into buf. The runtime poller must know f, because deadlines end the reading.
func New(f *os.File, buf []byte) *Reader {
	return &Reader{f: f, buf: buf, done: make(chan struct{})}
}

// Run reads f and passes each chunk to out; p is valid only during the call. It returns at end of file (any read error
// counts as that: a terminal whose last user is gone returns EIO), when out returns false, or when a drain started by Begin
// is over. In the first two cases it closes f. Call it once.
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

// EOF reports, after Done, whether there is nothing more to read: every writer is gone, or out returned false. The file is
// closed in that case; otherwise the caller closes it or continues to read.
func (r *Reader) EOF() bool { return r.eof }

// File returns the file that is read.
func (r *Reader) File() *os.File { return r.f }

func (r *Reader) finish() {
	r.eof = true
	r.f.Close()
}

// extend restarts the idle limit while draining; before that, reads have no limit.
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

// sweep reads what is in the buffer after a deadline has passed: on a busy machine this goroutine may not have run in time,
// and a passed deadline hides readable bytes. It reports whether reading is over: the buffer is empty, the file is at its
// end, or the total time is up and everything that was in the buffer at that moment has been read.
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
			if got > limit { // one read past the limit distinguishes end of file from a writer that is still active
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

// Begin starts the drain: reading ends at end of file, when nothing came for idle, or after total.
func (r *Reader) Begin(idle, total time.Duration) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle, r.cap = idle, now.Add(total)
	r.draining.Store(true)
	_ = r.f.SetReadDeadline(now.Add(min(idle, total)))
}

// Stop ends a drain as soon as the buffered data has been read.
func (r *Reader) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cap = time.Now()
	_ = r.f.SetReadDeadline(r.cap)
}

// readState is why readNow read nothing.
type readState uint8

const (
	empty readState = iota
	atEnd
)
