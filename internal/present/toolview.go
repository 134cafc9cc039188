package present

import (
	"pi/internal/console"
	"pi/internal/console/tty"
	"pi/internal/run"
)

// toolView shows the run on a terminal: its last lines, drawn in place, then the result.
type toolView struct {
	Output
	repeat    bool // notices go to standard error, too
	view      *console.ToolView
	stopWatch func()
	started   bool // the command was started, so that there is something to show
}

func newToolView(o Output, repeat bool) *toolView {
	p := &toolView{Output: o, repeat: repeat}
	resized := make(chan struct{}, 1)
	p.view = console.NewToolView(o.TTY, console.ToolOptions{Profile: o.Profile, Expanded: o.Expanded, Resized: resized, Keep: o.Keep})
	redraw := func() {
		select {
		case resized <- struct{}{}:
		default:
		}
	}
	p.stopWatch = o.TTY.Watch(tty.Events{Resized: redraw, Resumed: redraw})
	return p
}

func (p *toolView) Prepare(q *run.Request) { q.Live = run.Live{Start: p.start, Update: p.view.Update} }

// start switches the echo off: what is typed, Ctrl-C included, would be printed into the view.
func (p *toolView) start(d run.Details) {
	p.started = true
	if p.TTY.Foreground() {
		_ = p.TTY.Enter(tty.Mode{}) // with an echo the view is only less pretty
	}
	p.view.Start(d)
}

// Finish prints the result. What was never started has no view, and is printed as text.
func (p *toolView) Finish(r run.Result) error {
	p.stopWatch()
	p.TTY.Restore()
	if !p.started || r.Details.Status == run.Error {
		return (&textPresenter{p.Output}).Finish(r)
	}
	err := p.view.Finish(r)
	if p.repeat {
		p.notices(r)
	}
	return WriteError(err)
}
