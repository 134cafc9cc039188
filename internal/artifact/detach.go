package artifact

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

// State is what another process needs to go on with an artifact. It survives JSON.
type State struct {
	Dir           string `json:"dir"`
	ID            string `json:"id"`
	MaxBytes      int64  `json:"maxBytes"`
	MaxTotalBytes int64  `json:"maxTotalBytes"`
	Total         int64  `json:"total"`    // bytes of the stream
	Newlines      int64  `json:"newlines"` // among them
	Partial       bool   `json:"partial"`  // the last byte was no newline
	Meta          Meta   `json:"meta"`
}

// Detach releases the artifact without completing it: the description is written as it stands, files and lock are
// released, and w can do nothing more. Until [Store.Adopt] has taken it up the artifact looks like one whose writer
// died; it can be read all the time.
func (w *Writer) Detach() (State, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.usable("detach"); err != nil {
		return State{}, err
	}
	if gone(w.root, w.log, w.id, logSuffix) {
		return State{}, w.fail("detach", ErrRemoved)
	}
	w.sizes()
	if err := writeMeta(w.root, w.id, w.meta); err != nil {
		return State{}, w.fail("detach", err)
	}
	st := State{Dir: w.store.dir, ID: w.ID(), MaxBytes: w.max, MaxTotalBytes: w.store.maxTotal,
		Total: w.total, Newlines: w.newline, Partial: w.partial, Meta: w.meta}
	w.release()
	w.closed, w.detached = true, true
	return st, nil
}

// Adopt takes up an artifact that [Writer.Detach] gave up in this or another process. Directory and caps are those of
// the state. An artifact that was removed or changed meanwhile is refused and left alone.
func (s *Store) Adopt(st State) (*Writer, error) {
	w, err := adopt(st)
	if err != nil {
		return nil, fmt.Errorf("adopt artifact %s: %w", strconv.Quote(st.ID), err)
	}
	return w, nil
}

func adopt(st State) (*Writer, error) {
	id, err := parseID(st.ID)
	if err != nil {
		return nil, err
	}
	s := Open(st.Dir, Options{MaxBytes: st.MaxBytes, MaxTotalBytes: st.MaxTotalBytes})
	root, err := s.makeDir()
	if err != nil {
		return nil, err
	}
	w := &Writer{store: s, root: root, id: id, meta: st.Meta, max: s.max, total: st.Total, newline: st.Newlines, partial: st.Partial}
	if err := w.reopen(); err != nil {
		w.release()
		return nil, err
	}
	return w, nil
}

// reopen opens the files of an adopted artifact and checks that they are as long as the state says.
func (w *Writer) reopen() (err error) {
	if w.log, err = openFile(w.root, fileName(w.id, logSuffix), os.O_RDWR); err != nil {
		return err
	}
	if ok, err := lock(w.log); err != nil || !ok {
		return errors.Join(errors.New("it is being written by another process"), err)
	}
	if gone(w.root, w.log, w.id, logSuffix) {
		return ErrRemoved
	}
	want := min(w.total, w.half())
	if info, err := w.log.Stat(); err != nil || info.Size() != want {
		return errors.Join(fmt.Errorf("its log is not %d bytes long", want), err)
	}
	if w.total <= w.half() {
		return nil
	}
	w.ring, err = openRing(w.root, w.id, os.O_RDWR)
	if err == nil && (w.ring.total != w.total || w.ring.start != w.half()) {
		err = fmt.Errorf("its stream is %d bytes long, not %d", w.ring.total, w.total)
	}
	return err
}
