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
	// followPause is the interval at which a follower checks for new text.
	followPause = 100 * time.Millisecond

	// followGrace is how long an artifact may have no writer before it counts as lost. A handover from one process to
	// another takes much less.
	followGrace = time.Second
)

// Follow writes an artifact to w and continues with text as it is appended, until the writer closes the artifact or ctx is
// done; neither is an error. If tail is not nil, Follow starts with that many last lines. If an artifact with a cap is
// written faster than it is read, a line in the output reports how much was skipped.
func (s *Store) Follow(ctx context.Context, w io.Writer, r Ref, tail *int64) error {
	root, id, err := s.find(r)
	if err != nil {
		return err
	}
	defer root.Close()
	f := follower{root: root, id: id, w: &destination{w: w}, tail: tail}
	if err := f.run(ctx); err != nil {
		return fmt.Errorf("follow artifact %d: %w", id, err)
	}
	return nil
}

// destination records an error of the writer it wraps, to distinguish it from a read error.
type destination struct {
	w   io.Writer
	err error
}

func (d *destination) Write(p []byte) (int, error) {
	n, err := d.w.Write(p)
	if err != nil {
		d.err = err
	}
	return n, err
}

type follower struct {
	root   *os.Root
	id     int64
	w      *destination
	tail   *int64 // nil once the start position is determined
	pos    int64  // position in the text stream; everything before it has been written
	capped bool   // the artifact has or had a ring
	failed int    // consecutive read failures
}

func (f *follower) run(ctx context.Context) error {
	var noWriterSince time.Time // zero while there is a writer
	for {
		writer := hasWriter(f.root, f.id) // checked before reading, so that no text follows the last poll
		closed, err := f.poll()
		if err != nil {
			return err
		}
		switch now := time.Now(); {
		case closed:
			return nil
		case writer:
			noWriterSince = time.Time{}
		case noWriterSince.IsZero():
			noWriterSince = now
		case now.Sub(noWriterSince) > followGrace:
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followPause):
		}
	}
}

// poll writes the text after pos. closed reports whether the artifact is complete.
func (f *follower) poll() (closed bool, err error) {
	m, merr := readMeta(f.root, f.id) // read before the text, so that the text is complete if the metadata says so
	v, err := openView(f.root, f.id)
	if errors.Is(err, fs.ErrNotExist) {
		return false, ErrRemoved
	}
	if errors.Is(err, errChanged) {
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
		return false, nil // being merged; the metadata is written last
	}
	segments := v.segments(m, closed)
	if err := f.findStart(v, segments); err != nil {
		return false, err
	}
	return closed, f.write(v, segments)
}

// segment is a part of the text stream and its offset in a view. Notices belong to no segment.
type segment struct{ stream, at, size int64 }

func (v *view) segments(m Meta, closed bool) (list []segment) {
	if l := m.LeftOut; closed && l != nil && l.Offset < v.size {
		kept := m.TotalBytes - l.Offset - l.Bytes
		return []segment{{0, 0, l.Offset}, {l.Offset + l.Bytes, v.size - kept, kept}}
	}
	for i, p := range v.parts {
		if notice := len(v.files) > 1 && p.file == nil && i == 1 && len(v.parts) == 3; !notice {
			list = append(list, segment{p.off, p.at, p.size})
		}
	}
	return list
}

// findStart determines the start position.
func (f *follower) findStart(v *view, list []segment) error {
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

// write writes the text of the segments after pos.
func (f *follower) write(v *view, list []segment) error {
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
		return nil // the writer was faster; the next poll continues with what is left
	}
	return nil
}
