package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"pi/internal/self"
)

// maxNesting limits the open brackets in a file: the parsers recurse once per level without a limit of their own, and a
// Go program cannot recover from a stack overflow.
const maxNesting = 1000

// maxMembers limits the members and elements in the syntax tree, which is slow. Settings that people write have hundreds.
const maxMembers = 100_000

const byteOrderMark = "\xef\xbb\xbf"

// masked is a JSON text for hujson, in which the contents of objects and arrays off a path are replaced by blanks. hujson
// takes 100 bytes of memory for each value and parses 4 MB a second, and settings may contain megabytes of history that
// pi does not need. All offsets are those of the original text.
type masked struct {
	text      []byte
	hidden    []byte // the replaced contents
	syntaxErr error  // the first syntax error of the original text
}

// container is an open object or array.
type container struct {
	depth  int  // how many names of the path lead to it
	object bool // false: an array
}

// masker reads a text once. Up to the first syntax error it recognises strings and comments as hujson does.
type masker struct {
	text     []byte
	path     []string
	out      masked
	standard []byte      // the text as standard JSON: comments and trailing commas are blanks
	open     []container // from the outermost
	hide     int         // how many containers are open in the outermost hidden one, itself included; 0: none is hidden
	hideFrom int         // offset of the contents of the hidden container
	str, key []byte      // the last string; the name of the current member
	comma    int         // offset of the last token if it is a comma that may be a trailing one; else -1
	mayEnd   bool        // the last token ends a value
	members  int         // commas that are not hidden
}

// mask masks the text except for what is on the path and below it.
func mask(text []byte, path []string) (masked, error) {
	m := masker{text: text, path: path, standard: slices.Clone(text), comma: -1}
	m.out.text = append(make([]byte, 0, len(text)+1), text...)
	i := 0
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		i = len(byteOrderMark)
		fillBlank(m.out.text[:i])
		fillBlank(m.standard[:i])
	}
	for i < len(text) {
		next, err := m.token(i)
		if err != nil {
			return masked{}, err
		}
		i = next
	}
	var all json.RawMessage
	if err := json.Unmarshal(m.standard, &all); err != nil {
		m.fail(errorOffset(err, len(text)), err.Error())
	}
	if m.members > maxMembers && m.out.syntaxErr == nil {
		return masked{}, fmt.Errorf("more than %d members beside %q, too many to edit; add the entry by hand (%s help agents)", maxMembers, path, self.Name())
	}
	return m.out, nil
}

// errorOffset returns the offset of an error of encoding/json, whose own offset is behind the wrong byte. end is the
// offset of an unexpected end.
func errorOffset(err error, end int) int {
	var e *json.SyntaxError
	if !errors.As(err, &e) || e.Error() == "unexpected end of JSON input" {
		return end
	}
	return max(int(e.Offset)-1, 0)
}

// fail records the first syntax error with its line and column, the column in bytes.
func (m *masker) fail(at int, what string) {
	if m.out.syntaxErr == nil {
		before := m.text[:at]
		m.out.syntaxErr = fmt.Errorf("cannot be parsed: line %d, column %d: %s",
			1+bytes.Count(before, []byte{'\n'}), at-bytes.LastIndexByte(before, '\n'), what)
	}
}

// token reads the token at i and returns the offset behind it.
func (m *masker) token(i int) (int, error) {
	c := m.text[i]
	switch c {
	case ' ', '\t', '\r', '\n':
		return i + 1, nil
	case '/':
		return m.comment(i), nil
	case ',':
		m.key, m.comma = nil, -1
		if m.hide == 0 {
			m.members++
		}
		if m.mayEnd {
			m.comma = i
		}
		m.mayEnd = false
		return i + 1, nil
	case '{', '[':
		m.comma, m.mayEnd = -1, false
		return i + 1, m.push(i, c == '{')
	case '}', ']':
		if m.comma >= 0 {
			m.standard[m.comma] = ' '
		}
		m.pop(i)
	case '"':
		end := stringEnd(m.text, i)
		m.str = m.text[i:end]
		m.comma, m.mayEnd = -1, true
		return end, nil
	case ':':
		m.key = m.str
	}
	m.comma, m.mayEnd = -1, c != ':'
	return i + 1, nil
}

// stringEnd returns the offset behind the string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(text))
}

// comment blanks the comment at i. A line comment at the end of the text gets the line end that hujson requires.
func (m *masker) comment(i int) int {
	rest, end := m.text[i:], 0
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if end = bytes.IndexByte(rest, '\n'); end < 0 {
			end = len(rest)
			m.out.text = append(m.out.text, '\n')
		}
		if bytes.Contains(rest[:end], []byte("\u2028")) || bytes.Contains(rest[:end], []byte("\u2029")) {
			m.fail(i, "a comment contains a line separator (U+2028 or U+2029)")
		}
	case bytes.HasPrefix(rest, []byte("/*")):
		if end = bytes.Index(rest[2:], []byte("*/")); end < 0 {
			return len(m.text) // stays, and is a syntax error
		}
		end += 4
	default:
		return i + 1
	}
	if !utf8.Valid(rest[:end]) {
		m.fail(i, "a comment is not valid UTF-8")
	}
	fillBlank(m.standard[i : i+end])
	return i + end
}

// push opens a container.
func (m *masker) push(i int, object bool) error {
	c := container{object: object}
	if n := len(m.open); n >= maxNesting {
		return tooDeep(m.text, i)
	} else if n > 0 && m.hide == 0 {
		parent := m.open[n-1]
		c.depth = parent.depth
		if parent.depth < len(m.path) {
			if parent.object && m.key != nil && hujson.Literal(m.key).String() == m.path[parent.depth] {
				c.depth++
			} else {
				m.hide, m.hideFrom = n+1, i+1
			}
		}
	}
	m.key = nil
	m.open = append(m.open, c)
	return nil
}

// pop closes a container.
func (m *masker) pop(i int) {
	n := len(m.open)
	if n == 0 {
		return
	}
	if n == m.hide {
		m.out.hidden = append(append(m.out.hidden, m.text[m.hideFrom:i]...), 0)
		fillBlank(m.out.text[m.hideFrom:i])
		m.hide = 0
	}
	m.open = m.open[:n-1]
}

func fillBlank(b []byte) {
	for i := range b {
		b[i] = ' '
	}
}

// tooDeep returns the error of a text with more than maxNesting open brackets at offset i.
func tooDeep(text []byte, i int) error {
	return fmt.Errorf("cannot be parsed: line %d: brackets are nested more than %d levels deep", 1+bytes.Count(text[:i], []byte{'\n'}), maxNesting)
}
