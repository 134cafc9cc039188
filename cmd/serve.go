package cmd

import (
	"context"
	"io"
	"syscall"

	"github.com/spf13/cobra"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/rpc"
	"pi/internal/run"
)

// service is what a server on standard input and output works with.
type service struct {
	cfg    config.Config
	store  *artifact.Store // nil: no outputs are kept
	engine *rpc.Local
	hurry  <-chan struct{}
}

// server serves one client until its stream or ctx ends.
type server interface {
	Serve(ctx context.Context, stream io.ReadWriter) error
}

// serve makes a server and lets it serve standard input and output. Nothing that it started is left afterwards.
func (env *Env) serve(c *cobra.Command, make func(service) server) error {
	loaded, err := loadConfig(c, env)
	if err != nil {
		return err
	}
	dir, err := syscall.Getwd() // the physical path; os.Getwd would trust $PWD
	if err != nil {
		return failf("Working directory does not exist: pi was started in a directory that is gone")
	}
	stream, err := env.protocolStream()
	if err != nil {
		return failf("standard input and output: %w", err)
	}
	ctx, hurry, stop := interrupts()
	defer stop()
	store := runStore(env, loaded.Config)
	engine := rpc.NewLocal(run.New(loaded.Config, env.Environ, store), dir)
	err = make(service{loaded.Config, store, engine, hurry}).Serve(ctx, stream)
	engine.Close()
	return endOfService(ctx, err)
}
