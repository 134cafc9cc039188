package agents

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"pi/internal/self"
)

// table is the entry of a server as a table of Codex's config.toml: [mcp_servers.pi]. Only the parser of the TOML
// library is used: decoding brings five times as much code.
type table struct{}

// tablePath is the path of the entry.
func tablePath() []string { return []string{"mcp_servers", self.Name()} }

// expression is a header of a table, or a name with its value.
type expression struct {
	kind unstable.Kind // Table, ArrayTable or KeyValue
	path []string      // from the root; that of an element of an array of tables has its number
	at   int           // where its name begins
	text string        // with what follows on its lines
	is   unstable.Kind // of a value
	str  string        // of a value that is a string
	list []string      // of a value that is an array of strings
	raw  unstable.Range
}

// in tells whether an expression belongs to what lies under a path.
func (x expression) in(path []string) bool {
	return len(x.path) >= len(path) && slices.Equal(x.path[:len(path)], path)
}

// scan takes a text apart.
func scan(text []byte) (list []expression, err error) {
	if err := shallow(text); err != nil {
		return nil, err
	}
	var p unstable.Parser
	p.Reset(text)
	var under []string
	arrays := map[string]int{}
	for p.NextExpression() {
		n := p.Expression()
		x := expression{kind: n.Kind}
		x.path, x.at = keyOf(n)
		switch n.Kind {
		case unstable.Table:
			under = x.path
		case unstable.ArrayTable:
			key := strings.Join(x.path, "\x00")
			arrays[key]++
			x.path = append(x.path, fmt.Sprint(arrays[key]))
			under = x.path
		case unstable.KeyValue:
			x.path = slices.Concat(under, x.path)
			v := n.Value()
			x.is, x.raw = v.Kind, v.Raw
			switch v.Kind {
			case unstable.String:
				x.str = string(v.Data)
			case unstable.Array:
				for it := v.Children(); it.Next(); {
					x.list = append(x.list, string(it.Node().Data))
				}
			}
		default:
			continue
		}
		list = append(list, x)
	}
	if err := p.Error(); err != nil {
		return nil, located(&p, err)
	}
	for i := range list {
		next := len(text)
		if i+1 < len(list) {
			next = lineStart(text, list[i+1].at)
		}
		list[i].text = string(bytes.TrimSpace(text[list[i].at:max(endOf(text, next), list[i].at)]))
	}
	return list, nil
}

// shallow refuses brackets that are nested too deeply for the parser.
func shallow(text []byte) error {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			if depth++; depth > maxNesting {
				return tooDeep(text, i)
			}
		case ']', '}':
			depth = max(depth-1, 0)
		case '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			i = tomlStringEnd(text, i) - 1
		}
	}
	return nil
}

// tomlStringEnd is the place behind the string that begins at i. One in single quotes has no escapes; one of a line that
// is not closed ends with its line, where the parser finds a fault.
func tomlStringEnd(text []byte, i int) int {
	quote := text[i : i+1]
	long := bytes.HasPrefix(text[i:], bytes.Repeat(quote, 3))
	if long {
		quote = text[i : i+3]
	}
	for i += len(quote); i < len(text); i++ {
		switch {
		case bytes.HasPrefix(text[i:], quote):
			return i + len(quote)
		case text[i] == '\\' && quote[0] == '"':
			i++
		case text[i] == '\n' && !long:
			return i
		}
	}
	return len(text)
}

// located adds the place to an error of the parser.
func located(p *unstable.Parser, err error) error {
	var e *unstable.ParserError
	if errors.As(err, &e) {
		at := p.Shape(p.Range(e.Highlight)).Start
		return fmt.Errorf("cannot be parsed: line %d, column %d: %s", at.Line, at.Column, e.Message)
	}
	return fmt.Errorf("cannot be parsed: %w", err)
}

