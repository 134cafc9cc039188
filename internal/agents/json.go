package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"pi/internal/self"
)

// A document is the text of a JSON file, which may have comments and commas at the end, with its tree. The tree's
// offsets point into the text. Objects and arrays off the path that it was parsed for are empty in the tree.
type document struct {
	text   []byte
	root   hujson.Value
	path   []string
	hidden []byte // what is in the text and not in the tree
}

// parse reads a text, for what lies under a path. One that is blank is that of an empty object.
func parse(text []byte, path []string) (document, error) {
	if rest, marked := bytes.CutPrefix(text, []byte(byteOrderMark)); len(bytes.TrimSpace(rest)) == 0 {
		text = []byte("{}\n")
		if marked {
			text = []byte(byteOrderMark + "{}\n")
		}
	}
	s, err := draw(text, path)
	if err != nil {
		return document{}, err
	}
	if s.fault != nil {
		return document{}, s.fault
	}
	root, err := hujson.Parse(s.text)
	if err != nil {
		return document{}, fmt.Errorf("cannot be parsed: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return document{}, errors.New("line 1: the file holds no object")
	}
	return document{text, root, path, s.hidden}, nil
}

// plain is the value that the tree stands for.
func (d document) plain() (any, error) {
	standard := d.root.Clone()
	standard.Minimize()
	return decoded(standard.Pack())
}

func decoded(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v)
}

// verify compares what a new text stands for with what was meant. What is not in the tree is the same, to the byte.
func (d document) verify(text []byte, want any) error {
	after, err := parse(text, d.path)
	if err == nil && bytes.Equal(after.hidden, d.hidden) {
		var got any
		if got, err = after.plain(); err == nil && reflect.DeepEqual(got, want) {
			return nil
		}
	}
	return errNotEditable
}

// lineOf is the number of the line of an offset.
func (d document) lineOf(offset int) int { return 1 + bytes.Count(d.text[:offset], []byte{'\n'}) }

// get finds the member of that name; nil if there is none.
func (d document) get(v *hujson.Value, key string) (*hujson.Value, error) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("line %d: is no object", d.lineOf(v.StartOffset))
	}
	var found *hujson.Value
	for i := range object.Members {
		m := &object.Members[i]
		if m.Name.Value.(hujson.Literal).String() != key {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("line %d: %s is there twice", d.lineOf(m.Name.StartOffset), key)
		}
		found = &m.Value
	}
	return found, nil
}

// insert puts an item at the end of an object or an array. key is empty for an array.
func (d document) insert(v *hujson.Value, key string, item any) []byte {
	var last *hujson.Value // the value before it; nil: there is none
	switch c := v.Value.(type) {
	case *hujson.Object:
		if n := len(c.Members); n > 0 {
			last = &c.Members[n-1].Value
		}
	case *hujson.Array:
		if n := len(c.Elements); n > 0 {
			last = &c.Elements[n-1]
		}
	}
	end := v.EndOffset - 1 // of the closing bracket
	inside := d.text[v.StartOffset+1 : end]
	trailing := last != nil && last.AfterExtra != nil // a comma follows the last one
	at := v.StartOffset + 1 + len(bytes.TrimRight(inside, " \t\r\n"))
	oneLine := !bytes.Contains(inside, []byte{'\n'}) && last != nil
	closed := bytes.Contains(d.text[at:end], []byte{'\n'}) // the bracket has a line of its own
	if !oneLine && !closed {
		at = end // what white space there is stays before the item
	}
	nl := d.newline()
	base := d.indentAt(v.StartOffset)
	var b bytes.Buffer
	if last == nil {
		b.Write(d.text[:at])
	} else {
		b.Write(d.text[:last.EndOffset])
		if !trailing {
			b.WriteByte(',')
		}
		b.Write(d.text[last.EndOffset:at])
	}
	if oneLine {
		b.WriteString(" " + keyed(key, item, "", "", ""))
	} else {
		b.WriteString(nl + base + d.unit() + keyed(key, item, nl, base+d.unit(), d.unit()))
	}
	if trailing {
		b.WriteByte(',')
	}
	if !oneLine && !closed {
		b.WriteString(nl + base)
	}
	b.Write(d.text[at:])
	return b.Bytes()
}

