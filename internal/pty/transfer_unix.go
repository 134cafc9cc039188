//go:build unix

package pty

import (
	"time"

	"golang.org/x/sys/unix"

	"pi/internal/drain"
)

// read hands on what the command prints, until nobody has the terminal any more (EIO) or the drain is over. out is called
// by a goroutine of its own, so that the kernel's small buffer is emptied meanwhile.
func (t *terminal) read(out func(p []byte)) {
	defer close(t.done)
	r := newRelay(out)
	defer r.end()
	for t.await() {
		if t.take(r) == 0 && t.ended {
			return
		}
	}
	// This thread may have been kept from running for all that time: what is there by now is taken all the same.
	for left := kernelHolds; left > 0; {
		n := t.take(r)
		if n == 0 {
			return
		}
		left -= n
	}
}

// take reads once, and notes the end.
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

// A relay passes buffers on to a goroutine, and back.
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

// end waits until everything has been passed on.
func (r *relay) end() {
	close(r.full)
	<-r.over
}

// await waits for something to read; false: the drain is over.
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

// drain bounds what is left of the reading.
func (t *terminal) drain(d time.Duration) {
	limit := time.Now().Add(d)
	t.limit.Store(&limit)
	_, _ = t.ring.Write([]byte{1})
}

// gather reads until nothing came during a nap: a terminal hands out its data in small pieces, down to a line, and
// gathered a flood of output costs its bytes and not its lines. An error that comes after data is met again by the next
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
			return 0, unix.EIO // the end, as some systems say it
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

// write types p. It waits for room, and tells whether there is a point in writing on.
func (t *terminal) write(p []byte) bool {
	for len(p) > 0 {
		n, err := unix.Write(t.fd, p)
		switch {
		case n > 0:
			p = p[n:]
		case err == unix.EAGAIN:
			// Without events of its own the alarm still tells that it was closed.
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

// stopWriting has write return.
func (t *terminal) stopWriting() { t.ring.Close() }
