//go:build unix

package pty

import (
	"time"

	"golang.org/x/sys/unix"

	"pi/internal/drain"
)

// read passes on output until no process has the terminal (EIO) or the drain is over. out is called
// from its own goroutine, so that the kernel's small buffer is emptied in the meantime.
func (t *terminal) read(out func(p []byte)) {
	defer close(t.done)
	r := newRelay(out)
	defer r.end()
	for t.await() {
		if t.take(r) == 0 && t.ended {
			return
		}
	}
	// This thread may not have run in all that time: read what has arrived by now.
	for left := kernelHolds; left > 0; {
		n := t.take(r)
		if n == 0 {
			return
		}
		left -= n
	}
}

// take reads once and records end of file.
func (t *terminal) take(r *relay) (n int) {
	buf := <-r.free
	n, err := gather(t.fd, buf[:cap(buf)])
	t.ended = n == 0 && err != unix.EAGAIN
	if n == 0 {
		r.free <- buf
		return 0
	}
	r.full <- buf[:n]
	return n
}

// A relay passes buffers to a goroutine and back.
type relay struct {
	full, free chan []byte
	over       chan struct{}
}

func newRelay(out func(p []byte)) *relay {
	r := &relay{make(chan []byte, relayBuffers), make(chan []byte, relayBuffers), make(chan struct{})}
	for range relayBuffers {
		r.free <- make([]byte, readSize)
	}
	go func() {
		defer close(r.over)
		for p := range r.full {
			out(p)
			r.free <- p
		}
	}()
	return r
}

// end waits until all buffers have been passed on.
func (r *relay) end() {
	close(r.full)
	<-r.over
}

// await waits for output. It reports false if the drain is over.
func (t *terminal) await() bool {
	fds := []unix.PollFd{{Fd: int32(t.fd), Events: unix.POLLIN}, {Fd: int32(t.alarm.Fd()), Events: unix.POLLIN}}
	for {
		rest := -1
		if limit := t.limit.Load(); limit != nil {
			if rest = int(time.Until(*limit).Milliseconds()); rest <= 0 {
				return false
			}
		}
		n, err := drain.Poll(fds, flow), error(nil)
		if n == 0 {
			n, err = unix.Poll(fds, rest)
		}
		if err != nil && err != unix.EINTR {
			return false
		}
		if n > 0 && fds[1].Revents&unix.POLLIN != 0 {
			var b [8]byte
			_, _ = unix.Read(int(t.alarm.Fd()), b[:])
		}
		if n > 0 && fds[0].Revents != 0 {
			return true
		}
	}
}

// drain sets the limit of the remaining reading.
func (t *terminal) drain(d time.Duration) {
	limit := time.Now().Add(d)
	t.limit.Store(&limit)
	_, _ = t.ring.Write([]byte{1})
}

// gather reads until nothing arrives during a nap: a terminal returns data in small pieces, down to a line, and
// gathering makes a flood cost its bytes instead of its lines. An error after data occurs again in the next
// call.
func gather(fd int, p []byte) (n int, err error) {
	var began time.Time
	napped := false
	for {
		k, err := unix.Read(fd, p[n:])
		switch {
		case err == unix.EINTR:
			continue
		case k > 0:
			if n += k; len(p)-n < gatherRoom {
				return n, nil
			}
			napped = false
			continue
		case n == 0 && err == nil:
			return 0, unix.EIO // end of file, as some systems report it
		case n == 0 || napped || err != unix.EAGAIN:
			return n, err
		}
		switch now := time.Now(); {
		case began.IsZero():
			began = now
		case now.Sub(began) > gatherMost:
			return n, nil
		}
		rest(nap)
		napped = true
	}
}

// write types p, waiting for room. It reports whether writing can continue.
func (t *terminal) write(p []byte) bool {
	for len(p) > 0 {
		n, err := unix.Write(t.fd, p)
		switch {
		case n > 0:
			p = p[n:]
		case err == unix.EAGAIN:
			// Without requested events, poll still reports that the pipe was closed.
			fds := []unix.PollFd{{Fd: int32(t.fd), Events: unix.POLLOUT}, {Fd: int32(t.alarm.Fd())}}
			if _, err := unix.Poll(fds, int(writeLimit.Milliseconds())); err != nil && err != unix.EINTR || fds[1].Revents != 0 {
				return false
			}
		case err != unix.EINTR:
			return false
		}
	}
	return true
}

// stopWriting makes write return.
func (t *terminal) stopWriting() { t.ring.Close() }
