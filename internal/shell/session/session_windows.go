package session

import (
	"errors"
	"fmt"

	"pi/internal/ps"
)

type transport struct{}

func newTransport() (transport, error) { return transport{}, nil }

// shellProcess does not exist: a session's shell opens pipes of this process by path, which Windows does not offer.
type shellProcess struct{}

func (s *Session) runIn(*activeRun) (Result, error) {
	return Result{}, fmt.Errorf("persistent shells are not available on Windows; run the command without a session: %w", errors.ErrUnsupported)
}

func (s *Session) killAll(<-chan struct{}) int { return 0 }

func (p *shellProcess) jobs() []ps.Process { return nil }

func (s *Session) trees() []*ps.Tree { return nil }
