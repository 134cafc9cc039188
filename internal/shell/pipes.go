package shell

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// pipe is one output of a command: its two ends and the goroutine that reads it.
type pipe struct {
	stream Stream
	r, w   *os.File
	done   chan struct{} // closed when the reading goroutine has ended
	eof    bool          // every writer is gone, or nobody wants to read on; valid after done
	buf    []byte        // to read into; nil: a new one

	mu       sync.Mutex // orders setting a deadline by drain against extending it by the reader
	idle     time.Duration
	cap      time.Time
	draining atomic.Bool
}

type pipes []*pipe

func openPipes(split bool) (pipes, error) {
	n := 1
	if split {
		n = 2
	}
	var ps pipes
	for i := range n {
		r, w, err := newPipe()
		if err != nil {
			ps.closeWriters()
			ps.closeReaders()
			return nil, err
		}
		ps = append(ps, &pipe{stream: Stream(i), r: r, w: w, done: make(chan struct{})})
	}
	return ps, nil
}

func (ps pipes) closeWriters() {
	for _, p := range ps {
		p.w.Close()
	}
}

func (ps pipes) closeReaders() {
	for _, p := range ps {
		p.r.Close()
	}
}

// read starts one goroutine a pipe; each ends at EOF, when out has seen enough, or by drain.
func (ps pipes) read(out func(Stream, []byte) bool) {
	for _, p := range ps {
		go p.read(out)
	}
}

func (p *pipe) read(out func(Stream, []byte) bool) {
	defer close(p.done)
	buf := p.buf
	if buf == nil {
		buf = make([]byte, readSize)
	}
	for {
		n, err := p.r.Read(buf)
		if n > 0 && !out(p.stream, buf[:n]) {
			p.finish()
			return
		}
		switch {
		case err == nil:
			p.extend()
		case errors.Is(err, os.ErrDeadlineExceeded):
			if p.sweep(buf, out) {
				return
			}
			p.extend()
		default: // EOF; any other error is the end of this pipe too
			p.finish()
			return
		}
	}
}

func (p *pipe) finish() {
	p.eof = true
	p.r.Close()
}

// extend re-arms the idle limit while draining; before, reads have no limit.
func (p *pipe) extend() {
	if !p.draining.Load() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at := time.Now().Add(p.idle)
	if at.After(p.cap) {
		at = p.cap
	}
	_ = p.r.SetReadDeadline(at)
}

// sweep takes what is in the pipe when a deadline has passed: on a busy machine this goroutine may have been kept
// from reading, and a passed deadline hides readable bytes. It reports whether reading is over: the pipe is empty,
// at its end, or the cap is reached and everything that was there at that moment has been read.
func (p *pipe) sweep(buf []byte, out func(Stream, []byte) bool) bool {
	p.mu.Lock()
	last := !time.Now().Before(p.cap)
	p.mu.Unlock()
	limit := buffered(p.r)
	for got := 0; ; {
		n, state := readNow(p.r, buf)
		if n > 0 {
			got += n
			if !out(p.stream, buf[:n]) {
				p.finish()
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
			p.finish()
		}
		return true
	}
}

// drain begins the end of reading: each pipe is read until EOF, until it was silent for idle, or for total. The
// channel is closed when all are through.
func (ps pipes) drain(idle, total time.Duration) <-chan struct{} {
	now := time.Now()
	for _, p := range ps {
		p.mu.Lock()
		p.idle, p.cap = idle, now.Add(total)
		p.draining.Store(true)
		_ = p.r.SetReadDeadline(now.Add(min(idle, total)))
		p.mu.Unlock()
	}
	if len(ps) == 1 {
		return ps[0].done
	}
	all := make(chan struct{})
	go func() {
		defer close(all)
		for _, p := range ps {
			<-p.done
		}
	}()
	return all
}

// stop makes a drain end now, after what is in the pipes.
func (ps pipes) stop() {
	for _, p := range ps {
		p.mu.Lock()
		p.cap = time.Now()
		_ = p.r.SetReadDeadline(p.cap)
		p.mu.Unlock()
	}
}

// settle drains the pipes after the normal end of a command, in time that timer allows. It is true if ctx ended first.
func (ps pipes) settle(ctx context.Context, timer *time.Timer) (cancelled bool) {
	drained := ps.drain(drainIdle, drainCap)
	select {
	case <-drained:
	case <-timer.C:
		ps.stop()
		<-drained
	case <-ctx.Done():
		return true
	}
	return false
}

// held gives the reading ends that still have a writer, and closes the others; call it after a drain.
func (ps pipes) held() map[Stream]*os.File {
	var m map[Stream]*os.File
	for _, p := range ps {
		if p.eof {
			continue
		}
		if m == nil {
			m = map[Stream]*os.File{}
		}
		_ = p.r.SetReadDeadline(time.Time{})
		m[p.stream] = p.r
	}
	return m
}

// What readNow found when there was nothing to read.
type readState uint8

const (
	empty readState = iota
	atEnd
)
