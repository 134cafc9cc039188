package ps

import (
	"os"
	"syscall"
)

// lead starts c and waits for it to end; began gets the outcome of the start.
func (t *Tree) lead(c Command, began chan<- error) {
	defer ownThread()()
	err := self.launch(t, c)
	began <- err
	if err != nil {
		return
	}
	st, err := t.proc.Wait()
	t.state = stateOf(st, err)
	close(t.done)
}

// launch forks the leader, and has it on the books before anybody can look.
func (h *host) launch(t *Tree, c Command) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ready {
		becomeSubreaper()
		h.ready = true
	}
	closeOnExec()
	files, done, err := c.files()
	if err != nil {
		return err
	}
	defer done()
	if t.proc, t.job, err = spawn(c, files); err != nil {
		return err
	}
	t.kin.leader, t.kin.held, t.kin.known = id{pid: t.proc.Pid}, true, make(map[int]uint64)
	if p, ok := readProc(t.proc.Pid); ok { // not reaped yet, so the number is surely its own
		t.kin.leader.start = p.start
	}
	h.enter(t)
	return nil
}

// files gives the descriptors from 0 on, with the null device for standard ones that are nil. done closes what it opened.
func (c Command) files() (files []*os.File, done func(), err error) {
	files = []*os.File{c.Stdin, c.Stdout, c.Stderr}
	var null *os.File
	for i := range files {
		if files[i] != nil {
			continue
		}
		if null == nil {
			if null, err = os.OpenFile(os.DevNull, os.O_RDWR, 0); err != nil {
				return nil, nil, err
			}
		}
		files[i] = null
	}
	if c.Extra != nil {
		files = append(files, c.Extra)
	}
	return files, func() { _ = null.Close() }, nil // closing nil is an error, nothing more
}

func stateOf(st *os.ProcessState, err error) State {
	if err != nil {
		return State{ExitCode: -1} // somebody else waited for it
	}
	s := State{ExitCode: st.ExitCode()}
	if ws, ok := st.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		s.Signal = ws.Signal()
	}
	return s
}
