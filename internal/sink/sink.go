// Package sink turns the raw bytes of a command into bounded, clean text, in one pass.
//
// Each stream is decoded (UTF-8; characters split between writes are joined, an invalid byte becomes U+FFFD), sanitised
// (escape sequences and control characters are removed) and subjected to the carriage return rule. The text is then
// counted, limited by lines and kept as a bounded tail. As soon as the shown text cannot hold all of it, the complete
// text is written to an artifact. Every byte costs O(1), memory use is constant, and the result does not depend on how
// the bytes were split into writes.
//
// The package does not depend on processes, files or terminals: [Sink.Write] takes the bytes, an [ArtifactWriter]
// stores the artifact, and the result is a [Summary].
package sink

import (
	"sync"
)

// DefaultMaxBytes is the default limit of the shown text, in bytes.
const DefaultMaxBytes = 51200

// Limits of Options.MaxBytes: the minimum holds any single character, the maximum keeps sizes within an int on every
// platform.
const (
	minMaxBytes = 4
	maxMaxBytes = 1 << 29
)

// Stream identifies one of the command's output streams. Runs with a single pipe use only Stdout.
type Stream uint8

// The two streams of a command.
const (
	Stdout Stream = iota
	Stderr
)

// CarriageReturn selects how to handle a carriage return that is not followed by a line feed. CR LF is a newline in
// every mode.
type CarriageReturn uint8

const (
	// Collapse moves the cursor to the first column; the text that follows overwrites the line, as on a terminal.
	Collapse CarriageReturn = iota
	// Newline replaces the carriage return with a newline.
	Newline
	// Strip removes the carriage return.
	Strip
)

// ArtifactWriter stores the complete text stream. The sink calls its methods from one goroutine at a time and does
// not write again after an error.
type ArtifactWriter interface {
	ID() string
	Write(p []byte) (int, error)
	Close() error
}

// Options configure a [Sink]. The zero value collects at most [DefaultMaxBytes] and keeps no artifact.
type Options struct {
	// MaxBytes is the limit of the shown text in bytes; 0 means DefaultMaxBytes.
	MaxBytes int
	// Head and Tail limit the shown text to its first and last lines; 0 means no limit. Head is applied first.
	Head, Tail int
	// HeadEnds ends the text stream itself after Head lines, as `| head -n N` does: later text is not counted, the
	// result is not truncated, and Write returns false.
	HeadEnds bool
	// Split applies Head and Tail to Stdout only; Stderr is not limited, as in a pipeline. With Tail, the Stdout
	// lines come after all Stderr text, because tail(1) prints at the end of its input.
	Split bool
	// CarriageReturn is the rule for a lone carriage return.
	CarriageReturn CarriageReturn
	// OpenArtifact is called at most once, when text has to be left out. Nil means that no artifact is kept.
	OpenArtifact func() (ArtifactWriter, error)
	// OnText receives the text as it is committed, in arrival order, as a reader at the end of the pipeline would:
	// Head applies, and with a Tail limit the last lines come at Close. It must not retain p or call the sink.
	OnText func(p []byte)
	// OnUpdate receives the state for a live view from a goroutine of the sink, at most once every 50 ms. The final
	// state is delivered before Close returns.
	OnUpdate func(Snapshot)
}

// Summary is the result of a run's output.
type Summary struct {
	// Text is the shown text: valid UTF-8 without control characters other than tab and newline.
	Text string
	// TotalLines and TotalBytes are the size of the complete text stream, OutputLines and OutputBytes that of Text.
	// A partly shown line counts as shown.
	TotalLines, TotalBytes, OutputLines, OutputBytes int64
	// Truncated reports whether Text is less than the complete text stream.
	Truncated bool
	// TruncatedBy is "lines" or "bytes", Direction is the end that was kept: "head" or "tail". Both are empty when
	// nothing was left out.
	TruncatedBy, Direction string
	// ShownStart and ShownEnd are the numbers of the first and last line of Text in the text stream, counted from 1;
	// both are 0 when there was no output.
	ShownStart, ShownEnd int64
	// ArtifactID is the id of the closed artifact with the complete text stream; empty when there is none.
	ArtifactID string
	// ArtifactErr is the reason why an artifact that was needed is missing.
	ArtifactErr error
}

// Sink collects the output of one run. [New] creates one. It is safe for concurrent use. The artifact and OnText are
// called with the lock held, so that they see the text in one order; OnUpdate is called without the lock.
type Sink struct {
	mu      sync.Mutex
	opt     Options
	streams [2]stream
	text    collector
	spool   spool
	updater *updater
	closed  bool
	summary Summary
}

// New returns a new sink. It allocates no buffers before the first write.
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
		s.updater = newUpdater(opt.OnUpdate, s.snapshot)
	}
	return s
}

// Write adds bytes of a stream; p is not retained. It never fails: Close reports errors of the artifact. It returns
// false once further bytes of this stream are ignored, because the HeadEnds limit was reached or the sink is closed.
func (s *Sink) Write(st Stream, p []byte) (more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.text.done(st) {
		return false
	}
	s.streams[st].write(p)
	if s.updater != nil && len(p) > 0 {
		s.updater.notify()
	}
	return !s.text.done(st)
}

// Partial returns a copy of the uncommitted part of a stream's current line, for example a prompt that waits for
// input. It is nil when there is none.
func (s *Sink) Partial(st Stream) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.text.done(st) {
		return nil
	}
	return s.streams[st].partial()
}

// HeadReached reports whether the HeadEnds limit has been reached.
func (s *Sink) HeadReached() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.ended
}

// Spill opens the artifact now and writes everything committed so far; all later text follows. It returns the id of
// the artifact, which is complete only after Close. Further calls return the same result.
func (s *Sink) Spill() (id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.summary.ArtifactID, s.summary.ArtifactErr
	}
	return s.spool.spill()
}

// Close flushes the streams, closes the artifact and returns the result. Further calls return the same result.
func (s *Sink) Close() Summary {
	s.mu.Lock()
	if s.closed {
		defer s.mu.Unlock()
		return s.summary
	}
	for i := range s.streams {
		if len(s.streams[i].pending) > 0 && s.updater != nil {
			s.updater.notify() // an incomplete character or sequence becomes text
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
	if s.updater != nil {
		s.updater.stop() // without the lock: the final delivery takes a snapshot
	}
	return s.summary
}
