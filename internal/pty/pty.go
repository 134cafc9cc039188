// Package pty runs commands in a pseudo-terminal.
//
// A [Session] runs one command at a time: Start runs `sh -lc COMMAND` with the terminal as its controlling terminal and
// standard streams, and returns when the command is done. Meanwhile Write types, Resize changes the size of the window
// and Kill terminates the command's whole tree. Output arrives as the raw bytes that a terminal would receive.
//
// No output is lost at the end, reading never waits for writing, and no call but Start and Feed blocks.
// The package knows no emulator, limits or keys: it passes bytes unchanged.
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

// Window size in cells: the default, and the range that sizes are clamped to.
const (
	DefaultCols, DefaultRows = 120, 40
	MinCols, MaxCols         = 20, 400
	MinRows, MaxRows         = 5, 200
)

// Errors of calls in the wrong state.
var (
	ErrAlreadyRunning = errors.New("PTY session already running")
	ErrNotRunning     = errors.New("PTY session is not running")
	ErrGone           = errors.New("PTY session is no longer available") // the command is done and Start is about to return
)

// ErrInputFull means that too much input is queued that the command has not read.
var ErrInputFull = errors.New("PTY input is full: the command does not read")

// Options describe one command. Only Command is required.
type Options struct {
	Command string   // shell text of any length, without NUL
	Dir     string   // working directory; empty means pi's own
	Env     []string // the complete environment, KEY=VALUE
	// Keep lists variables, KEY=VALUE, that override the login profile.
	Keep       []string
	Cols, Rows int           // window size in cells, clamped; 0 means the default
	Timeout    time.Duration // from the start of the shell; 0 means none

	// Output receives the command's output, in order, from one goroutine; p is valid only during the call. It is not
	// called after Start has returned. It may be nil.
	Output func(p []byte)

	// Ready is called once, from Start, when input is accepted and before the command starts. It may be nil.
	Ready func()
	// NoInput ends the input at once, as [Session.CloseInput] does.
	NoInput bool

	// Force, when closed, ends the grace period between SIGTERM and SIGKILL. It may be nil.
	Force <-chan struct{}
}

// End says how a command ended.
type End struct {
	ExitCode  int            // the shell's exit status, -1 if a signal ended it; undefined if TimedOut or Cancelled
	Signal    syscall.Signal // the signal that ended the shell, or 0
	TimedOut  bool
	Cancelled bool // by the context or by Kill
	Survivors int  // members of the tree that could not be killed

	// Background lists the processes left running by a command that ended normally.
	Background []ps.Process
	// Held is the master side of the terminal if such processes still hold it, else nil. The caller owns it: closing it
	// hangs up their terminal.
	Held *os.File
	// Warnings describe faults that did not stop the run.
	Warnings []string
}

// state is the state of a session. It always returns to idle.
type state uint8

const (
	idle     state = iota
	reserved       // Start has begun; input and size are stored for the command
	running        // the command runs
	closed         // the command is done and all its output has been read
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

// New creates an idle session, which holds no resources.
func New() *Session { return &Session{} }

// Start runs a command and blocks until it is done, its timeout expires, ctx ends or Kill is called; in the last three
// cases it terminates the whole tree and returns at most three seconds later. An error means that nothing ran.
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

// finalise returns the session to idle.
func (s *Session) finalise() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.term, s.in, s.kill = idle, nil, nil, nil
}

// ClampSize clamps a window size; 0 means the default.
func ClampSize(cols, rows int) (int, int) {
	if cols == 0 {
		cols = DefaultCols
	}
	if rows == 0 {
		rows = DefaultRows
	}
	return min(max(cols, MinCols), MaxCols), min(max(rows, MinRows), MaxRows)
}

// live returns an error unless the session accepts calls. The caller holds mu.
func (s *Session) live() error {
	switch s.state {
	case idle:
		return ErrNotRunning
	case closed:
		return ErrGone
	}
	return nil
}

// Write types p. It never blocks: input that the command has not read is queued, up to 8 MiB. p is queued whole or,
// with [ErrInputFull], not at all. p is not retained.
func (s *Session) Write(p []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.live(); err != nil {
		return err
	}
	return s.in.write(p)
}

// Feed types what it reads from r, as fast as the command reads it, then the end of input. It returns at the end of r or when
// the command is done; nobody else waits for a read still in progress.
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

// input returns the queue of the current command.
func (s *Session) input() (*input, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.in, s.live()
}

// Reply types the terminal's reply to a query of the command. A reply without room, or without a command, is
// dropped.
func (s *Session) Reply(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live() == nil {
		s.in.reply(p)
	}
}

// CloseInput types the end of input after all earlier input: from then on every reader in canonical mode gets
// end of file, until something is typed again. A command in non-canonical mode gets nothing.
func (s *Session) CloseInput() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.live(); err != nil {
		return err
	}
	return s.in.end()
}

// Resize changes the window size in cells, clamped; the command gets SIGWINCH. 0 means the default.
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

// Size returns the current window size in cells, or the default if nothing runs.
func (s *Session) Size() (cols, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ClampSize(s.cols, s.rows)
}

// Kill starts terminating the command's whole tree. Start returns when none of it is left, with Cancelled set.
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
