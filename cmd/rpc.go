package cmd

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"pi/internal/rpc"
	"pi/internal/run"
)

const rpcExample = `  pi rpc                              # one JSON object a line on standard input and output
  pi rpc --schema > pi-rpc.schema.json`

func newRPCCmd(env *Env) *cobra.Command {
	var schema bool
	c := &cobra.Command{
		Use:   "rpc",
		Short: "Serve commands, sessions and terminals as JSON lines on standard input and output",
		Long: `Read requests from standard input and write replies and events to standard output, one JSON object a line.
Requests run at the same time, those of one session one after the other. docs/rpc.md describes every message.

When standard input ends, or pi is told to end, every command and session is ended with all that it started.

Exit status: 0 after the end of standard input or a shutdown request; 143, 129, 130 when ended by SIGTERM, SIGHUP,
SIGINT; 141 when nobody takes the output; 125 pi's own failure.`,
		Example: rpcExample,
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if schema {
				_, err := io.WriteString(env.Stdout, rpc.Schema)
				return written(err)
			}
			return serveRPC(c, env)
		},
	}
	c.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of all messages")
	return c
}

func serveRPC(c *cobra.Command, env *Env) error {
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
	err = rpc.NewServer(rpc.Options{
		Engine: engine, Build: newBuildInfo().String(), DefaultSession: rpc.DefaultSession, Hurry: hurry,
		Artifacts: openStore(env, loaded.Config.Artifacts),
		MaxBytes:  int(loaded.Config.Bash.MaxBytes), Timeout: loaded.Config.Bash.Timeout,
	}).Serve(ctx, stream)
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
