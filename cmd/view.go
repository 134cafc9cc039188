package cmd

import (
	"os"

	"pi/internal/config"
	"pi/internal/console"
	"pi/internal/console/tty"
	"pi/internal/run"
)

// viewDoor shows the run as a tool call on a terminal.
type viewDoor struct {
	env  *Env
	ink  ink
	tty  *tty.TTY
	view *console.ToolView
	end  func()
	on   bool // the run has started, so that there is something to show
}

// terminal gives the terminal that pi's output goes to; ok is false where it is none. Keys are read from standard
// input, if that is one, too.
func (env *Env) terminal() (t *tty.TTY, ok bool) {
	out, ok := env.Stdout.(*os.File)
	if !ok || !isTerminal(out) {
		return nil, false
	}
	in := out
	if env.Stdin != nil && isTerminal(env.Stdin) {
		in = env.Stdin
	}
	return tty.New(in, out), true
}

// newViewDoor makes the view of a tool call.
func newViewDoor(env *Env, cfg config.Config, expanded bool) *viewDoor {
	t, _ := env.terminal()
	d := &viewDoor{env: env, ink: newInk(env.Stderr, cfg.Output.Color, env.Environ), tty: t}
	resized := make(chan struct{}, 1)
	d.view = console.NewToolView(t, console.ToolOptions{
		Profile: console.NewProfile(cfg.Output.Color, env.Environ, true), Expanded: expanded, Resized: resized,
		Keep: run.Keeper(runStore(env, cfg)),
	})
	again := func() {
		select {
		case resized <- struct{}{}:
		default:
		}
	}
	d.end = t.Watch(tty.Events{Resized: again, Resumed: again})
	return d
}

func (d *viewDoor) live() run.Live { return run.Live{Start: d.start, Update: d.view.Update} }

// start takes the echo away: what is typed, Ctrl-C included, would be printed into the view.
func (d *viewDoor) start(x run.Details) {
	d.on = true
	if d.tty.Foreground() {
		_ = d.tty.Enter(tty.Mode{}) // without, the view is only less pretty
	}
	d.view.Start(x)
}

// finish puts the terminal right and prints the result. What never came to run is told as everywhere; and so is the
// rest, to a standard error that is no terminal.
func (d *viewDoor) finish(r run.Result) error {
	d.end()
	d.tty.Restore()
	if !d.on || r.Details.Status == run.Error {
		return (&textDoor{d.env, d.ink}).finish(r)
	}
	err := d.view.Finish(r)
	if !isTerminal(d.env.Stderr) {
		notices(d.env.Stderr, d.ink, r)
	}
	return written(err)
}
