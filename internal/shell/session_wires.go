//go:build unix

package shell

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// wires are what a session's shell is spoken to through: pipes that this process holds, and that the shell opens anew,
// by path, for every use. A request is read to the end of its pipe; hence there are three, used by turns: while the
// shell works on a request from one, and will wait at another, the third is made ready.
type wires struct {
	place  place
	slots  [3]slot
	turn   int     // the slot of the next request
	report rawPipe // the shell opens its writing end for every report
	feeder
}

// A place makes pipes that other processes of the same user can open by path.
type place interface {
	pipe() (rawPipe, error)
	close() // nobody can open any of them from now on
}

// A slot is a pipe for requests. The shell opens its reading end anew for every request, and this process its writing
// end; what counts for the shell as the end of a request is that no writing end is open any more.
type slot struct{ rawPipe } // w is -1 when the request was sent

func openWires(p place) (*wires, error) {
	none := rawPipe{r: -1, w: -1}
	w := &wires{place: p, slots: [3]slot{{none}, {none}, {none}}, report: none}
	for i := range w.slots {
		if err := w.slots[i].open(p); err != nil {
			w.close()
			return nil, err
		}
	}
	var err error
	if w.report, err = p.pipe(); err != nil {
		w.report = none
		w.close()
		return nil, err
	}
	return w, nil
}

func (s *slot) open(p place) error {
	made, err := p.pipe()
	if err != nil {
		return err
	}
	s.rawPipe = made
	return os.NewSyscallError("fcntl", unix.SetNonblock(s.w, true))
}

// reopen makes the slot ready for another request.
func (s *slot) reopen() (err error) {
	s.w, err = unix.Open(s.path, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: s.path, Err: err}
	}
	return nil
}

// close ends the listening and the feeding. A shell that waits for a request finds its pipe at the end, and leaves.
func (w *wires) close() {
	w.stop()
	w.place.close()
	for i := range w.slots {
		w.slots[i].close()
	}
	w.report.close()
}

func (w *wires) driver(k Kind) string {
	var requests []string
	for _, s := range w.slots {
		requests = append(requests, s.word())
	}
	return driver(k, requests, w.report.word())
}

// send gives the shell a request. What does not fit into the pipe is written behind the caller's back, until the
// shell has read it or close is called.
func (w *wires) send(text []byte) error {
	now, third := &w.slots[w.turn], &w.slots[(w.turn+2)%3]
	w.turn = (w.turn + 1) % 3
	n, err := unix.Write(now.w, text)
	if err != nil && err != unix.EAGAIN {
		return os.NewSyscallError("write", err)
	}
	if n = max(n, 0); n == len(text) && !now.fifo {
		unix.Close(now.w)
	} else {
		w.feed(now.rawPipe, text[n:])
	}
	now.w = -1
	if third.w >= 0 {
		return nil
	}
	if err := third.reopen(); err != nil {
		return fmt.Errorf("lay out a request: %w", err)
	}
	return nil
}

// unread tells whether the request that was sent last has not been looked at.
func (w *wires) unread() bool {
	return w.slots[(w.turn+2)%3].holds()
}

// holds tells whether something is in the pipe.
func (p *rawPipe) holds() bool {
	n, err := unix.IoctlGetInt(p.r, fionread)
	return err == nil && n > 0
}

// A feeder finishes a request behind the caller's back: one that is longer than a pipe, or in a named pipe, whose writing
// end must stay open until the shell has opened the other, since that waits for a writer.
type feeder struct {
	file *os.File // nil: there never was one
	quit chan struct{}
	done chan struct{}
}

// feed writes text to p and closes that end. What was fed before is through: the shell has answered it.
func (d *feeder) feed(p rawPipe, text []byte) {
	if d.file != nil {
		<-d.done
	}
	file, quit, done := os.NewFile(uintptr(p.w), "|request"), make(chan struct{}), make(chan struct{})
	d.file, d.quit, d.done = file, quit, done
	go func() {
		defer close(done)
		defer file.Close()
		_, err := file.Write(text)
		for pause := takeFirst; p.fifo && err == nil && p.holds(); pause = min(2*pause, takeMost) {
			select {
			case <-quit:
				return
			case <-time.After(pause):
			}
		}
	}()
}

// stop ends a feeding that nobody reads.
func (d *feeder) stop() {
	if d.file != nil {
		close(d.quit)
		d.file.Close()
		<-d.done
		d.file = nil
	}
}
