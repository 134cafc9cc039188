package sink

import (
	"errors"
	"fmt"
	"io"
)

// errNoArtifacts is the answer to Spill without OpenArtifact.
var errNoArtifacts = errors.New("artifacts are off")

// spool keeps the whole text for the artifact. Up to keep bytes it stays in memory; beyond, something will be left out
// for certain, so the artifact is opened, and from then on text goes straight into it.
type spool struct {
	open func() (ArtifactWriter, error) // nil: no artifacts
	keep int
	pre  []byte
	w    ArtifactWriter
	id   string
	err  error // the first failure: nothing is tried after it
}

// off reports whether text goes nowhere.
func (s *spool) off() bool { return s.open == nil || s.err != nil }

// add takes the next text.
func (s *spool) add(p []byte) {
	switch {
	case s.off():
	case s.w != nil:
		s.write(p)
	case len(s.pre)+len(p) <= s.keep:
		s.pre = append(s.pre, p...)
	default:
		s.start()
		s.write(p)
	}
}

// start opens the artifact and writes what was kept.
func (s *spool) start() {
	w, err := s.open()
	if err == nil && w == nil {
		err = errNoArtifacts
	}
	if err != nil {
		s.err = err
		s.pre = nil
		return
	}
	s.w, s.id = w, w.ID()
	s.write(s.pre)
	s.pre = nil
}

// write passes p on. After a failure the artifact is closed and no longer told of, since it is not whole.
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
		s.w.Close() // the write error says more
		s.w = nil
	}
}

// spill opens the artifact if it is not open.
func (s *spool) spill() (string, error) {
	if s.open == nil {
		return "", errNoArtifacts
	}
	if s.w == nil && s.err == nil {
		s.start()
	}
	return s.id, s.err
}

// finish closes the artifact, which is opened now if needed is set, and returns its id.
func (s *spool) finish(needed bool) (string, error) {
	if needed && s.w == nil && !s.off() {
		s.start()
	}
	s.pre = nil
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
