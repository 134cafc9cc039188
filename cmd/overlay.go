package cmd

import (
	"context"
	"sync"
	"syscall"

	"pi/internal/config"
	"pi/internal/console"
	"pi/internal/console/tty"
	"pi/internal/keys"
	"pi/internal/run"
	"pi/internal/vt"
)

// newTerminalDoor makes the door of a pseudo-terminal that somebody watches and types into: the overlay, where the
// user's terminal is one that can be drawn on. gone ends the run.
func newTerminalDoor(env *Env, cfg config.Config, c ink, gone context.CancelCauseFunc) terminalDoor {
	t, _ := env.terminal()
	profile := console.NewProfile(cfg.Output.Color, env.Environ, true)
	if profile.Dumb {
		return &dumbDoor{streamDoor{env: env, ink: c, gone: gone}, t}
	}
	d := &overlayDoor{env: env, ink: c, tty: t, profile: profile, terminal: run.NewTerminal(), gone: gone, now: make(chan struct{}), over: make(chan struct{})}
	d.opt = console.OverlayOptions{
		Profile: profile, Keyboard: t, Wake: t.Wake,
		Escape: console.EscapeRule(cfg.Pty.Escape), Delay: keys.EscapeDelay(env.Environ),
		Program: program{d.terminal, gone}, Look: d.look, Changed: d.terminal.Changed(),
		Gone:  func(error) { gone(errSignal{syscall.SIGHUP}) },
		Hurry: sync.OnceFunc(func() { close(d.now) }),
		Guard: t.Guard,
	}
	return d
}

// overlayDoor shows a run in a pseudo-terminal on the user's, and passes on what is typed.
type overlayDoor struct {
	env      *Env
	ink      ink
	tty      *tty.TTY
	profile  console.Profile
	terminal *run.Terminal
	overlay  *console.Overlay // nil before the command is there
	opt      console.OverlayOptions
	gone     context.CancelCauseFunc
	now      chan struct{} // closed when the end was asked for a second time
	over     chan struct{} // closed when the run is
	watch    func()
	err      error // of entering the mode
}

// program is a run's terminal whose end is the run's cancellation, with the status of an interrupt.
type program struct {
	*run.Terminal
	end context.CancelCauseFunc
}

func (p program) Kill() error {
	p.end(errSignal{syscall.SIGINT})
	return nil
}

// attach makes the program's terminal as large as the inside of the box, unless it was given a size.
func (d *overlayDoor) attach(p *run.PTY) {
	d.opt.Cols, d.opt.Rows = p.Cols, p.Rows
	cols, rows := d.tty.Size()
	if p.Cols == 0 {
		p.Cols = max(1, cols-2)
	}
	if p.Rows == 0 {
		p.Rows = max(1, rows-2)
	}
	p.Terminal, p.Ready = d.terminal, d.start
}

func (d *overlayDoor) hurry(signals <-chan struct{}) <-chan struct{} {
	go func() {
		select {
		case <-signals:
			d.opt.Hurry()
		case <-d.over:
		}
	}()
	return d.now
}

func (d *overlayDoor) live() run.Live {
	return run.Live{Start: func(x run.Details) { d.opt.Command = x.Command }}
}

// testFault lets tests break things from within; nil but in the tests' binary.
var testFault func(where string)

// look is the terminal's View, with a place for a fault.
func (d *overlayDoor) look(f func(*vt.Terminal)) {
	d.terminal.View(func(t *vt.Terminal) {
		f(t)
		if testFault != nil {
			testFault("look")
		}
	})
}

// start shows the overlay.
func (d *overlayDoor) start() {
	defer d.tty.Guard()
	if testFault != nil {
		defer testFault("start")
	}
	if d.err = d.tty.Enter(console.OverlayMode); d.err != nil {
		d.gone(d.err)
		return
	}
	d.overlay = console.NewOverlay(d.tty, d.opt)
	d.watch = d.tty.Watch(tty.Events{Resized: d.overlay.Resized, Stop: d.overlay.Pause, Resumed: d.overlay.Resumed})
	d.overlay.Start()
}

// finish makes the terminal what it was and prints the transcript.
func (d *overlayDoor) finish(r run.Result) error {
	defer d.tty.Guard()
	close(d.over)
	if d.overlay != nil {
		d.watch()
		d.overlay.Close(console.State(r.Details))
		d.tty.Restore()
		d.tty.Close()
	}
	switch {
	case d.err != nil:
		return failf("set the terminal raw: %w", d.err)
	case d.overlay == nil || r.Details.Status == run.Error:
		return (&textDoor{d.env, d.ink}).finish(r)
	}
	cols, _ := d.tty.Size()
	_, err := d.tty.Write([]byte(d.profile.Transcript(r, cols)))
	if !isTerminal(d.env.Stderr) {
		notices(d.env.Stderr, d.ink, r)
	}
	return written(err)
}

// dumbDoor is for terminals without cursor movement: text as it comes, and lines to the command. The command's own
// terminal echoes them.
type dumbDoor struct {
	streamDoor
	tty *tty.TTY
}

func (d *dumbDoor) attach(p *run.PTY) {
	p.Text, p.Terminal = run.PTYStream, run.NewTerminal()
	p.Ready = func() {
		_ = d.tty.Enter(tty.Mode{}) // with an echo it is only less pretty
		go func() { _ = p.Terminal.Feed(d.env.Stdin) }()
	}
}

func (*dumbDoor) hurry(signals <-chan struct{}) <-chan struct{} { return signals }

func (d *dumbDoor) finish(r run.Result) error {
	d.tty.Restore()
	return d.streamDoor.finish(r)
}
