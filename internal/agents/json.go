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
)

// document is the text of a JSON file, which may have comments and trailing commas, and its syntax tree. The offsets in
// the tree are those of the text. Objects and arrays that are not on the document's path are empty in the tree, see
// [masked].
type document struct {
	text   []byte
	root   hujson.Value
	path   []string
	hidden []byte // the text that the tree leaves out
}

// parse parses a text to edit what is at path. A blank text is parsed as an empty object.
func parse(text []byte, path []string) (document, error) {
	if rest, marked := bytes.CutPrefix(text, []byte(byteOrderMark)); len(bytes.TrimSpace(rest)) == 0 {
		text = []byte("{}\n")
		if marked {
			text = []byte(byteOrderMark + "{}\n")
		}
	}
	m, err := mask(text, path)
	if err != nil {
		return document{}, err
	}
	if m.syntaxErr != nil {
		return document{}, m.syntaxErr
	}
	root, err := hujson.Parse(m.text)
	if err != nil {
		return document{}, fmt.Errorf("cannot be parsed: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return document{}, errors.New("line 1: the file does not contain an object")
	}
	return document{text, root, path, m.hidden}, nil
}

// decode returns the value of the tree as encoding/json decodes it, with numbers as json.Number.
func (d document) decode() (any, error) {
	standard := d.root.Clone()
	standard.Minimize()
	return decode(standard.Pack())
}

func decode(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v)
}

// verify returns an error unless text decodes to want and leaves what the tree does not contain byte for byte as it is.
func (d document) verify(text []byte, want any) error {
	after, err := parse(text, d.path)
	if err == nil && bytes.Equal(after.hidden, d.hidden) {
		var got any
		if got, err = after.decode(); err == nil && reflect.DeepEqual(got, want) {
			return nil
		}
	}
	return notEditable()
}

// lineOf returns the 1-based number of the line at an offset.
func (d document) lineOf(offset int) int { return 1 + bytes.Count(d.text[:offset], []byte{'\n'}) }

// find returns the value at a path and the length of the path; if part of the path is missing, the value and the length
// of the part that exists.
func (d document) find(path []string) (v *hujson.Value, depth int, err error) {
	v = &d.root
	for depth < len(path) {
		if _, ok := v.Value.(*hujson.Object); !ok {
			return nil, 0, fmt.Errorf("line %d: %s is not an object", d.lineOf(v.StartOffset), strings.Join(path[:depth], "."))
		}
		next, err := d.get(v, path[depth])
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

// get returns the value of a member of an object, or nil if there is none. A duplicate member is an error.
func (d document) get(v *hujson.Value, key string) (*hujson.Value, error) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("line %d: not an object", d.lineOf(v.StartOffset))
	}
	var found *hujson.Value
	for i := range object.Members {
		m := &object.Members[i]
		if m.Name.Value.(hujson.Literal).String() != key {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("line %d: duplicate key %s", d.lineOf(m.Name.StartOffset), key)
		}
		found = &m.Value
	}
	return found, nil
}

// replaceString returns the text with another string in place of a value.
func (d document) replaceString(v *hujson.Value, s string) []byte {
	return slices.Concat(d.text[:v.StartOffset], hujson.String(s), d.text[v.EndOffset:])
}

// insert returns the text with an item added at the end of an object or array, in the style of what surrounds it. key is
// empty for an array.
func (d document) insert(v *hujson.Value, key string, item any) []byte {
	var last *hujson.Value // the value before the new one; nil: there is none
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
	trailing := last != nil && last.AfterExtra != nil // the last value has a comma
	at := v.StartOffset + 1 + len(bytes.TrimRight(inside, " \t\r\n"))
	oneLine := !bytes.Contains(inside, []byte{'\n'}) && last != nil
	closed := bytes.Contains(d.text[at:end], []byte{'\n'}) // the closing bracket is on its own line
	if !oneLine && !closed {
		at = end // keep the white space before the item
	}
	nl := lineEnd(d.text)
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
		b.WriteString(" " + formatItem(key, item, "", "", ""))
	} else {
		b.WriteString(nl + base + d.indentUnit() + formatItem(key, item, nl, base+d.indentUnit(), d.indentUnit()))
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

// formatItem formats a member, or an element if key is empty. With an empty nl it is on one line.
func formatItem(key string, item any, nl, prefix, unit string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if nl != "" {
		e.SetIndent(prefix, unit)
	}
	_ = e.Encode(item) // cannot fail: strings, numbers and lists of them
	text := strings.ReplaceAll(strings.TrimRight(b.String(), "\n"), "\n", nl)
	if key == "" {
		return text
	}
	name, _ := json.Marshal(key)
	return string(name) + ": " + text
}

// lineEnd returns the line end that a text uses, judged by its first line.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indentAt returns the indentation of the line at an offset.
func (d document) indentAt(offset int) string {
	line := d.text[bytes.LastIndexByte(d.text[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// indentUnit returns the indentation of one level: that of the first member of the file, else two spaces.
func (d document) indentUnit() string {
	if o := d.root.Value.(*hujson.Object); len(o.Members) > 0 {
		if indent := d.indentAt(o.Members[0].Name.StartOffset); indent != "" {
			return indent
		}
	}
	return "  "
}

// cut returns the text without item i of an object or array, its comma, and the lines that only the item occupies.
// start is the offset of the item: of its value, or of its name.
func (d document) cut(values []*hujson.Value, i, start int) []byte {
	v := values[i]
	end := v.EndOffset
	last := i == len(values)-1
	commaOf := func(v *hujson.Value) int { return v.EndOffset + len(v.AfterExtra) }
	comma := -1 // offset of a comma that is not next to the item and goes too
	switch {
	case !last || v.AfterExtra != nil: // the item has a comma
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
	case begin == 0 || d.text[begin-1] != '\n': // the item is not the first thing on its line
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

// stringOf returns the value of a string; ok is false for other values.
func stringOf(v *hujson.Value) (s string, ok bool) {
	l, ok := v.Value.(hujson.Literal)
	return l.String(), ok && l.Kind() == '"'
}

// getPath returns the value at a path of nested maps, which must exist up to the last name.
func getPath(v any, path []string) any {
	for _, k := range path {
		v = v.(map[string]any)[k]
	}
	return v
}

// setPath sets the value at a path of nested maps and creates the maps that are missing.
func setPath(o map[string]any, path []string, item any) {
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
