//go:build unix

package session

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// controlPipes connect this process with a session's shell. This process holds them, and the shell opens them by path for every
// use. A request is read to the end of its pipe; so there are three of them, used in turn: while the shell works on a request from
// one, and will wait at the next, the third is prepared.
type controlPipes struct {
	transport transport
	slots     [3]slot
	turn      int     // the slot of the next request
	report    rawPipe // the shell opens its writing end for every report
	requestWriter
}

// A transport creates pipes that other processes of the same user can open by path.
type transport interface {
	pipe() (rawPipe, error)
	close() // afterwards nobody can open any of them
}

// A slot is a pipe for requests. For every request the shell opens its reading end and this process its writing end. A request
// ends for the shell when no writing end is open any more.
type slot struct{ rawPipe } // w is -1 when the request was sent

func openControlPipes(t transport) (*controlPipes, error) {
	none := rawPipe{r: -1, w: -1}
	c := &controlPipes{transport: t, slots: [3]slot{{none}, {none}, {none}}, report: none}
	for i := range c.slots {
		if err := c.slots[i].open(t); err != nil {
			c.close()
			return nil, err
		}
	}
	var err error
	if c.report, err = t.pipe(); err != nil {
		c.report = none
		c.close()
		return nil, err
	}
	return c, nil
}

func (s *slot) open(t transport) error {
	made, err := t.pipe()
	if err != nil {
		return err
	}
	s.rawPipe = made
	return os.NewSyscallError("fcntl", unix.SetNonblock(s.w, true))
}

// reopen prepares the slot for another request.
func (s *slot) reopen() (err error) {
	s.w, err = unix.Open(s.path, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: s.path, Err: err}
	}
	return nil
}

// close closes everything. A shell that waits for a request finds its pipe at the end, and exits.
func (c *controlPipes) close() {
	c.stop()
	c.transport.close()
	for i := range c.slots {
		c.slots[i].close()
	}
	c.report.close()
}

func (c *controlPipes) driver(l language) string {
	var requests []string
	for _, s := range c.slots {
		requests = append(requests, s.word(l))
	}
	return l.driver(requests, c.report.word(l))
}

// send passes a request to the shell. What does not fit into the pipe is written in the background, until the shell has read it or
// close is called.
func (c *controlPipes) send(text []byte) error {
	now, third := &c.slots[c.turn], &c.slots[(c.turn+2)%3]
	c.turn = (c.turn + 1) % 3
	n, err := unix.Write(now.w, text)
	if err != nil && err != unix.EAGAIN {
		return os.NewSyscallError("write", err)
	}
	if n = max(n, 0); n == len(text) && !now.fifo {
		unix.Close(now.w)
	} else {
		c.write(now.rawPipe, text[n:])
	}
	now.w = -1
	if third.w >= 0 {
		return nil
	}
	if err := third.reopen(); err != nil {
		return fmt.Errorf("prepare a request pipe: %w", err)
	}
	return nil
}

// unread reports whether the shell has not begun to read the last request.
func (c *controlPipes) unread() bool {
	return c.slots[(c.turn+2)%3].hasData()
}

// A requestWriter writes the rest of a request in the background: one that is longer than a pipe, or in a named pipe, whose writing
// end must stay open until the shell has opened the other, because that open waits for a writer.
type requestWriter struct {
	file *os.File // nil: no request was written so
	quit chan struct{}
	done chan struct{}
}

// write writes text to p and closes that end. The request before is finished: the shell has answered it.
func (d *requestWriter) write(p rawPipe, text []byte) {
	if d.file != nil {
		<-d.done
	}
	file, quit, done := os.NewFile(uintptr(p.w), "|request"), make(chan struct{}), make(chan struct{})
	d.file, d.quit, d.done = file, quit, done
	go func() {
		defer close(done)
		defer file.Close()
		_, err := file.Write(text)
		for pause := takenFirst; p.fifo && err == nil && p.hasData(); pause = min(2*pause, takenMost) {
			select {
			case <-quit:
				return
			case <-time.After(pause):
			}
		}
	}()
}

// stop ends a write that nobody reads.
func (d *requestWriter) stop() {
	if d.file != nil {
		close(d.quit)
		d.file.Close()
		<-d.done
		d.file = nil
	}
}
