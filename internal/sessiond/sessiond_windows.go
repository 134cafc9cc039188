package sessiond

import (
	"context"
	"io"

	"pi/internal/run"
)

func isDir(string) bool { return false }

// Serve is the hidden process of Unix systems.
func Serve(io.Reader, string) error { return ErrUnsupported }

// Run gives [ErrUnsupported] as a result.
func (h *Hosts) Run(_ context.Context, c Call) run.Result {
	return run.ErrorResult(c.Request.Command, ErrUnsupported)
}

// List gives nothing: there are no hosts.
func (h *Hosts) List() ([]run.SessionInfo, error) { return nil, nil }

// Stop finds nothing.
func (h *Hosts) Stop(string) (bool, error) { return false, nil }

// StopAll finds nothing.
func (h *Hosts) StopAll() ([]string, error) { return nil, nil }
