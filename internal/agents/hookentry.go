package agents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"pi/internal/shelltext"
)

// hookCommand returns the shell text that Claude Code runs before a shell command.
func hookCommand(exe string) string { return shelltext.Quote(exe) + " hook claude" }

// parseHookCommand returns the program that a command runs if the command is one of [hookCommand] and the program pi.
func parseHookCommand(command string) (exe string, ok bool) {
	exe, ok = strings.CutSuffix(command, " hook claude")
	if !ok {
		return "", false
	}
	if inner, quoted := strings.CutPrefix(exe, "'"); quoted {
		exe = strings.ReplaceAll(strings.TrimSuffix(inner, "'"), `'\''`, "'")
	}
	return exe, isPi(exe)
}

// claudeHook edits the hook in Claude Code's settings: {"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{…}]}]}}.
type claudeHook struct{}

// hookMatcher is an element of PreToolUse.
type hookMatcher struct {
	Matcher string      `json:"matcher"`
	Hooks   []hookEntry `json:"hooks"`
}

type hookEntry struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // seconds
}

// hookTimeout limits how long Claude Code waits for the hook, in seconds. The hook takes milliseconds.
const hookTimeout = 10

// hookPath returns the path of the array of matchers.
func hookPath() []string { return []string{"hooks", "PreToolUse"} }

// matchers returns the array of matchers and the length of its path; if part of the path is missing, the value of the
// part that exists.
func (claudeHook) matchers(d document) (*hujson.Value, int, error) {
	v, depth, err := d.find(hookPath())
	if err != nil || depth < 2 {
		return v, depth, err
	}
	if _, ok := v.Value.(*hujson.Array); !ok {
		return nil, 0, fmt.Errorf("line %d: hooks.PreToolUse is not an array", d.lineOf(v.StartOffset))
	}
	return v, depth, nil
}

// find returns pi's hook: the index of its matcher, its index in the matcher's hooks, and the value of its command, which
// is nil if there is no such hook.
func (h claudeHook) find(d document) (matcher, hook int, command *hujson.Value) {
	v, depth, err := h.matchers(d)
	if err != nil || depth < 2 {
		return 0, 0, nil
	}
	for i := range v.Value.(*hujson.Array).Elements {
		hooks, err := d.get(&v.Value.(*hujson.Array).Elements[i], "hooks")
		if err != nil || hooks == nil {
			continue
		}
		entries, ok := hooks.Value.(*hujson.Array)
		if !ok {
			continue
		}
		for k := range entries.Elements {
			c, err := d.get(&entries.Elements[k], "command")
			if err != nil || c == nil {
				continue
			}
			if text, ok := stringOf(c); ok {
				if _, ok := parseHookCommand(text); ok {
					return i, k, c
				}
			}
		}
	}
	return 0, 0, nil
}

// add implements [editor].
func (h claudeHook) add(text []byte, exe string) ([]byte, error) {
	d, err := parse(text, hookPath())
	if err != nil {
		return nil, err
	}
	v, depth, err := h.matchers(d)
	if err != nil {
		return nil, err
	}
	want, err := d.decode()
	if err != nil {
		return nil, err
	}
	root := want.(map[string]any)
	entry := hookMatcher{"Bash", []hookEntry{{"command", hookCommand(exe), hookTimeout}}}
	item, _ := decode([]byte(formatItem("", entry, "", "", "")))
	if i, k, command := h.find(d); command != nil {
		if old, _ := stringOf(command); old == hookCommand(exe) {
			return text, nil
		}
		after := d.replaceString(command, hookCommand(exe))
		hooks := getPath(root, hookPath()).([]any)[i].(map[string]any)["hooks"].([]any)
		hooks[k].(map[string]any)["command"] = hookCommand(exe)
		return after, d.verify(after, want)
	}
	var after []byte
	switch depth {
	case 0:
		after = d.insert(v, "hooks", map[string]any{"PreToolUse": []any{entry}})
		setPath(root, hookPath(), []any{item})
	case 1:
		after = d.insert(v, "PreToolUse", []any{entry})
		setPath(root, hookPath(), []any{item})
	default:
		after = d.insert(v, "", entry)
		setPath(root, hookPath(), append(getPath(root, hookPath()).([]any), item))
	}
	return after, d.verify(after, want)
}

// remove implements [editor]. It removes the whole matcher if pi's is its only hook.
func (h claudeHook) remove(text []byte) ([]byte, error) {
	if text == nil {
		return nil, nil
	}
	d, err := parse(text, hookPath())
	if err != nil {
		return nil, err
	}
	i, k, command := h.find(d)
	if command == nil {
		return text, nil
	}
	v, _, err := h.matchers(d)
	if err != nil {
		return nil, err
	}
	want, err := d.decode()
	if err != nil {
		return nil, err
	}
	matchers := getPath(want, hookPath()).([]any)
	list := v.Value.(*hujson.Array)
	hooks, err := d.get(&list.Elements[i], "hooks")
	if err != nil {
		return nil, err
	}
	entries := hooks.Value.(*hujson.Array)
	if len(entries.Elements) > 1 {
		m := matchers[i].(map[string]any)
		m["hooks"] = slices.Delete(m["hooks"].([]any), k, k+1)
		after := d.cut(elements(entries), k, entries.Elements[k].StartOffset)
		return after, d.verify(after, want)
	}
	setPath(want.(map[string]any), hookPath(), slices.Delete(matchers, i, i+1))
	after := d.cut(elements(list), i, list.Elements[i].StartOffset)
	return after, d.verify(after, want)
}

func elements(a *hujson.Array) (list []*hujson.Value) {
	for i := range a.Elements {
		list = append(list, &a.Elements[i])
	}
	return list
}

// program implements [editor].
func (h claudeHook) program(text []byte) string {
	d, err := parse(text, hookPath())
	if err != nil {
		return ""
	}
	_, _, command := h.find(d)
	if command == nil {
		return ""
	}
	s, _ := stringOf(command)
	exe, _ := parseHookCommand(s)
	return exe
}

// ShellRules returns the permission rules about shell commands in Claude Code's settings. Claude Code matches them
// against the command that the hook returns, so with the hook they no longer match what they were written for.
func ShellRules(settings []byte) (rules []string) {
	d, err := parse(settings, []string{"permissions"})
	if err != nil {
		return nil
	}
	v, err := d.decode()
	if err != nil {
		return nil
	}
	text, _ := json.Marshal(v)
	var s struct {
		Permissions struct{ Allow, Ask, Deny []string }
	}
	if json.Unmarshal(text, &s) != nil {
		return nil
	}
	for _, r := range slices.Concat(s.Permissions.Deny, s.Permissions.Ask, s.Permissions.Allow) {
		if strings.HasPrefix(r, "Bash(") {
			rules = append(rules, r)
		}
	}
	return rules
}
