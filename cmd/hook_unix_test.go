//go:build unix

package cmd

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"

	"pi/internal/agents"
	"pi/internal/shelltext"
	"pi/internal/testmain"
)

// A rewritten command has the output and exit status of the original.
func TestHookedCommands(t *testing.T) {
	bash := testmain.Tool(t, "bash")
	pi := piCommand(t)
	for _, command := range []string{
		`echo hello`, `printf '%s\n' "a'b" "c\"d" 'e\f' '$HOME' "!x"`, `echo one; echo two >&2; exit 7`, "cat <<'E'\n'quoted' $x `y` \\z\nE",
		`for i in 1 2 3; do echo $i; done | sort -r`, `echo "grüße ☃" | wc -c`, `false || echo or`, `x='a  b'; echo "$x"`,
		"# comment\necho after # more", `(cd /usr && pwd); [ "$PWD" != /usr ]`, `echo $((6*7)) ${x:-default} {a,b}`, `! true`, `test -t 0 || echo none`,
	} {
		input, _ := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]string{"command": command}})
		var answer struct {
			HookSpecificOutput struct{ UpdatedInput struct{ Command string } }
		}
		if err := json.Unmarshal(agents.ClaudeHook(input, shelltext.Quote(pi.Path)), &answer); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		run := func(text string) (string, int) {
			c := exec.Command(bash, "-c", text)
			var out bytes.Buffer
			c.Dir, c.Env, c.Stdout, c.Stderr = pi.Dir, pi.Env, &out, &out
			_ = c.Run()
			return out.String(), c.ProcessState.ExitCode()
		}
		want, status := run(command)
		got, gotStatus := run(answer.HookSpecificOutput.UpdatedInput.Command)
		if status != 0 && gotStatus == status { // the notice about it
			got = got[:min(len(want), len(got))]
		}
		if got != want || gotStatus != status {
			t.Errorf("%s: got %q, status %d; want %q, status %d", command, got, gotStatus, want, status)
		}
	}
}
