package sink

import (
	"errors"
	"fmt"
	"io"
)

// errNoArtifacts is the error of Spill without OpenArtifact.
var errNoArtifacts = errors.New("artifacts are disabled")

// spool keeps the complete text for the artifact. It buffers up to keep bytes in memory. With more, the shown text is
// certain to be truncated, so spool opens the artifact and from then on writes the text to it directly.
type spool struct {
	open     func() (ArtifactWriter, error) // nil: no artifacts
	keep     int
	buffered []byte // the text before the artifact is opened
	w        ArtifactWriter
	id       string
	err      error // the first failure; nothing is written after it
}

// disabled reports whether text is discarded.
func (s *spool) disabled() bool { return s.open == nil || s.err != nil }

// add adds the next text.
func (s *spool) add(p []byte) {
	switch {
	case s.disabled():
	case s.w != nil:
		s.write(p)
	case len(s.buffered)+len(p) <= s.keep:
		s.buffered = append(s.buffered, p...)
	default:
		s.start()
		s.write(p)
	}
}

// start opens the artifact and writes the buffered text.
func (s *spool) start() {
	w, err := s.open()
	if err == nil && w == nil {
		err = errNoArtifacts
	}
	if err != nil {
		s.err = err
		s.buffered = nil
		return
	}
	s.w, s.id = w, w.ID()
	s.write(s.buffered)
	s.buffered = nil
}

// write writes p to the artifact. After a failure the artifact is incomplete: it is closed and its id is dropped.
func (s *spool) write(p []byte) {
	if s.w == nil || len(p) == 0 {
		return
	}
	n, err := s.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		s.err = err
		s.id = ""
		s.w.Close() // the write error is more useful
		s.w = nil
	}
}

// spill opens the artifact if it is not open yet.
func (s *spool) spill() (string, error) {
	if s.open == nil {
		return "", errNoArtifacts
	}
	if s.w == nil && s.err == nil {
		s.start()
	}
	return s.id, s.err
}

// finish closes the artifact and returns its id. With needed set, it first opens the artifact if it is not open yet.
func (s *spool) finish(needed bool) (string, error) {
	if needed && s.w == nil && !s.disabled() {
		s.start()
	}
	s.buffered = nil
	if s.w == nil {
		return "", s.err
	}
	err := s.w.Close()
	s.w = nil
	if err != nil {
		s.err = fmt.Errorf("close artifact %s: %w", s.id, err)
		s.id = ""
	}
	return s.id, s.err
}