// keyOf gives the names of an expression's key, and where it begins.
func keyOf(n *unstable.Node) (path []string, at int) {
	at = -1
	for it := n.Key(); it.Next(); {
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

// entry finds the program that the entry names; nil if there is no entry. ok is false if it is somebody else's, or the
// file leaves no room for one.
func (table) entry(list []expression) (command *expression, ok bool) {
	there, args := false, false
	for i, x := range list {
		switch {
		case x.kind == unstable.KeyValue && len(x.path) < 2 && x.in(tablePath()[:1]), x.kind == unstable.ArrayTable && x.in(tablePath()[:1]):
			return nil, false
		case !x.in(tablePath()):
			continue
		case x.is == unstable.String && slices.Equal(x.path[2:], []string{"command"}):
			command = &list[i]
		case x.is == unstable.Array && slices.Equal(x.path[2:], []string{"args"}):
			args = slices.Equal(x.list, []string{"mcp"})
		}
		there = true
	}
	if !there {
		return nil, true
	}
	return command, command != nil && isPi(command.str) && args
}

// add implements [editor].
func (t table) add(text []byte, exe string) ([]byte, error) {
	list, err := scan(text)
	if err != nil {
		return nil, err
	}
	command, ok := t.entry(list)
	switch {
	case !ok:
		return nil, errors.New("mcp_servers.pi is there already and does not start pi mcp, or mcp_servers is written in a way that pi cannot edit; add the entry by hand (docs/agents.md)")
	case command != nil && command.str == exe:
		return text, nil
	case command != nil:
		from, to := int(command.raw.Offset), int(command.raw.Offset+command.raw.Length)
		after := slices.Concat(text[:from], []byte(tomlString(exe)), text[to:])
		return after, t.verify(after, list, exe)
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
	return after, t.verify(after, list, exe)
}

// remove implements [editor]. The lines of the entry go, from its header to its last value, and the blank line before.
func (t table) remove(text []byte) ([]byte, error) {
	list, err := scan(text)
	if err != nil {
		return nil, err
	}
	if command, ok := t.entry(list); command == nil || !ok {
		return text, nil
	}
	first := slices.IndexFunc(list, func(x expression) bool { return x.in(tablePath()) })
	last := first
	for last+1 < len(list) && list[last+1].in(tablePath()) {
		last++
	}
	if list[first].kind != unstable.Table {
		return nil, errNotEditable
	}
	from, to := lineStart(text, list[first].at), len(text)
	if last+1 < len(list) {
		to = lineStart(text, list[last+1].at)
	}
	to = endOf(text, to)
	switch {
	case bytes.HasSuffix(text[:from], []byte("\n\n")):
		from--
	case bytes.HasSuffix(text[:from], []byte("\r\n\r\n")):
		from -= 2
	}
	after := slices.Concat(text[:from], text[to:])
	return after, t.verify(after, list, "")
}

// verify compares a new text with what the old one had: everything but the entry is the same, and the entry is one of
// pi's that names exe, or is gone if that is empty.
func (t table) verify(text []byte, old []expression, exe string) error {
	list, err := scan(text)
	if err != nil {
		return errNotEditable
	}
	command, ok := t.entry(list)
	if !ok || (command != nil) != (exe != "") || command != nil && command.str != exe {
		return errNotEditable
	}
	others := func(list []expression) (o []string) {
		for _, x := range list {
			if !x.in(tablePath()) {
				o = append(o, strings.Join(x.path, "\x00")+"\x00\x00"+x.text)
			}
		}
		return o
	}
	if !slices.Equal(others(list), others(old)) {
		return errNotEditable
	}
	return nil
}

var errNotEditable = errors.New("is written in a way that pi cannot edit; change the entry by hand (docs/agents.md)")

func (t table) exe(text []byte) string {
	list, err := scan(text)
	if err != nil {
		return ""
	}
	if command, ok := t.entry(list); ok && command != nil {
		return command.str
	}
	return ""
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
