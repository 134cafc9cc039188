package agents

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"pi/internal/self"
)

// tomlServer edits an MCP server in a TOML file, as the table [mcp_servers.pi], named as in [self.Name].
type tomlServer struct {
	more string // further lines of the table
}

// serverPath returns the path of the table.
func serverPath() []string { return []string{"mcp_servers", self.Name()} }

// command returns the expression with the program of the entry, or nil if there is no entry. ok is false if the entry
// does not start `pi mcp`, or if the file has no place for an entry.
func (tomlServer) command(list []expression) (command *expression, ok bool) {
	found, args := false, false
	for i, x := range list {
		switch {
		case x.kind == unstable.KeyValue && len(x.path) < 2 && x.below(serverPath()[:1]), x.kind == unstable.ArrayTable && x.below(serverPath()[:1]):
			return nil, false
		case !x.below(serverPath()):
			continue
		case x.valueKind == unstable.String && slices.Equal(x.path[2:], []string{"command"}):
			command = &list[i]
		case x.valueKind == unstable.Array && slices.Equal(x.path[2:], []string{"args"}):
			args = slices.Equal(x.list, []string{"mcp"})
		}
		found = true
	}
	if !found {
		return nil, true
	}
	return command, command != nil && isPi(command.str) && args
}

// add implements [editor].
func (s tomlServer) add(text []byte, exe string) ([]byte, error) {
	list, err := scanTOML(text)
	if err != nil {
		return nil, err
	}
	command, ok := s.command(list)
	switch {
	case !ok:
		return nil, fmt.Errorf("mcp_servers.%[1]s already exists and does not start %[1]s mcp, or mcp_servers is written in a way that pi cannot edit; add the entry by hand (%[1]s help agents)", self.Name())
	case command != nil && command.str == exe:
		return text, nil
	case command != nil:
		from, to := int(command.valueAt.Offset), int(command.valueAt.Offset+command.valueAt.Length)
		after := slices.Concat(text[:from], []byte(tomlString(exe)), text[to:])
		return after, s.verify(after, list, exe)
	}
	nl := lineEnd(text)
	after := slices.Clone(text)
	if len(after) > 0 {
		if after[len(after)-1] != '\n' {
			after = append(after, nl...)
		}
		after = append(after, nl...)
	}
	lines := []string{"[mcp_servers." + tomlKey(self.Name()) + "]", "command = " + tomlString(exe), `args = ["mcp"]`, s.more, ""}
	after = append(after, strings.Join(lines, nl)...)
	return after, s.verify(after, list, exe)
}

// remove implements [editor]. It removes the lines from the table's header to its last value, and the blank line before.
func (s tomlServer) remove(text []byte) ([]byte, error) {
	list, err := scanTOML(text)
	if err != nil {
		return nil, err
	}
	if command, ok := s.command(list); command == nil || !ok {
		return text, nil
	}
	first := slices.IndexFunc(list, func(x expression) bool { return x.below(serverPath()) })
	last := first
	for last+1 < len(list) && list[last+1].below(serverPath()) {
		last++
	}
	if list[first].kind != unstable.Table {
		return nil, notEditable()
	}
	from, to := lineStart(text, list[first].at), len(text)
	if last+1 < len(list) {
		to = lineStart(text, list[last+1].at)
	}
	to = contentEnd(text, to)
	switch {
	case bytes.HasSuffix(text[:from], []byte("\n\n")):
		from--
	case bytes.HasSuffix(text[:from], []byte("\r\n\r\n")):
		from -= 2
	}
	after := slices.Concat(text[:from], text[to:])
	return after, s.verify(after, list, "")
}

// verify returns an error unless a new text has the entry for exe, or none if exe is empty, and otherwise the same
// expressions as before.
func (s tomlServer) verify(text []byte, before []expression, exe string) error {
	list, err := scanTOML(text)
	if err != nil {
		return notEditable()
	}
	command, ok := s.command(list)
	if !ok || (command != nil) != (exe != "") || command != nil && command.str != exe {
		return notEditable()
	}
	others := func(list []expression) (o []string) {
		for _, x := range list {
			if !x.below(serverPath()) {
				o = append(o, strings.Join(x.path, "\x00")+"\x00\x00"+x.text)
			}
		}
		return o
	}
	if !slices.Equal(others(list), others(before)) {
		return notEditable()
	}
	return nil
}

// program implements [editor].
func (s tomlServer) program(text []byte) string {
	list, err := scanTOML(text)
	if err != nil {
		return ""
	}
	if command, ok := s.command(list); ok && command != nil {
		return command.str
	}
	return ""
}

// tomlKey returns s as a part of a TOML key, quoted unless it is a bare key.
func tomlKey(s string) string {
	bare := func(r rune) bool {
		return r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	if s != "" && strings.TrimFunc(s, bare) == "" {
		return s
	}
	return tomlString(s)
}

// tomlString returns s as a TOML basic string.
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
