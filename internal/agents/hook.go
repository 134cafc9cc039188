package agents

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"pi/internal/shelltext"
)

// maxRewritten bounds a rewritten command, in bytes: longer ones may not fit into an argument.
const maxRewritten = 100 << 10

// timeoutSlack is what Claude Code's own timeout is put off by, in milliseconds, so that pi's comes first and the output
// so far is told.
const timeoutSlack = 5000

// ClaudeHook answers the question that Claude Code asks before it uses a tool
// (https://code.claude.com/docs/en/hooks, PreToolUse): a shell command is to go through pi, the program exe as shell
// text. Whatever is not just that gets no answer, nil, which lets the call through as it is.
//
// The answer takes no decision about permission: the rewritten command is asked for, or not, as any other.
func ClaudeHook(question []byte, exe string) []byte {
	var q struct {
		Event string                     `json:"hook_event_name"`
		Tool  string                     `json:"tool_name"`
		Input map[string]json.RawMessage `json:"tool_input"`
	}
	if json.Unmarshal(question, &q) != nil || q.Event != "PreToolUse" || q.Tool != "Bash" {
		return nil
	}
	var command string
	if json.Unmarshal(q.Input["command"], &command) != nil {
		return nil
	}
	if strings.ContainsRune(command, utf8.RuneError) {
		return nil // what is no UTF-8, or half a surrogate pair, was read as this: the command is not known to the byte
	}
	if background := string(q.Input["run_in_background"]); background != "" && background != "false" && background != "null" {
		return nil // it is to go on for as long as it likes
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

// Rewrite makes shell text that hands command, unchanged, to the program that prefix runs. It says no where that would
// not mean the same: the text changes the shell that it runs in, which lives on for the next command, it cannot be
// parsed, or it goes through pi already.
func Rewrite(command, prefix string) (string, bool) {
	if strings.TrimSpace(command) == "-" { // pi's word for standard input
		return "", false
	}
	file, ok := shelltext.Parse(command)
	if !ok || len(file.Stmts) == 0 || staysInShell(file) || callsPi(file) {
		return "", false
	}
	text := prefix + " " + shelltext.Quote(command)
	return text, len(text) <= maxRewritten
}

// changesShell tells whether a command's effect on the directory outlives it, or might. Names that are not known before
// the text runs are empty.
func changesShell(name string) bool {
	switch name {
	case "", "cd", "chdir", "pushd", "popd", "source", ".", "eval", "exec", "command", "builtin", "alias":
		return true
	case "trap", "mapfile", "readarray", "fc": // they run text that they are given
		return true
	case "-", "noglob", "nocorrect": // zsh's words before a command
		return true
	}
	return false
}

// nameOf is the name that a shell makes of the first word of a command, without its quotes; empty if that is known only
// when it runs, because of a variable, a pattern or braces.
func nameOf(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		if !appendPart(&b, p) {
			return ""
		}
	}
	return b.String()
}

// appendPart writes what a part of a word stands for, if that can be told.
func appendPart(b *strings.Builder, p syntax.WordPart) bool {
	switch p := p.(type) {
	case *syntax.Lit:
		b.WriteString(shelltext.Unescape(p.Value, ""))
		return !patterned(p.Value)
	case *syntax.SglQuoted:
		b.WriteString(p.Value)
		return !p.Dollar
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			l, ok := inner.(*syntax.Lit)
			if !ok {
				return false
			}
			b.WriteString(shelltext.Unescape(l.Value, shelltext.DoubleQuoted))
		}
		return true
	}
	return false
}

// patterned tells of literals outside of quotes that are a pattern or braces; zsh reads =cd as the path of cd.
func patterned(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if strings.IndexByte("*?[{=", text[i]) >= 0 {
			return text != "["
		}
	}
	return false
}

// staysInShell tells whether a text may change the directory of the shell itself. Subshells and the stages of pipelines
// change their own, except for the last stage, which zsh runs itself.
func staysInShell(text syntax.Node) (found bool) {
	syntax.Walk(text, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.FuncDecl:
			// A function may be called later in the text; its body counts as if it were.
			_, function := n.(*syntax.FuncDecl)
			return function && !found
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				found = found || staysInShell(n.Y)
				return false
			}
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				found = found || changesShell(nameOf(n.Args[0]))
			}
		}
		return !found
	})
	return found
}

// callsPi tells whether the first command of a text is pi itself.
func callsPi(file *syntax.File) bool {
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) > 0 && isPi(nameOf(call.Args[0]))
}
