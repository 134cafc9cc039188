package cmd

import (
	"io"

	"github.com/spf13/cobra"

	"pi/internal/present"
	"pi/internal/rpc"
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

When standard input ends, or pi gets a signal, every command and session is terminated with everything it started.

Exit status: 0 after the end of standard input or a shutdown request; 143, 129, 130 when ended by SIGTERM, SIGHUP,
SIGINT; 141 when the output is closed; 125 pi's own failure.`,
		Example: rpcExample,
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if schema {
				_, err := io.WriteString(env.Stdout, rpc.Schema)
				return present.WriteError(err)
			}
			return env.serve(c, newRPCServer)
		},
	}
	c.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of all messages")
	return c
}

func newRPCServer(s service) server {
	return rpc.NewServer(rpc.Options{
		Engine: s.engine, Build: newBuildInfo().String(), DefaultSession: rpc.DefaultSession, Force: s.force,
		Artifacts: s.artifacts, MaxBytes: int(s.cfg.Bash.MaxBytes), Timeout: s.cfg.Bash.Timeout,
	})
}
