package artifact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

const (
	// followPause is how often a follower looks for more.
	followPause = 100 * time.Millisecond

	// followGrace is how long an artifact may be without a writer before it counts as lost: one process hands it to
	// another in much less.
	followGrace = time.Second
)

// Follow writes an artifact to w and goes on with what is appended, until its writer closes it or ctx ends; neither is
// an error. tail, if not nil, begins with so many last lines. Where an artifact with a cap is written faster than it is
// read, a line tells how much was passed over.
func (s *Store) Follow(ctx context.Context, w io.Writer, r Ref, tail *int64) error {
	root, id, err := s.find(r)
	if err != nil {
		return err
	}
	defer root.Close()
	f := follower{root: root, id: id, w: &followed{w: w}, tail: tail}
	if err := f.run(ctx); err != nil {
		return fmt.Errorf("follow artifact %d: %w", id, err)
	}
	return nil
}

// followed remembers whether it was the destination that failed.
type followed struct {
	w   io.Writer
	err error
}

func (f *followed) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err != nil {
		f.err = err
	}
	return n, err
}

type follower struct {
	root   *os.Root
	id     int64
	w      *followed
	tail   *int64 // nil once the beginning is found
	pos    int64  // in the text stream, all before it is written
	capped bool   // the artifact has a ring, or had one
	failed int    // looks in a row that could not be read
}

func (f *follower) run(ctx context.Context) error {
	var alone time.Time // since when there has been no writer
	for {
		writer := live(f.root, f.id) // before reading, so that nothing comes after the last look
		closed, err := f.look()
		if err != nil {
			return err
		}
		switch now := time.Now(); {
		case closed:
			return nil
		case writer:
			alone = time.Time{}
		case alone.IsZero():
			alone = now
		case now.Sub(alone) > followGrace:
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followPause):
		}
	}
}

// look writes what there is behind pos. closed tells that nothing more will come.
func (f *follower) look() (closed bool, err error) {
	m, merr := readMeta(f.root, f.id) // before the text: what it says is complete then
	v, err := openView(f.root, f.id)
	if errors.Is(err, fs.ErrNotExist) {
		return false, ErrRemoved
	}
	if errors.Is(err, errMoved) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer v.close()
	settled := len(v.files) == 1
	f.capped = f.capped || !settled
	closed = merr == nil && !m.Writing
	if settled && f.capped && !closed {
		return false, nil // being put together: its description comes last
	}
	stretches := v.stretches(m, closed)
	if err := f.begin(v, stretches); err != nil {
		return false, err
	}
	return closed, f.write(v, stretches)
}

// A stretch is a piece of the text stream and where it lies in a view; notices belong to none.
type stretch struct{ stream, at, size int64 }

func (v *view) stretches(m Meta, closed bool) (list []stretch) {
	if l := m.LeftOut; closed && l != nil && l.Offset < v.size {
		kept := m.TotalBytes - l.Offset - l.Bytes
		return []stretch{{0, 0, l.Offset}, {l.Offset + l.Bytes, v.size - kept, kept}}
	}
	for i, p := range v.parts {
		if notice := len(v.files) > 1 && p.file == nil && i == 1 && len(v.parts) == 3; !notice {
			list = append(list, stretch{p.off, p.at, p.size})
		}
	}
	return list
}

// begin finds where to begin.
func (f *follower) begin(v *view, list []stretch) error {
	if f.tail == nil {
		return nil
	}
	at, err := v.tailStart(*f.tail)
	if err != nil {
		return err
	}
	f.tail = nil
	for _, s := range list {
		f.pos = s.stream + s.size
		if at < s.at+s.size {
			f.pos = s.stream + max(at-s.at, 0)
			break
		}
	}
	return nil
}

// write writes the stretches behind pos.
func (f *follower) write(v *view, list []stretch) error {
	for _, s := range list {
		if f.pos >= s.stream+s.size {
			continue
		}
		if gap := s.stream - f.pos; gap > 0 {
			if _, err := fmt.Fprintf(f.w, "[… %d bytes left out here …]\n", gap); err != nil {
				return err
			}
			f.pos = s.stream
		}
		n, err := v.copy(f.w, s.at+f.pos-s.stream, s.at+s.size)
		f.pos += n
		if err == nil {
			f.failed = 0
			continue
		}
		const most = 50
		if f.failed++; f.w.err != nil || f.failed > most {
			return err
		}
		return nil // the writer was faster; the next look finds what is left
	}
	return nil
}
