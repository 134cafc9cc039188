package agents

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"pi/internal/self"
)

// jsonEntry edits an MCP server in a JSON file: the member of an object that has pi's name.
type jsonEntry struct {
	servers string // name of the object, a member of the file's object
	entry   string // the entry as JSON; the string "$PI" stands for the program
}

// path returns the path of the entry.
func (e jsonEntry) path() []string { return []string{e.servers, self.Name()} }

// notEditable returns the error of a file whose changed text would not mean what was intended.
func notEditable() error {
	return fmt.Errorf("is written in a way that pi cannot edit; change the entry by hand (%s help agents)", self.Name())
}

// value returns the entry for the program exe.
func (e jsonEntry) value(exe string) json.RawMessage {
	return json.RawMessage(strings.Replace(e.entry, `"$PI"`, string(hujson.String(exe)), 1))
}

// add implements [editor]. In an existing entry of pi it changes the program only; the rest belongs to the user.
func (e jsonEntry) add(text []byte, exe string) ([]byte, error) {
	path := e.path()
	d, err := parse(text, path)
	if err != nil {
		return nil, err
	}
	v, depth, err := d.find(path)
	if err != nil {
		return nil, err
	}
	want, err := d.decode()
	if err != nil {
		return nil, err
	}
	if depth < len(path) {
		var entry any = e.value(exe)
		if depth == 0 {
			entry = map[string]any{path[1]: entry}
		}
		after := d.insert(v, path[depth], entry)
		item, _ := decode(e.value(exe))
		setPath(want.(map[string]any), path, item)
		return after, d.verify(after, want)
	}
	old, command := e.command(d, v)
	if command == nil {
		return nil, fmt.Errorf("line %d: %s already exists and does not start %s mcp; rename it first", d.lineOf(v.StartOffset), strings.Join(path, "."), self.Name())
	}
	if old == exe {
		return text, nil
	}
	after := d.replaceString(command, exe)
	entry := getPath(want, path).(map[string]any)
	if list, ok := entry["command"].([]any); ok {
		list[0] = exe
	} else {
		entry["command"] = exe
	}
	return after, d.verify(after, want)
}

// command returns the program of an entry and its value in the tree, which is nil if the entry does not start `pi mcp`.
// Both {"command": PI, "args": ["mcp"]} and {"command": [PI, "mcp"]} do.
func (e jsonEntry) command(d document, v *hujson.Value) (string, *hujson.Value) {
	c, err := d.get(v, "command")
	if err != nil || c == nil {
		return "", nil
	}
	if list, ok := c.Value.(*hujson.Array); ok {
		if !endsInMCP(c, 1) {
			return "", nil
		}
		c = &list.Elements[0]
	} else if args, err := d.get(v, "args"); err != nil || args == nil || !endsInMCP(args, 0) {
		return "", nil
	}
	exe, ok := stringOf(c)
	if !ok || !isPi(exe) {
		return "", nil
	}
	return exe, c
}

// endsInMCP reports whether v is an array of n elements and the string "mcp".
func endsInMCP(v *hujson.Value, n int) bool {
	list, ok := v.Value.(*hujson.Array)
	if !ok || len(list.Elements) != n+1 {
		return false
	}
	s, ok := stringOf(&list.Elements[n])
	return ok && s == "mcp"
}

// isPi reports whether the file name of a program is pi's, see [self.Name].
func isPi(exe string) bool {
	base := exe[strings.LastIndexAny(exe, `/\`)+1:]
	return strings.TrimSuffix(strings.ToLower(base), ".exe") == strings.ToLower(self.Name())
}

// program implements [editor].
func (e jsonEntry) program(text []byte) string {
	d, err := parse(text, e.path())
	if err != nil {
		return ""
	}
	v, depth, err := d.find(e.path())
	if err != nil || depth < 2 {
		return ""
	}
	exe, _ := e.command(d, v)
	return exe
}

// remove implements [editor].
func (e jsonEntry) remove(text []byte) ([]byte, error) {
	if text == nil {
		return nil, nil
	}
	path := e.path()
	d, err := parse(text, path)
	if err != nil {
		return nil, err
	}
	v, depth, err := d.find(path)
	if err != nil || depth < len(path) {
		return text, err
	}
	if _, command := e.command(d, v); command == nil {
		return text, nil // not pi's
	}
	parent, _, _ := d.find(path[:1])
	members := parent.Value.(*hujson.Object).Members
	var values []*hujson.Value
	at := 0
	for i := range members {
		values = append(values, &members[i].Value)
		if values[i] == v {
			at = i
		}
	}
	after := d.cut(values, at, members[at].Name.StartOffset)
	want, err := d.decode()
	if err != nil {
		return nil, err
	}
	delete(getPath(want, path[:1]).(map[string]any), path[1])
	return after, d.verify(after, want)
}
