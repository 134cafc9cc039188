package shell

import (
	"errors"
	"fmt"

	"pi/internal/ps"
)

type place struct{}

func newPlace() (place, error) { return place{}, nil }

// A session's shell opens pipes of this process by path, which Windows does not offer.
type live struct{}

func (s *Session) run(*sessionRun) (RunResult, error) {
	return RunResult{}, fmt.Errorf("persistent shells are not to be had on Windows: give each command a shell of its own, without a session: %w", errors.ErrUnsupported)
}

func (s *Session) endAll(<-chan struct{}) int { return 0 }

func (l *live) jobs() []ps.Process { return nil }

func (s *Session) trees() []*ps.Tree { return nil }
