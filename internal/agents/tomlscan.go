package agents

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// expression is the header of a table, or a key with its value.
type expression struct {
	kind unstable.Kind // Table, ArrayTable or KeyValue
	path []string      // from the root; an element of an array of tables ends in its number
	at   int           // offset of the key or header
	text string        // from at to the next expression, without the comments before that

	valueKind unstable.Kind  // kind of the value
	valueAt   unstable.Range // position of the value
	str       string         // the value if it is a string
	list      []string       // the value if it is an array of strings
}

// below reports whether the expression belongs to the table at path.
func (x expression) below(path []string) bool {
	return len(x.path) >= len(path) && slices.Equal(x.path[:len(path)], path)
}

// scanTOML returns the expressions of a text. It uses the parser of go-toml only: its decoder is five times as much code.
func scanTOML(text []byte) (list []expression, err error) {
	if err := checkNesting(text); err != nil {
		return nil, err
	}
	var p unstable.Parser
	p.Reset(text)
	var table []string
	elements := map[string]int{}
	for p.NextExpression() {
		n := p.Expression()
		x := expression{kind: n.Kind}
		x.path, x.at = keyOf(n)
		switch n.Kind {
		case unstable.Table:
			table = x.path
		case unstable.ArrayTable:
			key := strings.Join(x.path, "\x00")
			elements[key]++
			x.path = append(x.path, fmt.Sprint(elements[key]))
			table = x.path
		case unstable.KeyValue:
			x.path = slices.Concat(table, x.path)
			x.value(n.Value())
		default:
			continue
		}
		list = append(list, x)
	}
	if err := p.Error(); err != nil {
		return nil, withPosition(&p, err)
	}
	for i := range list {
		next := len(text)
		if i+1 < len(list) {
			next = lineStart(text, list[i+1].at)
		}
		list[i].text = string(bytes.TrimSpace(text[list[i].at:max(contentEnd(text, next), list[i].at)]))
	}
	return list, nil
}

// value records the value of a key.
func (x *expression) value(v *unstable.Node) {
	x.valueKind, x.valueAt = v.Kind, v.Raw
	switch v.Kind {
	case unstable.String:
		x.str = string(v.Data)
	case unstable.Array:
		for it := v.Children(); it.Next(); {
			x.list = append(x.list, string(it.Node().Data))
		}
	}
}

// checkNesting returns an error if brackets are nested too deeply for the parser.
func checkNesting(text []byte) error {
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

// tomlStringEnd returns the offset behind the string that begins at i. A string in single quotes has no escapes. An
// unterminated string of one line ends with the line, where the parser will report it.
func tomlStringEnd(text []byte, i int) int {
	quote := text[i : i+1]
	multiline := bytes.HasPrefix(text[i:], bytes.Repeat(quote, 3))
	if multiline {
		quote = text[i : i+3]
	}
	for i += len(quote); i < len(text); i++ {
		switch {
		case bytes.HasPrefix(text[i:], quote):
			return i + len(quote)
		case text[i] == '\\' && quote[0] == '"':
			i++
		case text[i] == '\n' && !multiline:
			return i
		}
	}
	return len(text)
}

// withPosition adds line and column to an error of the parser.
func withPosition(p *unstable.Parser, err error) error {
	var e *unstable.ParserError
	if errors.As(err, &e) {
		at := p.Shape(p.Range(e.Highlight)).Start
		return fmt.Errorf("cannot be parsed: line %d, column %d: %s", at.Line, at.Column, e.Message)
	}
	return fmt.Errorf("cannot be parsed: %w", err)
}

// keyOf returns the parts of an expression's key and the offset where it begins.
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

// lineStart returns the offset of the start of the line at an offset.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// contentEnd returns the end of the last line before limit that is not blank or a comment.
func contentEnd(text []byte, limit int) int {
	for limit > 0 {
		start := lineStart(text, limit-1)
		if line := bytes.TrimSpace(text[start:limit]); len(line) > 0 && line[0] != '#' {
			break
		}
		limit = start
	}
	return limit
}
