package present

import (
	"pi/internal/console/tty"
	"pi/internal/run"
)

// linePresenter shows a pseudo-terminal on a terminal without cursor movement: text as it comes, and lines typed to the
// command, which its own terminal echoes.
type linePresenter struct{ streamPresenter }

func (p *linePresenter) Prepare(q *run.Request) {
	p.streamPresenter.Prepare(q)
	q.PTY.Attended, q.PTY.ColorTerm = true, p.ColorTerm
	q.PTY.Terminal = run.NewTerminal()
	q.PTY.Ready = func() {
		_ = p.TTY.Enter(tty.Mode{}) // with an echo it is only less pretty
		go func() { _ = q.PTY.Terminal.Feed(p.In) }()
	}
}

func (p *linePresenter) Finish(r run.Result) error {
	p.TTY.Restore()
	return p.streamPresenter.Finish(r)
}
