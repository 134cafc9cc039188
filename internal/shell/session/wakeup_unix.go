//go:build unix

package session

import (
	"sync"

	"golang.org/x/sys/unix"
)

// A wakeup interrupts wait for what is not a descriptor: the death of the shell and the caller's context.
type wakeup struct {
	mu   sync.Mutex
	pipe *rawPipe // nil: closed
}

func (w *wakeup) open() error {
	p, err := newRawPipe()
	if err != nil {
		return err
	}
	w.pipe = &p
	return unix.SetNonblock(p.w, true)
}

// when signals once done is closed.
func (w *wakeup) when(done <-chan struct{}) {
	go func() {
		<-done
		w.signal()
	}()
}

func (w *wakeup) signal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pipe != nil {
		_, _ = unix.Write(w.pipe.w, []byte{1}) // a full pipe wakes as well
	}
}

func (w *wakeup) clear() {
	var buf [64]byte
	_, _ = unix.Read(w.pipe.r, buf[:])
}

func (w *wakeup) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pipe != nil {
		w.pipe.close()
		w.pipe = nil
	}
}
