package agents

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// table is the entry of a server as a table of Codex's config.toml: [mcp_servers.pi].
type table struct{}

var tablePath = []string{"mcp_servers", name}

// tree is the value that a text stands for.
func tree(text []byte) (map[string]any, error) {
	v := map[string]any{}
	err := toml.Unmarshal(text, &v)
	var d *toml.DecodeError
	if errors.As(err, &d) {
		row, column := d.Position()
		return nil, fmt.Errorf("cannot be parsed: line %d, column %d: %s", row, column, strings.TrimPrefix(d.Error(), "toml: "))
	}
	if err != nil {
		return nil, fmt.Errorf("cannot be parsed: %w", err)
	}
	return v, nil
}

// entry finds what is under the name pi; nil if there is nothing. ok is false if it is somebody else's.
func (table) entry(v map[string]any) (e map[string]any, ok bool) {
	servers, is := v[tablePath[0]].(map[string]any)
	if !is {
		return nil, v[tablePath[0]] == nil
	}
	if servers[name] == nil {
		return nil, true
	}
	e, _ = servers[name].(map[string]any)
	exe, _ := e["command"].(string)
	args, _ := e["args"].([]any)
	return e, isPi(exe) && len(args) == 1 && args[0] == "mcp"
}

// add implements [editor].
func (t table) add(text []byte, exe string) ([]byte, error) {
	want, err := tree(text)
	if err != nil {
		return nil, err
	}
	e, ok := t.entry(want)
	switch {
	case !ok && e == nil:
		return nil, errors.New("mcp_servers is no table")
	case !ok:
		return nil, errors.New("mcp_servers.pi is there already, and does not start pi mcp; rename it first")
	case e != nil && e["command"] == exe:
		return text, nil
	case e != nil:
		return t.update(text, want, e, exe)
	}
	nl := "\n"
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		nl = "\r\n"
	}
	after := slices.Clone(text)
	if len(after) > 0 {
		if after[len(after)-1] != '\n' {
			after = append(after, nl...)
		}
		after = append(after, nl...)
	}
	lines := []string{"[mcp_servers.pi]", "command = " + tomlString(exe), `args = ["mcp"]`, fmt.Sprintf("tool_timeout_sec = %d", callLimit), ""}
	after = append(after, strings.Join(lines, nl)...)
	put(want, tablePath, map[string]any{"command": exe, "args": []any{"mcp"}, "tool_timeout_sec": int64(callLimit)})
	return after, t.verify(after, want)
}

// update names another program.
func (t table) update(text []byte, want, e map[string]any, exe string) ([]byte, error) {
	s, err := t.section(text)
	if err != nil {
		return nil, err
	}
	if s.command.Length == 0 {
		return nil, errNotEditable
	}
	from, to := int(s.command.Offset), int(s.command.Offset+s.command.Length)
	after := slices.Concat(text[:from], []byte(tomlString(exe)), text[to:])
	e["command"] = exe
	return after, t.verify(after, want)
}

// remove implements [editor].
func (t table) remove(text []byte) ([]byte, error) {
	want, err := tree(text)
	if err != nil {
		return nil, err
	}
	if e, ok := t.entry(want); e == nil || !ok {
		return text, nil
	}
	s, err := t.section(text)
	if err != nil {
		return nil, err
	}
	if s.from < 0 {
		return nil, errNotEditable
	}
	after := slices.Concat(text[:s.from], text[s.to:])
	servers := want[tablePath[0]].(map[string]any)
	if delete(servers, name); len(servers) == 0 {
		if got, err := tree(after); err == nil && got[tablePath[0]] == nil {
			delete(want, tablePath[0]) // the table was only there as part of the name
		}
	}
	return after, t.verify(after, want)
}

var errNotEditable = errors.New("is written in a way that pi cannot edit; change the entry by hand (docs/agents.md)")

func (table) verify(text []byte, want map[string]any) error {
	got, err := tree(text)
	if err != nil || !reflect.DeepEqual(got, want) {
		return errNotEditable
	}
	return nil
}

func (t table) exe(text []byte) string {
	v, err := tree(text)
	if err != nil {
		return ""
	}
	e, _ := t.entry(v)
	exe, _ := e["command"].(string)
	return exe
}

// section is where [mcp_servers.pi], and what belongs to it, stands in the text.
type section struct {
	from, to int // from is -1 if there is no such table
	command  unstable.Range
}

// section finds it. It begins with the line of its header, and the blank line before that, and ends after its last
// value.
func (table) section(text []byte) (s section, err error) {
	s.from = -1
	inside := false
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		x := p.Expression()
		path, at := keyOf(&p, x)
		switch {
		case x.Kind == unstable.Table || x.Kind == unstable.ArrayTable:
			if s.from >= 0 && inside {
				s.to = endOf(text, lineStart(text, at))
			}
			was := inside
			if inside = len(path) >= 2 && slices.Equal(path[:2], tablePath); inside && was {
				continue
			}
			if inside {
				if s.from >= 0 {
					return s, errNotEditable // in two places
				}
				s.from, s.to = lineStart(text, at), len(text)
			}
		case x.Kind == unstable.KeyValue && inside && slices.Equal(path, []string{"command"}):
			s.command = x.Value().Raw
		}
	}
	if err := p.Error(); err != nil {
		return s, err
	}
	if s.from >= 0 && s.to == len(text) {
		s.to = endOf(text, len(text))
	}
	if before := bytes.TrimRight(text[:max(s.from, 0)], " \t"); bytes.HasSuffix(before, []byte("\n\n")) {
		s.from--
	} else if bytes.HasSuffix(before, []byte("\r\n\r\n")) {
		s.from -= 2
	}
	return s, nil
}

// keyOf gives the names of an expression's key, and where it begins.
func keyOf(p *unstable.Parser, x *unstable.Node) (path []string, at int) {
	at = -1
	for it := x.Key(); it.Next(); {
		k := it.Node()
		path = append(path, string(k.Data))
		if at < 0 {
			at = int(k.Raw.Offset)
		}
	}
	return path, max(at, 0)
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// endOf is the end of the last line before limit that is neither blank nor a comment.
func endOf(text []byte, limit int) int {
	for limit > 0 {
		start := lineStart(text, limit-1)
		if line := bytes.TrimSpace(text[start:limit]); len(line) > 0 && line[0] != '#' {
			break
		}
		limit = start
	}
	return limit
}

// tomlString writes a basic string.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
