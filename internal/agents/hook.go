package agents

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// timeoutSlack is added to Claude Code's own timeout, in milliseconds, so that pi times out first and returns the output.
const timeoutSlack = 5000

// ClaudeHook answers the PreToolUse event of Claude Code (https://code.claude.com/docs/en/hooks): the command of a Bash
// call is rewritten to go through pi run. exe is pi as shell text. For any other input, and for a command that must not
// be rewritten, the result is nil, which leaves the call as it is.
//
// The answer contains no permission decision: Claude Code asks about the rewritten command as about any other.
func ClaudeHook(event []byte, exe string) []byte {
	var q struct {
		Event string                     `json:"hook_event_name"`
		Tool  string                     `json:"tool_name"`
		Input map[string]json.RawMessage `json:"tool_input"`
	}
	if json.Unmarshal(event, &q) != nil || q.Event != "PreToolUse" || q.Tool != "Bash" {
		return nil
	}
	var command string
	if json.Unmarshal(q.Input["command"], &command) != nil {
		return nil
	}
	if strings.ContainsRune(command, utf8.RuneError) {
		return nil // invalid UTF-8 or half a surrogate pair was decoded as this: the exact bytes are unknown
	}
	if background := string(q.Input["run_in_background"]); background != "" && background != "false" && background != "null" {
		return nil // must not time out
	}
	flags := ""
	if raw, ok := q.Input["timeout"]; ok && string(raw) != "null" {
		var ms float64
		if json.Unmarshal(raw, &ms) != nil || ms < 1000 || ms > 3_600_000 {
			return nil
		}
		flags = "-t " + strconv.FormatFloat(ms/1000, 'f', -1, 64) + " "
		q.Input["timeout"] = json.RawMessage(strconv.FormatFloat(math.Round(ms)+timeoutSlack, 'f', -1, 64))
	}
	text, ok := Rewrite(command, exe+" run "+flags+"--")
	if !ok {
		return nil
	}
	q.Input["command"], _ = json.Marshal(text)
	answer, err := json.Marshal(map[string]any{
		"hookSpecificOutput": map[string]any{"hookEventName": "PreToolUse", "updatedInput": q.Input},
	})
	if err != nil {
		return nil
	}
	return append(answer, '\n')
}
