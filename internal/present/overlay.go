package present

import (
	"context"
	"fmt"
	"sync"

	"pi/internal/console"
	"pi/internal/console/tty"
	"pi/internal/run"
	"pi/internal/vt"
)

// overlay shows a pseudo-terminal on the user's, and passes on what is typed.
type overlay struct {
	Output
	repeat    bool // notices go to standard error, too
	terminal  *run.Terminal
	box       *console.Overlay // nil before the command was started
	opt       console.OverlayOptions
	force     chan struct{} // closed when the user asks for the end a second time
	over      chan struct{} // closed when the run is over
	stopWatch func()
	err       error // of setting the terminal's mode
}

func newOverlay(o Output, repeat bool) *overlay {
	p := &overlay{Output: o, repeat: repeat, terminal: run.NewTerminal(), force: make(chan struct{}), over: make(chan struct{})}
	p.opt = console.OverlayOptions{
		Profile: o.Profile, Keyboard: o.TTY, Wake: o.TTY.Wake,
		Escape: o.Escape, Delay: o.EscapeDelay,
		Program: program{p.terminal, o.Cancel}, Look: p.look, Changed: p.terminal.Changed(),
		Gone:  func(error) { o.Cancel(ErrHangup) },
		Force: sync.OnceFunc(func() { close(p.force) }),
		Guard: o.TTY.Guard,
	}
	return p
}

// program is the command's terminal. Killing it cancels the run, with the status of an interrupt.
type program struct {
	*run.Terminal
	cancel context.CancelCauseFunc
}

func (p program) Kill() error {
	p.cancel(ErrInterrupt)
	return nil
}

// Prepare makes the command's terminal as large as the inside of the box, unless it was given a size.
func (p *overlay) Prepare(q *run.Request) {
	q.Live = run.Live{Start: func(d run.Details) { p.opt.Command = d.Command }}
	q.Force = p.forceWith(q.Force)
	t := q.PTY
	t.Attended, t.ColorTerm = true, p.ColorTerm
	p.opt.Cols, p.opt.Rows = t.Cols, t.Rows
	cols, rows := p.TTY.Size()
	if t.Cols == 0 {
		t.Cols = max(1, cols-2)
	}
	if t.Rows == 0 {
		t.Rows = max(1, rows-2)
	}
	t.Terminal, t.Ready = p.terminal, p.start
}

// forceWith adds the user's second request to the signals as a way to force the end.
func (p *overlay) forceWith(signals <-chan struct{}) <-chan struct{} {
	go func() {
		select {
		case <-signals:
			p.opt.Force()
		case <-p.over:
		}
	}()
	return p.force
}

func (p *overlay) fault(where string) {
	if p.Fault != nil {
		p.Fault(where)
	}
}

func (p *overlay) look(f func(*vt.Terminal)) {
	p.terminal.View(func(t *vt.Terminal) {
		f(t)
		p.fault("look")
	})
}

// start shows the box.
func (p *overlay) start() {
	defer p.TTY.Guard()
	defer p.fault("start")
	if p.err = p.TTY.Enter(console.OverlayMode); p.err != nil {
		p.Cancel(p.err)
		return
	}
	p.box = console.NewOverlay(p.TTY, p.opt)
	p.stopWatch = p.TTY.Watch(tty.Events{Resized: p.box.Resized, Stop: p.box.Pause, Resumed: p.box.Resumed})
	p.box.Start()
}

// Finish restores the terminal and prints the transcript.
func (p *overlay) Finish(r run.Result) error {
	defer p.TTY.Guard()
	close(p.over)
	if p.box != nil {
		p.stopWatch()
		p.box.Close(console.State(r.Details))
		p.TTY.Restore()
		p.TTY.Close()
	}
	switch {
	case p.err != nil:
		return fmt.Errorf("set the terminal to raw mode: %w", p.err)
	case p.box == nil || r.Details.Status == run.Error:
		return (&textPresenter{p.Output}).Finish(r)
	}
	cols, _ := p.TTY.Size()
	_, err := p.TTY.Write([]byte(p.Profile.Transcript(r, cols)))
	if p.repeat {
		p.notices(r)
	}
	return WriteError(err)
}
