// Package present shows results and running commands to people and programs: as text, JSON, events, a stream, a view
// on a terminal, or the screen of a pseudo-terminal.
//
// [NewPlan] chooses the presenter from flags, settings and terminals alone, [New] creates it, and it then writes to
// the terminal and writers it was given. The package knows no flags and opens no file.
package present

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"pi/internal/console"
	"pi/internal/console/tty"
	"pi/internal/run"
)

// A Presenter shows one run.
type Presenter interface {
	// Prepare sets what the presenter needs in a request that is about to run: its events, its terminal, its way to
	// force the end. Where the plan asks for a pseudo-terminal, q.PTY must not be nil.
	Prepare(q *run.Request)
	// Finish shows the result and restores the terminal. It must be called once, after the run.
	Finish(run.Result) error
}

// Causes with which a presenter cancels a run. Callers turn them into exit statuses.
var (
	ErrOutputClosed = errors.New("standard output is closed")
	ErrHangup       = errors.New("the terminal is gone")
	ErrInterrupt    = errors.New("interrupted from the keyboard")
)

// Output is where a presenter writes to and reads from. Everything stays the caller's.
type Output struct {
	Out, Err io.Writer // standard output and standard error
	In       *os.File  // standard input; nil: closed
	TTY      *tty.TTY  // the terminal of standard output; nil where it is not one

	Profile  console.Profile // of that terminal
	Colors   Colors          // of notices on Err
	Expanded bool            // the tool view shows the whole result

	ColorTerm   string             // COLORTERM of a command in an attended pseudo-terminal
	Escape      console.EscapeRule // which program Esc is for
	EscapeDelay time.Duration      // how long an Esc may be the beginning of a longer sequence

	// Cancel ends the run, with one of the causes of this package.
	Cancel context.CancelCauseFunc
	// Keep saves the text of a result that the tool view cuts; see [console.ToolOptions].
	Keep func(run.Result) (id string, err error)
	// Fault is called at named places, so that tests can inject a panic; nil otherwise.
	Fault func(where string)
}

// New returns the presenter that p asks for.
func New(p Plan, o Output) Presenter {
	s := newPresenter(p, o)
	if p.FeedInput {
		s = &inputFeeder{s, o.In}
	}
	return s
}

func newPresenter(p Plan, o Output) Presenter {
	switch p.View {
	case JSON:
		return &jsonPresenter{o.Out}
	case Events:
		return &eventPresenter{out: o.Out, cancel: o.Cancel}
	case Stream:
		return &streamPresenter{Output: o, inPlace: p.InPlace}
	case ToolView:
		return newToolView(o, p.RepeatNotices)
	case Overlay:
		return newOverlay(o, p.RepeatNotices)
	case Lines:
		return &linePresenter{streamPresenter{Output: o}}
	}
	return &textPresenter{o}
}

// inputFeeder types standard input into the pseudo-terminal of a run that nobody watches.
type inputFeeder struct {
	Presenter
	in *os.File
}

func (p *inputFeeder) Prepare(q *run.Request) {
	p.Presenter.Prepare(q)
	q.PTY.Terminal = run.NewTerminal()
	q.PTY.Ready = func() { go func() { _ = q.PTY.Terminal.Feed(p.in) }() }
}

// WriteError returns what a failed write of a result means to the user: nothing when the reader has closed the pipe,
// as head(1) does.
func WriteError(err error) error {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return fmt.Errorf("write the result: %w", err)
}
