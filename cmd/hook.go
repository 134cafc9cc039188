package cmd

import (
	"io"

	"github.com/spf13/cobra"

	"pi/internal/agents"
	"pi/internal/present"
	"pi/internal/shelltext"
)

// maxQuestion bounds the hook's input, in bytes.
const maxQuestion = 16 << 20

func newHookCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "hook claude",
		Short: "Rewrite an agent's shell command to run under pi",
		Long: `Read a PreToolUse event of Claude Code from standard input, and reply with the shell command rewritten to use
pi run. Other events, and commands that must not be rewritten, get no reply and run unchanged. pi init claude registers
this hook; there is no need to call it by hand. See pi help agents for the commands that are left alone.

Exit status: 0 success; 125 usage.`,
		Example: `  echo '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}' | pi hook claude`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] != "claude" {
				return failf("hook takes the name of the agent: claude")
			}
			question, err := io.ReadAll(io.LimitReader(env.Stdin, maxQuestion+1))
			if err != nil || len(question) > maxQuestion {
				return nil // the command runs unchanged
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
