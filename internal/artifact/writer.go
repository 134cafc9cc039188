package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// Writer appends to one artifact. It is safe for concurrent use.
type Writer struct {
	store *Store
	root  *os.Root
	id    int64

	mu       sync.Mutex
	meta     Meta
	log      *os.File
	ring     *ring // nil until the first half of the log is full
	max      int64 // cap of the log
	total    int64 // bytes written so far
	newlines int64 // newlines written so far
	partial  bool  // the last byte was not a newline
	err      error // the error that made the artifact unusable

	closed, detached bool
}

// Create creates an artifact with the metadata m. When it returns, the log exists and is locked, and the metadata with
// [StatusRunning] is written. It may prune the store if the store exceeds its cap.
func (s *Store) Create(m Meta) (*Writer, error) {
	root, err := s.makeDir()
	if err != nil {
		return nil, fmt.Errorf("create artifact: %w", err)
	}
	id, log, rescan, err := allocate(root)
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("create artifact in %s: %w", s.dir, err)
	}
	w := &Writer{store: s, root: root, id: id, meta: m, log: log, max: s.max}
	w.meta.ID, w.meta.Status, w.meta.Writing = Ref{id: id}.String(), StatusRunning, true
	if w.meta.StartedAt.IsZero() {
		w.meta.StartedAt = time.Now()
	}
	if err := writeMeta(root, id, w.meta); err != nil {
		return nil, w.fail("create", err)
	}
	if rescan {
		s.shrink(root, id)
	}
	return w, nil
}

// ID returns the artifact's id in decimal.
func (w *Writer) ID() string { return Ref{id: w.id}.String() }

// half returns the maximum length of the log, at which the ring begins.
func (w *Writer) half() int64 { return w.max / 2 }

// Write appends p with one system call (more with the ring). It writes all of p or fails. A failure removes the
// artifact, and all further calls return the same error. p is not retained.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.checkOpen("write"); err != nil {
		return 0, err
	}
	if err := w.append(p); err != nil {
		return 0, w.fail("write", err)
	}
	return len(p), nil
}

// checkOpen returns an error if the artifact is closed or has failed.
func (w *Writer) checkOpen(verb string) error {
	if w.err == nil && w.closed {
		return fmt.Errorf("%s artifact %d: %w", verb, w.id, os.ErrClosed)
	}
	return w.err
}

func (w *Writer) append(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	n := min(int64(len(p)), max(w.half()-w.total, 0))
	if n > 0 {
		if _, err := w.log.WriteAt(p[:n], w.total); err != nil {
			return err
		}
	}
	w.advance(p[:n])
	if len(p[n:]) == 0 {
		return nil
	}
	if w.ring == nil {
		r, err := createRing(w.root, w.id, w.max, w.newlines)
		if err != nil {
			return err
		}
		w.ring = r
	}
	w.advance(p[n:])
	return w.ring.write(p[n:])
}

// advance updates the counters after p was written.
func (w *Writer) advance(p []byte) {
	if len(p) > 0 {
		w.total += int64(len(p))
		w.newlines += int64(bytes.Count(p, newline))
		w.partial = p[len(p)-1] != '\n'
	}
}

// SetMeta calls change to modify the metadata. Before Close the change is kept in memory until Close or Detach writes it;
// after Close the file is replaced at once; after Detach SetMeta returns an error. Changes to fields that the store sets
// (see [Meta]) are ignored.
func (w *Writer) SetMeta(change func(*Meta)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.detached {
		return w.checkOpen("describe")
	}
	if w.err != nil {
		return w.err
	}
	was := w.meta
	change(&w.meta)
	w.meta.ID, w.meta.Writing = was.ID, was.Writing
	w.meta.TotalBytes, w.meta.StoredBytes, w.meta.Lines = was.TotalBytes, was.StoredBytes, was.Lines
	w.meta.Capped, w.meta.LeftOut = was.Capped, was.LeftOut
	if !w.closed {
		return nil
	}
	return w.rewriteMeta()
}

// rewriteMeta replaces the metadata of a closed artifact, unless the artifact has been removed.
func (w *Writer) rewriteMeta() error {
	root, err := w.store.openDir()
	if err != nil {
		return fmt.Errorf("describe artifact %d: %w", w.id, err)
	}
	defer root.Close()
	if _, err := root.Lstat(fileName(w.id, logSuffix)); err != nil {
		return fmt.Errorf("describe artifact %d: %w", w.id, ErrRemoved)
	}
	if err := writeMeta(root, w.id, w.meta); err != nil {
		return fmt.Errorf("describe artifact %d: %w", w.id, err)
	}
	return nil
}

// Size returns the number of bytes written so far.
func (w *Writer) Size() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.total
}

// Capped reports whether the stream exceeds the cap, so that its middle is left out.
func (w *Writer) Capped() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.total > w.max
}

// Removed reports whether the log has been removed from the store (pi artifact rm, a deleted directory). It costs two
// system calls. After Close or Detach it returns false.
func (w *Writer) Removed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.log == nil {
		return errors.Is(w.err, ErrRemoved)
	}
	return unlinked(w.root, w.log, w.id, logSuffix)
}

// Close completes the log and the metadata. If that fails, Close removes the artifact, so that no incomplete artifact
// remains. Further calls return the same error. After Detach it does nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	if w.err != nil {
		return w.err
	}
	if unlinked(w.root, w.log, w.id, logSuffix) {
		return w.fail("close", ErrRemoved)
	}
	if err := w.complete(); err != nil {
		return w.fail("close", err)
	}
	w.closed = true
	size := diskUsage(w.meta.StoredBytes)
	// The total only controls pruning and is recomputed regularly: a failure here must not fail Close.
	if total, err := addToTotal(w.root, size); err == nil && total > w.store.maxTotal {
		w.store.shrink(w.root, w.id)
	}
	w.release()
	return nil
}

func (w *Writer) complete() error {
	w.meta.StoredBytes = w.total
	if w.ring != nil {
		done, err := w.ring.assemble(w.log)
		if err != nil {
			return err
		}
		w.meta.StoredBytes, w.meta.LeftOut = done.size, done.leftOut
		w.ring.remove(w.root, w.id)
		w.ring = nil
	}
	w.meta.Capped = w.meta.LeftOut != nil
	w.meta.Writing = false
	if w.meta.Status == StatusRunning {
		w.meta.Status = StatusEnded
	}
	if w.meta.EndedAt.IsZero() {
		w.meta.EndedAt = time.Now()
	}
	w.setSizes()
	return writeMeta(w.root, w.id, w.meta)
}

// setSizes copies the size of the stream to the metadata.
func (w *Writer) setSizes() {
	w.meta.TotalBytes, w.meta.Lines = w.total, w.newlines
	if w.partial {
		w.meta.Lines++
	}
}

// fail removes the artifact and returns err, which is also the error of all further calls.
func (w *Writer) fail(verb string, err error) error {
	w.err = fmt.Errorf("%s artifact %d: %w", verb, w.id, err)
	if !errors.Is(err, ErrRemoved) {
		w.log.Truncate(0) // frees the space on systems that cannot remove an open file
	}
	removeFiles(w.root, w.id)
	w.release()
	return w.err
}

// release closes all files, which also releases the lock.
func (w *Writer) release() {
	if w.ring != nil {
		w.ring.f.Close()
		w.ring = nil
	}
	if w.log != nil {
		w.log.Close()
		w.log = nil
	}
	w.root.Close()
}
