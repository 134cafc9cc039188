package cmd

import (
	"io"

	"github.com/spf13/cobra"

	"pi/internal/agents"
	"pi/internal/present"
	"pi/internal/shelltext"
)

// maxQuestion bounds what an agent asks, in bytes.
const maxQuestion = 16 << 20

func newHookCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "hook claude",
		Short: "Answer an agent's question before it runs a shell command",
		Long: `Read the question that Claude Code asks before a shell command (a PreToolUse hook) from standard input, and answer that
the command is to be run by pi run. Whatever is not such a question, or such a command, gets no answer: the call
goes on as it is. pi init claude registers this command; nobody needs to call it by hand. docs/agents.md says which
commands are left alone.

Exit status: 0; 125 usage.`,
		Example: `  echo '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}' | pi hook claude`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] != "claude" {
				return failf("hook takes the agent that asks: claude")
			}
			question, err := io.ReadAll(io.LimitReader(env.Stdin, maxQuestion+1))
			if err != nil || len(question) > maxQuestion {
				return nil // the call goes on
			}
			exe, err := ownPath()
			if err != nil {
				return nil
			}
			_, err = env.Stdout.Write(agents.ClaudeHook(question, shelltext.Quote(exe)))
			return present.WriteError(err)
		},
	}
}
