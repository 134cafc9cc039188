package cmd

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/rpc"
	"pi/internal/run"
	"pi/internal/toolcall"
)

// service is what a server on standard input and output works with.
type service struct {
	cfg    config.Config
	store  *artifact.Store // nil: no outputs are kept
	engine *toolcall.Local
	force  <-chan struct{}

	artifacts *artifact.Store // what there is to read
}

// server serves one client until its stream or ctx ends.
type server interface {
	Serve(ctx context.Context, stream io.ReadWriter) error
}

// softLimit is the memory, in bytes, near which a server looks for garbage more often: what clients that do not read
// may cost is bounded, and garbage would double it. GOMEMLIMIT says otherwise.
const softLimit = 48 << 20

// seldom is the growth of the heap, in per cent, after which the garbage collector runs while that limit is far: every 2,000
// short requests instead of 500, since it takes the processors away from them.
const seldom = 400

// serve makes a server and lets it serve standard input and output. Nothing that it started is left afterwards.
func (env *Env) serve(c *cobra.Command, make func(service) server) error {
	loaded, err := loadConfig(c, env)
	if err != nil {
		return err
	}
	dir, err := run.Directory("", "")
	if err != nil {
		return failf("%w", err)
	}
	stream, err := env.protocolStream()
	if err != nil {
		return failf("standard input and output: %w", err)
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(softLimit)
		debug.SetGCPercent(seldom)
	}
	ctx, force, stop := interrupts()
	defer stop()
	store := runStore(env, loaded.Config)
	engine := toolcall.NewLocal(run.New(loaded.Config, env.Environ, store), dir)
	err = make(service{loaded.Config, store, engine, force, openStore(env, loaded.Config.Artifacts)}).Serve(ctx, stream)
	engine.Close()
	return endOfService(ctx, err)
}

// endOfService gives the exit status for the way in which the service ended.
func endOfService(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return &ExitError{Code: cancelStatus(ctx)}
	case errors.Is(err, rpc.ErrUnsent):
		return &ExitError{Code: exitReaderGone}
	}
	return err
}

// stream is a reader and a writer that belong together.
type stream struct {
	io.Reader
	io.Writer
}

// protocolStream takes standard input and output away from everybody else: whatever prints to standard output by
// mistake, this process or a child, meets standard error, and whatever reads standard input finds it empty.
func (env *Env) protocolStream() (io.ReadWriter, error) {
	out, ok := env.Stdout.(*os.File)
	if !ok {
		return stream{env.Stdin, env.Stdout}, nil
	}
	return ownStreams(env.Stdin, out)
}
