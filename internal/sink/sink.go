// Package sink turns the raw bytes of a command into bounded, clean text, in one pass.
//
// Each stream goes through decode (UTF-8, split characters are whole, an invalid byte is U+FFFD), sanitise
// (escape sequences and control characters removed), the carriage return rule, and is then counted, limited by
// lines, kept as a bounded tail and, once something will be left out, written whole to an artifact. Every byte costs
// O(1), memory is flat whatever the output, and how the bytes were cut into writes never changes the result.
//
// The package knows nothing of processes, files or terminals: bytes come in by [Sink.Write], the artifact is an
// [ArtifactWriter], and the result is a [Summary].
package sink

import (
	"sync"
)

// DefaultMaxBytes is the bound of the shown text where [Options] names none.
const DefaultMaxBytes = 51200

// Bounds of a configured MaxBytes: the smallest holds any one character, the largest keeps sizes within an int
// on every platform.
const (
	minMaxBytes = 4
	maxMaxBytes = 1 << 29
)

// Stream identifies which of the command's streams bytes come from. Runs with a single pipe use only Stdout.
type Stream uint8

// The two streams of a command.
const (
	Stdout Stream = iota
	Stderr
)

// CarriageReturn says what a carriage return does that is not followed by a line feed. With one, the pair is a
// newline in every mode.
type CarriageReturn uint8

const (
	// Collapse returns to the first column, so that what follows overwrites the line, as a terminal shows it.
	Collapse CarriageReturn = iota
	// Newline replaces it with a newline.
	Newline
	// Strip removes it.
	Strip
)

// ArtifactWriter takes the whole text stream. The sink calls its methods from one goroutine at a time and does
// not write again after an error.
type ArtifactWriter interface {
	ID() string
	Write(p []byte) (int, error)
	Close() error
}

// Options configure a [Sink]. The zero value collects at most [DefaultMaxBytes] and keeps no artifact.
type Options struct {
	// MaxBytes bounds the shown text, in bytes; 0 is DefaultMaxBytes.
	MaxBytes int
	// Head and Tail limit the shown text to its first and last lines; 0 is no limit. Head is applied first.
	Head, Tail int
	// HeadEnds makes the text stream itself end after Head lines, as `| head -n N` does: nothing after them is
	// counted, the result is complete, and Write reports that no more is wanted.
	HeadEnds bool
	// Split applies Head and Tail to Stdout alone; Stderr passes by, as it does in a pipeline. With Tail the
	// Stdout lines come after all Stderr text, as tail(1) prints at the end of its input.
	Split bool
	// CarriageReturn is the rule for a lone carriage return.
	CarriageReturn CarriageReturn
	// OpenArtifact is called at most once, when something will be left out. Nil keeps no artifact.
	OpenArtifact func() (ArtifactWriter, error)
	// OnText gets the text as it is committed, in arrival order: what a reader at the end of the pipeline would
	// get, so limited by Head, and for a Tail limit the last lines at Close. It must not retain p or call the sink.
	OnText func(p []byte)
	// OnUpdate gets the state for a live view from a goroutine of the sink, at most once in 50 ms. The last
	// state is delivered before Close returns.
	OnUpdate func(Snapshot)
}

// Summary is the result of a run's output.
type Summary struct {
	// Text is the shown text: valid UTF-8 without control characters other than tab and newline.
	Text string
	// TotalLines and TotalBytes measure the whole text stream, OutputLines and OutputBytes the Text. A line that
	// is shown in part counts as shown.
	TotalLines, TotalBytes, OutputLines, OutputBytes int64
	// Truncated says that Text is less than the whole text stream.
	Truncated bool
	// TruncatedBy is "lines" or "bytes", Direction says which end was kept: "head" or "tail". Both are empty
	// when nothing was left out.
	TruncatedBy, Direction string
	// ShownStart and ShownEnd number the first and last line of Text within the text stream, from 1; both are 0
	// when there was no output.
	ShownStart, ShownEnd int64
	// ArtifactID names the closed artifact that holds the whole text stream; empty when there is none.
	ArtifactID string
	// ArtifactErr says why an artifact that was due is missing.
	ArtifactErr error
}

// Sink collects the output of one run. Make one with [New]. Its methods may be called from several goroutines. The text
// has one order, so the artifact and OnText are served under the lock that establishes it; OnUpdate is not.
type Sink struct {
	mu      sync.Mutex
	opt     Options
	streams [2]stream
	text    collector
	spool   spool
	live    *live
	closed  bool
	summary Summary
}

// New creates a sink. It allocates no buffers before there is output.
func New(opt Options) *Sink {
	switch {
	case opt.MaxBytes == 0:
		opt.MaxBytes = DefaultMaxBytes
	case opt.MaxBytes < minMaxBytes:
		opt.MaxBytes = minMaxBytes
	case opt.MaxBytes > maxMaxBytes:
		opt.MaxBytes = maxMaxBytes
	}
	s := &Sink{opt: opt}
	s.spool = spool{open: opt.OpenArtifact, keep: opt.MaxBytes}
	s.text.init(&s.opt, &s.spool)
	for i := range s.streams {
		s.streams[i] = stream{out: &s.text, id: Stream(i), mode: opt.CarriageReturn, maxLine: maxLine}
	}
	if opt.OnUpdate != nil {
		s.live = newLive(opt.OnUpdate, s.snapshot)
	}
	return s
}

// Write takes bytes of a stream; p is not retained. It never fails: what goes wrong with the artifact is told by
// Close. It reports false once nothing further of this stream counts, because HeadEnds was reached or the sink is
// closed.
func (s *Sink) Write(st Stream, p []byte) (more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.text.done(st) {
		return false
	}
	s.streams[st].write(p)
	if s.live != nil && len(p) > 0 {
		s.live.notify()
	}
	return !s.text.done(st)
}

// Partial returns a copy of the current line of a stream as far as it is not committed, for showing a prompt that
// waits. It is nil when there is none.
func (s *Sink) Partial(st Stream) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.text.done(st) {
		return nil
	}
	return s.streams[st].partial()
}

// HeadReached reports whether a HeadEnds limit got all its lines.
func (s *Sink) HeadReached() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.ended
}

// Spill opens the artifact now and writes everything committed so far; all later text follows. It returns the id,
// which names a complete artifact only after Close. Further calls return the same.
func (s *Sink) Spill() (id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.summary.ArtifactID, s.summary.ArtifactErr
	}
	return s.spool.spill()
}

// Close flushes what the streams still hold, closes the artifact and returns the result. Further calls return the
// same result.
func (s *Sink) Close() Summary {
	s.mu.Lock()
	if s.closed {
		defer s.mu.Unlock()
		return s.summary
	}
	for i := range s.streams {
		if len(s.streams[i].held) > 0 && s.live != nil {
			s.live.notify() // what was incomplete becomes text
		}
		s.streams[i].finish()
	}
	s.closed = true
	s.summary = s.text.summary()
	s.summary.ArtifactID, s.summary.ArtifactErr = s.spool.finish(s.summary.Truncated)
	if s.opt.OnText != nil && s.opt.Tail > 0 {
		s.opt.OnText(s.text.lastLines())
	}
	s.mu.Unlock()
	if s.live != nil {
		s.live.stop() // outside the lock: the last delivery takes a snapshot
	}
	return s.summary
}
