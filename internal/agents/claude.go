package agents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"pi/internal/shelltext"
)

// hookCommand is what Claude Code runs before a shell command, as shell text.
func hookCommand(exe string) string { return shelltext.Quote(exe) + " hook claude" }

// isHook tells whether a command is that of pi's hook, and of which program.
func isHook(command string) (exe string, ok bool) {
	exe, ok = strings.CutSuffix(command, " hook claude")
	if !ok {
		return "", false
	}
	if u, quoted := strings.CutPrefix(exe, "'"); quoted {
		exe = strings.ReplaceAll(strings.TrimSuffix(u, "'"), `'\''`, "'")
	}
	return exe, isPi(exe)
}

// claudeHook is the hook in Claude Code's settings: {"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{…}]}]}}.
type claudeHook struct{}

type hookMatcher struct {
	Matcher string      `json:"matcher"`
	Hooks   []hookEntry `json:"hooks"`
}

type hookEntry struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // seconds
}

// hookTimeout is how long Claude Code waits for the hook, in seconds. It takes milliseconds.
const hookTimeout = 10

// hookPath is where the list of matchers is.
func hookPath() []string { return []string{"hooks", "PreToolUse"} }

// list finds the list of matchers; nil if there is none.
func (claudeHook) list(d document) (*hujson.Value, int, error) {
	v, depth, err := member{path: hookPath()}.find(d)
	if err != nil || depth < 2 {
		return v, depth, err
	}
	if _, ok := v.Value.(*hujson.Array); !ok {
		return nil, 0, fmt.Errorf("line %d: hooks.PreToolUse is no array", d.lineOf(v.StartOffset))
	}
	return v, depth, nil
}

// ours finds pi's hook: the matcher, its hooks and which of them it is, and the command's text.
func (h claudeHook) ours(d document) (matcher, hook int, command *hujson.Value) {
	v, depth, err := h.list(d)
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
				if _, ok := isHook(text); ok {
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
	v, depth, err := h.list(d)
	if err != nil {
		return nil, err
	}
	want, err := d.plain()
	if err != nil {
		return nil, err
	}
	root := want.(map[string]any)
	entry := hookMatcher{"Bash", []hookEntry{{"command", hookCommand(exe), hookTimeout}}}
	item, _ := decoded([]byte(keyed("", entry, "", "", "")))
	if i, k, command := h.ours(d); command != nil {
		if old, _ := stringOf(command); old == hookCommand(exe) {
			return text, nil
		}
		after := append(append(slices.Clone(d.text[:command.StartOffset]), hujson.String(hookCommand(exe))...), d.text[command.EndOffset:]...)
		hooks := dig(root, hookPath()).([]any)[i].(map[string]any)["hooks"].([]any)
		hooks[k].(map[string]any)["command"] = hookCommand(exe)
		return after, d.verify(after, want)
	}
	var after []byte
	switch depth {
	case 0:
		after = d.insert(v, "hooks", map[string]any{"PreToolUse": []any{entry}})
		put(root, hookPath(), []any{item})
	case 1:
		after = d.insert(v, "PreToolUse", []any{entry})
		put(root, hookPath(), []any{item})
	default:
		after = d.insert(v, "", entry)
		put(root, hookPath(), append(dig(root, hookPath()).([]any), item))
	}
	return after, d.verify(after, want)
}

// remove implements [editor]. A matcher that has no other hook goes as a whole.
func (h claudeHook) remove(text []byte) ([]byte, error) {
	if text == nil {
		return nil, nil
	}
	d, err := parse(text, hookPath())
	if err != nil {
		return nil, err
	}
	i, k, command := h.ours(d)
	if command == nil {
		return text, nil
	}
	v, _, err := h.list(d)
	if err != nil {
		return nil, err
	}
	want, err := d.plain()
	if err != nil {
		return nil, err
	}
	matchers := dig(want, hookPath()).([]any)
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
	put(want.(map[string]any), hookPath(), slices.Delete(matchers, i, i+1))
	after := d.cut(elements(list), i, list.Elements[i].StartOffset)
	return after, d.verify(after, want)
}

func elements(a *hujson.Array) (list []*hujson.Value) {
	for i := range a.Elements {
		list = append(list, &a.Elements[i])
	}
	return list
}

func (h claudeHook) exe(text []byte) string {
	d, err := parse(text, hookPath())
	if err != nil {
		return ""
	}
	_, _, command := h.ours(d)
	if command == nil {
		return ""
	}
	s, _ := stringOf(command)
	exe, _ := isHook(s)
	return exe
}

// ShellRules tells which rules about shell commands Claude Code's settings have: they are matched against what the hook
// makes of a command, and so no longer mean what they meant.
func ShellRules(settings []byte) (rules []string) {
	d, err := parse(settings, []string{"permissions"})
	if err != nil {
		return nil
	}
	v, err := d.plain()
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
