package artifact

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

// State is what another process needs to continue writing an artifact. It can be encoded as JSON.
type State struct {
	Dir           string `json:"dir"`
	ID            string `json:"id"`
	MaxBytes      int64  `json:"maxBytes"`
	MaxTotalBytes int64  `json:"maxTotalBytes"`
	Total         int64  `json:"total"`    // bytes in the stream
	Newlines      int64  `json:"newlines"` // newlines in the stream
	Partial       bool   `json:"partial"`  // the last byte was not a newline
	Meta          Meta   `json:"meta"`
}

// Detach releases the artifact without completing it: it writes the current metadata, closes the files and releases the
// lock. Afterwards w cannot be used. Until [Store.Adopt] continues it, the artifact looks like one whose writer died; it
// can be read at any time.
func (w *Writer) Detach() (State, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.checkOpen("detach"); err != nil {
		return State{}, err
	}
	if unlinked(w.root, w.log, w.id, logSuffix) {
		return State{}, w.fail("detach", ErrRemoved)
	}
	w.setSizes()
	if err := writeMeta(w.root, w.id, w.meta); err != nil {
		return State{}, w.fail("detach", err)
	}
	st := State{Dir: w.store.dir, ID: w.ID(), MaxBytes: w.max, MaxTotalBytes: w.store.maxTotal,
		Total: w.total, Newlines: w.newlines, Partial: w.partial, Meta: w.meta}
	w.release()
	w.closed, w.detached = true, true
	return st, nil
}

// Adopt returns a writer for an artifact that [Writer.Detach] released in this or another process. Directory and caps
// are those of the state. If the artifact has been removed or changed since, Adopt returns an error and leaves it as is.
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
	w := &Writer{store: s, root: root, id: id, meta: st.Meta, max: s.max, total: st.Total, newlines: st.Newlines, partial: st.Partial}
	if err := w.reopen(); err != nil {
		w.release()
		return nil, err
	}
	return w, nil
}

// reopen opens the files of an adopted artifact and compares their lengths with the state.
func (w *Writer) reopen() (err error) {
	if w.log, err = openFile(w.root, fileName(w.id, logSuffix), os.O_RDWR); err != nil {
		return err
	}
	if ok, err := lock(w.log); err != nil || !ok {
		return errors.Join(errors.New("another process is writing it"), err)
	}
	if unlinked(w.root, w.log, w.id, logSuffix) {
		return ErrRemoved
	}
	want := min(w.total, w.half())
	if info, err := w.log.Stat(); err != nil || info.Size() != want {
		return errors.Join(fmt.Errorf("log size is not %d bytes", want), err)
	}
	if w.total <= w.half() {
		return nil
	}
	w.ring, err = openRing(w.root, w.id, os.O_RDWR)
	if err == nil && (w.ring.total != w.total || w.ring.start != w.half()) {
		err = fmt.Errorf("stream length is %d bytes, want %d", w.ring.total, w.total)
	}
	return err
}