// keyed writes a member, or an element if it has no key. Without a line end it is written on one line.
func keyed(key string, item any, nl, prefix, unit string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if nl != "" {
		e.SetIndent(prefix, unit)
	}
	_ = e.Encode(item) // strings, numbers and lists of them
	text := strings.ReplaceAll(strings.TrimRight(b.String(), "\n"), "\n", nl)
	if key == "" {
		return text
	}
	name, _ := json.Marshal(key)
	return string(name) + ": " + text
}

// newline is how the file ends its lines.
func (d document) newline() string {
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indentAt is the white space that begins the line of an offset.
func (d document) indentAt(offset int) string {
	line := d.text[bytes.LastIndexByte(d.text[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// unit is the white space of one level: that of the first member of the file.
func (d document) unit() string {
	if o := d.root.Value.(*hujson.Object); len(o.Members) > 0 {
		if indent := d.indentAt(o.Members[0].Name.StartOffset); indent != "" {
			return indent
		}
	}
	return "  "
}

// cut takes item i out of the values of an object or an array, with its comma and, if it has lines of its own, these.
// start is where the item begins: at its value, or at its name.
func (d document) cut(values []*hujson.Value, i, start int) []byte {
	v := values[i]
	end := v.EndOffset
	last := i == len(values)-1
	commaOf := func(v *hujson.Value) int { return v.EndOffset + len(v.AfterExtra) }
	comma := -1 // a single byte elsewhere
	switch {
	case !last || v.AfterExtra != nil: // a comma follows
		if len(bytes.TrimSpace(v.AfterExtra)) == 0 {
			end = commaOf(v) + 1
		} else {
			comma = commaOf(v)
		}
	case i > 0:
		comma = commaOf(values[i-1])
	}
	begin := len(bytes.TrimRight(d.text[:start], " \t"))
	after := bytes.TrimLeft(d.text[end:], " \t")
	switch {
	case begin == 0 || d.text[begin-1] != '\n': // something stands before it on its line
		if last && i > 0 {
			start = begin
		}
	case len(after) > 0 && strings.IndexByte("\r\n}]", after[0]) >= 0:
		start = begin - 1
		if start > 0 && d.text[start-1] == '\r' {
			start--
		}
	}
	switch {
	case comma >= end:
		return slices.Concat(d.text[:start], d.text[end:comma], d.text[comma+1:])
	case comma >= 0:
		return slices.Concat(d.text[:comma], d.text[comma+1:start], d.text[end:])
	}
	return slices.Concat(d.text[:start], d.text[end:])
}

// stringOf is the string that a value is.
func stringOf(v *hujson.Value) (string, bool) {
	l, ok := v.Value.(hujson.Literal)
	return l.String(), ok && l.Kind() == '"'
}

// isMCP tells whether an array is that of pi's own arguments, after skip others.
func isMCP(v *hujson.Value, skip int) bool {
	list, ok := v.Value.(*hujson.Array)
	if !ok || len(list.Elements) != skip+1 {
		return false
	}
	s, ok := stringOf(&list.Elements[skip])
	return ok && s == "mcp"
}

// member is the entry of a server under a path of names.
type member struct {
	path  []string
	value func(exe string) any
}

// find walks down as far as there is something.
func (m member) find(d document) (v *hujson.Value, depth int, err error) {
	v = &d.root
	for depth < len(m.path) {
		if _, ok := v.Value.(*hujson.Object); !ok {
			return nil, 0, fmt.Errorf("line %d: %s is no object", d.lineOf(v.StartOffset), strings.Join(m.path[:depth], "."))
		}
		next, err := d.get(v, m.path[depth])
		if err != nil {
			return nil, 0, err
		}
		if next == nil {
			return v, depth, nil
		}
		v, depth = next, depth+1
	}
	return v, depth, nil
}

// add implements [editor]. An entry of pi's that names another program is made to name this one; whatever else it holds
// is the user's.
func (m member) add(text []byte, exe string) ([]byte, error) {
	d, err := parse(text, m.path)
	if err != nil {
		return nil, err
	}
	v, depth, err := m.find(d)
	if err != nil {
		return nil, err
	}
	want, err := d.plain()
	if err != nil {
		return nil, err
	}
	item, _ := decoded([]byte(keyed("", m.value(exe), "", "", "")))
	var after []byte
	if depth < len(m.path) {
		entry := m.value(exe)
		for i := len(m.path) - 1; i > depth; i-- {
			entry = map[string]any{m.path[i]: entry}
		}
		after = d.insert(v, m.path[depth], entry)
		put(want.(map[string]any), m.path, item)
		return after, d.verify(after, want)
	}
	old, command := m.command(d, v)
	if command == nil {
		return nil, fmt.Errorf("line %d: %s is there already, and does not start pi mcp; rename it first", d.lineOf(v.StartOffset), strings.Join(m.path, "."))
	}
	if old == exe {
		return text, nil
	}
	after = append(append(slices.Clone(d.text[:command.StartOffset]), hujson.String(exe)...), d.text[command.EndOffset:]...)
	entry := dig(want, m.path).(map[string]any)
	if list, ok := entry["command"].([]any); ok {
		list[0] = exe
	} else {
		entry["command"] = exe
	}
	return after, d.verify(after, want)
}

// command finds the program that an entry of pi's names; nil if the entry is somebody else's.
func (m member) command(d document, v *hujson.Value) (string, *hujson.Value) {
	c, err := d.get(v, "command")
	if err != nil || c == nil {
		return "", nil
	}
	if list, ok := c.Value.(*hujson.Array); ok {
		if !isMCP(c, 1) {
			return "", nil
		}
		c = &list.Elements[0]
	} else if args, err := d.get(v, "args"); err != nil || args == nil || !isMCP(args, 0) {
		return "", nil
	}
	exe, ok := stringOf(c)
	if !ok || !isPi(exe) {
		return "", nil
	}
	return exe, c
}

func (m member) exe(text []byte) string {
	d, err := parse(text, m.path)
	if err != nil {
		return ""
	}
	v, depth, err := m.find(d)
	if err != nil || depth < len(m.path) {
		return ""
	}
	exe, _ := m.command(d, v)
	return exe
}

// remove implements [editor].
func (m member) remove(text []byte) ([]byte, error) {
	if text == nil {
		return nil, nil
	}
	d, err := parse(text, m.path)
	if err != nil {
		return nil, err
	}
	v, depth, err := m.find(d)
	if err != nil || depth < len(m.path) {
		return text, err
	}
	if _, command := m.command(d, v); command == nil {
		return text, nil // somebody else's
	}
	parent, _, _ := member{path: m.path[:len(m.path)-1]}.find(d)
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
	want, err := d.plain()
	if err != nil {
		return nil, err
	}
	delete(dig(want, m.path[:len(m.path)-1]).(map[string]any), m.path[len(m.path)-1])
	return after, d.verify(after, want)
}

// dig finds what lies under a path.
func dig(v any, path []string) any {
	for _, k := range path {
		v = v.(map[string]any)[k]
	}
	return v
}

// put sets what lies under a path, whose beginning may not be there.
func put(o map[string]any, path []string, item any) {
	for _, k := range path[:len(path)-1] {
		next, ok := o[k].(map[string]any)
		if !ok {
			next = map[string]any{}
			o[k] = next
		}
		o = next
	}
	o[path[len(path)-1]] = item
}

// isPi tells whether a program is pi, wherever it lies.
func isPi(exe string) bool {
	base := exe[strings.LastIndexAny(exe, `/\`)+1:]
	return strings.TrimSuffix(strings.ToLower(base), ".exe") == strings.ToLower(self.Name())
}
