package sessiond

import (
	"context"
	"io"

	"pi/internal/config"
	"pi/internal/run"
	"pi/internal/toolcall"
)

func isDir(string) bool { return false }

// Serve is the daemon's process on Unix systems.
func Serve(io.Reader, string) error { return ErrUnsupported }

// Run returns [ErrUnsupported] as a result.
func (c *Client) Run(_ context.Context, _ config.Config, call toolcall.Call) run.Result {
	return run.ErrorResult(call.Request.Command, ErrUnsupported)
}

// List returns nothing: there are no daemons.
func (c *Client) List() ([]run.SessionInfo, error) { return nil, nil }

// Stop finds nothing.
func (c *Client) Stop(string) (bool, error) { return false, nil }

// StopAll finds nothing.
func (c *Client) StopAll() ([]string, error) { return nil, nil }
