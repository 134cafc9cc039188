package shell

import (
	"context"
	"os"
	"time"

	"pi/internal/drain"
)

// pipe is one output of a command: its two ends and what reads it.
type pipe struct {
	stream Stream
	r, w   *os.File
	buf    []byte // to read into; nil: a new one
	reader *drain.Reader
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
		ps = append(ps, &pipe{stream: Stream(i), r: r, w: w})
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
		if p.buf == nil {
			p.buf = make([]byte, readSize)
		}
		p.reader = drain.New(p.r, p.buf)
		go p.reader.Run(func(b []byte) bool { return out(p.stream, b) })
	}
}

// drain begins the end of reading: each pipe is read until EOF, until it was silent for idle, or for total. The
// channel is closed when all are through.
func (ps pipes) drain(idle, total time.Duration) <-chan struct{} {
	for _, p := range ps {
		p.reader.Begin(idle, total)
	}
	if len(ps) == 1 {
		return ps[0].reader.Done()
	}
	all := make(chan struct{})
	go func() {
		defer close(all)
		for _, p := range ps {
			<-p.reader.Done()
		}
	}()
	return all
}

// stop makes a drain end now, after what is in the pipes.
func (ps pipes) stop() {
	for _, p := range ps {
		p.reader.Stop()
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
		if p.reader.EOF() {
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
