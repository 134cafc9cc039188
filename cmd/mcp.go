package cmd

import (
	"github.com/spf13/cobra"

	"pi/internal/mcp"
)

func newMCPCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve the shell tool to agents over the Model Context Protocol",
		Long: `Speak the Model Context Protocol on standard input and output: the tools bash and bash_session, and the artifacts as
resources. Agents start this command themselves; pi init AGENT registers it with one. docs/mcp.md has the details.

When standard input ends, or pi gets a signal, every command and session is terminated with everything it started.

Exit status: 0 after the end of standard input; 143, 129, 130 when ended by SIGTERM, SIGHUP, SIGINT; 141 when the
output is closed; 125 pi's own failure.`,
		Example: "  pi init claude          # register it with Claude Code\n  npx @modelcontextprotocol/inspector --cli pi mcp --method tools/list",
		Args:    atMost(0),
		RunE:    func(c *cobra.Command, _ []string) error { return env.serve(c, newMCPServer) },
	}
}

func newMCPServer(s service) server {
	return mcp.NewServer(mcp.Options{Engine: s.engine, Store: s.artifacts, Version: version, Force: s.force})
}
