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
)

// overlayDoor shows a run in a pseudo-terminal on the user's, and passes on what is typed. Its pty is for the request.
type overlayDoor struct {
	env      *Env
	ink      ink
	tty      *tty.TTY
	profile  console.Profile
	terminal *run.Terminal
	overlay  *console.Overlay
	gone     context.CancelCauseFunc
	opt      console.OverlayOptions

	hurry chan struct{} // closed when the end was asked for a second time
	once  sync.Once
	watch func()
	err   error // of entering the mode
}

// canOverlay tells whether the user's terminal is one that an overlay can be drawn on, with somebody to type.
func canOverlay(env *Env, cfg config.Config) bool {
	_, ok := env.terminal()
	return ok && env.Stdin != nil && isTerminal(env.Stdin) && !console.NewProfile(cfg.Output.Color, env.Environ, true).Dumb
}

// newOverlayDoor makes the overlay for a command, where canOverlay allows it. gone ends the run.
func newOverlayDoor(env *Env, cfg config.Config, command string, gone context.CancelCauseFunc) *overlayDoor {
	t, _ := env.terminal()
	d := &overlayDoor{
		env: env, ink: newInk(env.Stderr, cfg.Output.Color, env.Environ), tty: t, terminal: run.NewTerminal(), gone: gone,
		profile: console.NewProfile(cfg.Output.Color, env.Environ, true), hurry: make(chan struct{}),
	}
	d.opt = console.OverlayOptions{
		Profile: d.profile, Keyboard: t, Wake: t.Wake, Command: command,
		Escape: console.EscapeRule(cfg.Pty.Escape), Delay: keys.EscapeDelay(env.Environ),
		Program: program{d.terminal, gone}, Look: d.terminal.View, Changed: d.terminal.Changed(),
		Gone:  func(error) { gone(errSignal{syscall.SIGHUP}) },
		Hurry: func() { d.once.Do(func() { close(d.hurry) }) },
		Guard: t.Guard,
	}
	return d
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

// pty is what the request asks for. The size is that of the box's inside.
func (d *overlayDoor) pty() *run.PTY {
	cols, rows := d.tty.Size()
	p := &run.PTY{Cols: max(1, cols-2), Rows: max(1, rows-2), Terminal: d.terminal, Ready: d.start}
	if d.profile.Color == console.TrueColor {
		p.ColorTerm = "truecolor"
	}
	return p
}

func (*overlayDoor) live() run.Live { return run.Live{} }

// start shows the overlay.
func (d *overlayDoor) start() {
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
	if d.overlay == nil {
		if d.err != nil {
			return failf("set the terminal raw: %w", d.err)
		}
		return (&textDoor{d.env, d.ink}).finish(r)
	}
	d.watch()
	d.overlay.Close(console.State(r.Details))
	d.tty.Restore()
	d.tty.Close()
	if r.Details.Status == run.Error {
		return (&textDoor{d.env, d.ink}).finish(r)
	}
	cols, _ := d.tty.Size()
	_, err := d.tty.Write([]byte(d.profile.Transcript(r, cols)))
	if !isTerminal(d.env.Stderr) {
		notices(d.env.Stderr, d.ink, r)
	}
	return written(err)
}


// either gives a channel that is closed when a or the door's own wish to hurry is; stop frees what it needs.
func (d *overlayDoor) either(a <-chan struct{}) (hurry <-chan struct{}, stop func()) {
	done := make(chan struct{})
	go func() {
		select {
		case <-a:
			d.opt.Hurry()
		case <-d.hurry:
		case <-done:
		}
	}()
	return d.hurry, sync.OnceFunc(func() { close(done) })
}
