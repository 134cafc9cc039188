package present

import (
	"io"

	"pi/internal/run"
)

// textPresenter prints the bounded text after the command has ended. Everything else goes to standard error.
type textPresenter struct{ Output }

func (*textPresenter) Prepare(*run.Request) {}

func (p *textPresenter) Finish(r run.Result) error {
	_, err := io.WriteString(p.Out, r.Body)
	p.notices(r)
	return WriteError(err)
}
