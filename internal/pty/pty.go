// Package pty runs commands in a pseudo-terminal.
//
// A [Session] runs one command at a time: Start runs `sh -lc COMMAND` with the terminal as its controlling terminal and
// standard streams, and returns when the command is done. Meanwhile Write types, Resize changes the size of the window
// and Kill ends the command's whole tree. What the command prints comes as the raw bytes that a terminal would get.
//
// Nothing that the command printed is lost at its end, reading never waits for writing, and no call blocks for long.
// The package knows no emulator, limits or keys: bytes go in and out as they are.
package pty

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"pi/internal/ps"
)

// The window: its size where [Options] names none, and the range that sizes are clamped to.
const (
	DefaultCols, DefaultRows = 120, 40
	MinCols, MaxCols         = 20, 400
	MinRows, MaxRows         = 5, 200
)

// The errors of calls that come at the wrong time.
var (
	ErrAlreadyRunning = errors.New("PTY session already running")
	ErrNotRunning     = errors.New("PTY session is not running")
	ErrGone           = errors.New("PTY session is no longer available") // the command is done, Start about to return
)

// ErrInputFull is the answer to input that the command would have to read up for first.
var ErrInputFull = errors.New("PTY input is full: the command does not read")

// Options is one command to run. Only Command is required.
type Options struct {
	Command string   // shell text of any length, without NUL
	Dir     string   // working directory; empty: pi's own
	Env     []string // the whole environment, KEY=VALUE
	// Keep are variables, KEY=VALUE, that hold whatever the login profile says of them.
	Keep       []string
	Cols, Rows int           // size of the window; 0 is the default, clamped
	Timeout    time.Duration // counted from the start of the shell; 0: none

	// Output takes what the command prints, in order, from one goroutine; p is valid only during the call. It is not
	// called after Start has returned. May be nil.
	Output func(p []byte)

	// Ready is called once, from Start, as soon as input is taken, before the command is started. May be nil.
	Ready func()
	// NoInput ends the input at the beginning, as [Session.CloseInput] does.
	NoInput bool

	// Force, when closed, cuts the grace between TERM and KILL short. May be nil.
	Force <-chan struct{}
}

// End says how a command ended.
type End struct {
	ExitCode  int            // the shell's status, -1 when a signal ended it; meaningless when TimedOut or Cancelled
	Signal    syscall.Signal // that ended the shell itself, or 0
	TimedOut  bool
	Cancelled bool // by the context or by Kill
	Survivors int  // members of the tree that could not be killed

	// Background are the processes that a normally ended command left running.
	Background []ps.Process
	// Held is the terminal, to be read, that such processes still hold; nil: nobody does. The caller owns it: once it is
	// closed their terminal is gone.
	Held *os.File
	// Warnings are faults that did not stop the run.
	Warnings []string
}

// state is where a session stands. It always comes back to idle.
type state uint8

const (
	idle     state = iota
	reserved       // Start has begun; input and size are kept for the command
	running        // the command runs
	closed         // the command is done and everything it printed has been read
)

// Session is a pseudo-terminal for one command at a time. Its methods may be called from several goroutines.
type Session struct {
	mu         sync.Mutex
	state      state
	cols, rows int
	term       *terminal // nil before it is open
	in         *input
	kill       chan struct{} // closed by Kill
	killed     bool
}

// New makes an idle session. It holds no resources.
func New() *Session { return &Session{} }

// Start runs a command and blocks until it is done, its timeout is over, ctx ends or Kill is called; in the last three
// cases the whole tree is ended before it returns, at most three seconds later. An error means that nothing was run.
func (s *Session) Start(ctx context.Context, o Options) (End, error) {
	if err := s.reserve(o); err != nil {
		return End{}, err
	}
	defer s.finalise()
	if o.NoInput {
		_ = s.CloseInput()
	}
	if o.Ready != nil {
		o.Ready()
	}
	return s.run(ctx, o)
}

func (s *Session) reserve(o Options) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != idle {
		return ErrAlreadyRunning
	}
	s.state = reserved
	s.cols, s.rows = ClampSize(o.Cols, o.Rows)
	s.in = newInput()
	s.kill, s.killed = make(chan struct{}), false
	return nil
}

// finalise brings the session back to where it began.
func (s *Session) finalise() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.term, s.in, s.kill = idle, nil, nil, nil
}

// ClampSize brings a size into the range; 0 is the default.
func ClampSize(cols, rows int) (int, int) {
	if cols == 0 {
		cols = DefaultCols
	}
	if rows == 0 {
		rows = DefaultRows
	}
	return min(max(cols, MinCols), MaxCols), min(max(rows, MinRows), MaxRows)
}

// live says whether calls make sense now. The caller holds mu.
func (s *Session) live() error {
	switch s.state {
	case idle:
		return ErrNotRunning
	case closed:
		return ErrGone
	}
	return nil
}

// Write types p. It never waits: what the command has not read yet is kept, in order, up to 8 MiB; p is taken whole or,
// with [ErrInputFull], not at all. p is not retained.
func (s *Session) Write(p []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.live(); err != nil {
		return err
	}
	return s.in.write(p)
}

// Feed types what r gives, as fast as the command reads it, and then the end of input. It returns when r is at its end or
// the command is done; a read that is under way then is not waited for by anybody else.
func (s *Session) Feed(r io.Reader) error {
	buf := make([]byte, feedSize)
	for {
		n, err := r.Read(buf)
		for sent := false; n > 0 && !sent; {
			in, err := s.input()
			if err != nil {
				return err
			}
			switch err := in.write(buf[:n]); {
			case err == nil:
				sent = true
			case !in.awaitRoom():
				return ErrGone
			}
		}
		if err == io.EOF {
			return s.CloseInput()
		}
		if err != nil {
			return err
		}
	}
}

// input is the queue of the present command.
func (s *Session) input() (*input, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.in, s.live()
}

// Reply types the terminal's answer to a query of the command. An answer for which there is no room, or no command, is
// dropped.
func (s *Session) Reply(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live() == nil {
		s.in.reply(p)
	}
}

// CloseInput types the end of input, after all that was typed before: from then on everybody who reads lines sees the
// input end, until something is typed again. A command that has switched the terminal to single keys sees nothing.
func (s *Session) CloseInput() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.live(); err != nil {
		return err
	}
	return s.in.end()
}

// Resize changes the size of the window, clamped to the range; the command gets SIGWINCH. A size of 0 is the default.
func (s *Session) Resize(cols, rows int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.live(); err != nil {
		return err
	}
	s.cols, s.rows = ClampSize(cols, rows)
	if s.term == nil {
		return nil
	}
	return s.term.resize(s.cols, s.rows)
}

// Size is the present size of the window; the default when nothing runs.
func (s *Session) Size() (cols, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ClampSize(s.cols, s.rows)
}

// Kill begins to end the command's whole tree: Start returns once nothing of it is left, with Cancelled set.
func (s *Session) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.live(); err != nil {
		return err
	}
	if !s.killed {
		s.killed = true
		close(s.kill)
	}
	return nil
}
