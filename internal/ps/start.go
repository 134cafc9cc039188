package ps

import "os"

// lead starts c and waits for it to end; began gets the outcome of the start.
func (t *Tree) lead(c Command, began chan<- error) {
	defer ownThread()()
	err := registry.launch(t, c)
	began <- err
	if err != nil {
		return
	}
	t.state = t.child.wait()
	close(t.done)
}

// A child is a started leader. wait must be called once, on the thread that started it.
type child struct {
	pid  int
	wait func() State
}

// launch forks the leader, and has it on the books before anybody can look.
func (r *treeRegistry) launch(t *Tree, c Command) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ready {
		becomeSubreaper()
		r.ready = true
	}
	closeOnExec()
	files, done, err := c.files()
	if err != nil {
		return err
	}
	defer done()
	if t.child, t.job, err = spawn(c, files); err != nil {
		return err
	}
	t.membership.leader, t.membership.held, t.membership.known = id{pid: t.child.pid}, true, make(map[int]uint64)
	if p, ok := readProc(t.child.pid); ok { // not reaped yet, so the number is surely its own
		t.membership.leader.start = p.start
	}
	r.enter(t)
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
