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

// service is what a server on standard input and output needs.
type service struct {
	cfg    config.Config
	store  *artifact.Store // where outputs are saved; nil: nowhere
	engine *toolcall.Local
	force  <-chan struct{}

	artifacts *artifact.Store // for reading; not nil
}

// server serves one client until its stream or ctx ends.
type server interface {
	Serve(ctx context.Context, stream io.ReadWriter) error
}

// softLimit is the memory, in bytes, near which the garbage collector of a server runs more often: clients that do not
// read cost a bounded amount, and garbage would double it. GOMEMLIMIT overrides it.
const softLimit = 48 << 20

// seldom is the growth of the heap, in per cent, after which the garbage collector runs while that limit is far: every
// 2,000 short requests instead of every 500, which it would slow down.
const seldom = 400

// serve creates a server and runs it on standard input and output. When it returns, everything the server started has
// ended.
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

// endOfService returns the exit status for the way in which the server ended.
func endOfService(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return &ExitError{Code: cancelStatus(ctx)}
	case errors.Is(err, rpc.ErrUnsent):
		return &ExitError{Code: exitReaderGone}
	}
	return err
}

// stream is a reader and a writer.
type stream struct {
	io.Reader
	io.Writer
}

// protocolStream reserves standard input and output for the protocol. Whatever else in this process or a child prints to
// standard output writes to standard error instead, and whatever reads standard input finds it empty.
func (env *Env) protocolStream() (io.ReadWriter, error) {
	out, ok := env.Stdout.(*os.File)
	if !ok {
		return stream{env.Stdin, env.Stdout}, nil
	}
	return ownStreams(env.Stdin, out)
}
