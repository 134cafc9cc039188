package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// fileReader reads one YAML text by the schema. It works on the node tree, not on decoded maps, which lose the case,
// the line and the duplicates of keys.
type fileReader struct {
	keys     []Key
	file     string
	base     pathBase
	set      layer
	problems []*Error
}

// parseFile parses the text of a configuration file. It uses the file's name only for messages.
func parseFile(keys []Key, file string, text []byte, home string) (layer, []*Error) {
	r := &fileReader{keys: keys, file: file, base: pathBase{home: home, inFile: true}, set: layer{}}
	root, err := parseYAML(text)
	switch {
	case err != nil:
		err.File = file
		err.Line = min(err.Line, 1+bytes.Count(text, []byte("\n"))) // yaml counts the end of the text as a line
		return nil, []*Error{err}
	case root == nil:
		return r.set, nil
	case root.Kind != yaml.MappingNode:
		r.add(root, &Error{Reason: "expected settings such as `tools: [read]`, found " + describe(root)})
	default:
		r.section(root, "")
	}
	return r.set, r.problems
}

// parseYAML returns the root of the only document in text, or nil if the text is empty, all comments, or null.
func parseYAML(text []byte) (*yaml.Node, *Error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		return nil, syntaxError(err)
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, syntaxError(err)
		}
		return nil, &Error{Line: second.Line, Reason: "second document starts here; only one is allowed"}
	}
	if len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return nil, nil
	}
	return doc.Content[0], nil
}

// syntaxError converts an error of the YAML parser ("yaml: line 3: did not find …"); io.EOF, an empty text, is no error.
func syntaxError(err error) *Error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	e := &Error{Reason: strings.TrimPrefix(err.Error(), "yaml: ")}
	if rest, ok := strings.CutPrefix(e.Reason, "line "); ok {
		if number, words, ok := strings.Cut(rest, ": "); ok {
			e.Line, _ = strconv.Atoi(number)
			e.Reason = words
		}
	}
	if countsFromZero(e.Reason) {
		e.Line++
	}
	e.Reason = "not valid YAML: " + e.Reason
	return e
}

// countsFromZero reports whether yaml v3 counts lines from zero in the message, and omits the first: it does so in the
// messages of its parser. Those of its scanner count from one.
func countsFromZero(reason string) bool {
	switch reason {
	case "did not find expected key", "did not find expected node content", "did not find expected '-' indicator",
		"did not find expected ',' or ']'", "did not find expected ',' or '}'", "did not find expected <document start>":
		return true
	}
	return false
}

// add records problems, at the node's line unless they have one.
func (r *fileReader) add(n *yaml.Node, problems ...*Error) {
	for _, p := range problems {
		p.File = r.file
		if p.Line == 0 {
			p.Line = n.Line
		}
	}
	r.problems = append(r.problems, problems...)
}

// section reads the keys of a mapping. prefix is the section's name and a dot, or empty. The schema bounds the depth of
// the recursion, however deep the file nests.
func (r *fileReader) section(n *yaml.Node, prefix string) {
	for key, value := range pairsOf(n, func(key *yaml.Node, reason string) {
		r.add(key, &Error{Key: prefix + key.Value, Reason: reason})
	}) {
		name := prefix + key.Value
		k, known := findKey(r.keys, name)
		switch {
		case strings.Contains(key.Value, ".") && known:
			section, rest, _ := strings.Cut(name, ".")
			r.add(key, &Error{Key: name, Reason: fmt.Sprintf("write it as a section: `%s:` and, indented below it, `%s:`", section, rest)})
		case known:
			r.setting(k, value)
		case !isSection(r.keys, name):
			r.add(key, &Error{Key: name, Reason: fmt.Sprintf("unknown setting %q", name), Nearest: nearest(name, r.names())})
		case isNull(value): // all keys of the section are commented out
		case value.Kind != yaml.MappingNode:
			r.add(value, &Error{Key: name, Reason: "expected a section with keys below it, found " + describe(value)})
		default:
			r.section(value, name+".")
		}
	}
}

// setting reads the value of one key.
func (r *fileReader) setting(k Key, n *yaml.Node) {
	value, problems := k.parseNode(n, r.base)
	r.add(n, problems...)
	if len(problems) == 0 {
		r.set[k.Name] = setting{value, Origin{Kind: FromFile, Name: r.file, Line: n.Line}}
	}
}

// names returns every name that is valid in a file: the sections and the keys.
func (r *fileReader) names() []string {
	var names []string
	last := ""
	for _, k := range r.keys {
		if section, _, ok := strings.Cut(k.Name, "."); ok && section != last {
			names = append(names, section)
			last = section
		}
		names = append(names, k.Name)
	}
	return names
}
