package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxNesting bounds the brackets open at once in a file: the parsers recurse once a level without a bound of their own,
// and a Go stack overflow cannot be recovered.
const maxNesting = 1000

// maxSeen bounds the members and elements that the tree has, which is slow: what people write has hundreds.
const maxSeen = 100_000

const byteOrderMark = "\xef\xbb\xbf"

// A sketch is a JSON text made ready for the parser, which takes a hundred bytes of memory for each value: settings
// may have megabytes of history that pi does not look into. All offsets are those of the text.
type sketch struct {
	text   []byte // without what stands in the objects and arrays off the path
	hidden []byte // all of that
	fault  error  // why the whole text cannot be parsed
}

// level is an open object or array.
type level struct {
	names  int  // how many of the path's lead to it
	object bool // or an array
}

// sketcher goes over a text once. It follows the strings and comments as hujson does up to the first fault.
type sketcher struct {
	text     []byte
	path     []string
	out      sketch
	standard []byte // the text as JSON: comments and commas at the end are blank
	levels   []level
	hide     int // the level that is hidden, counted from 1; 0: none
	hideFrom int
	str, key []byte // the last string; the name of the member
	comma    int    // the last token, if it is a comma that may be at an end; else -1
	mayEnd   bool   // the last token ends a value
	seen     int    // commas that are not hidden
}

// draw makes the sketch of a text. All that lies under path is in it, and what stands along it.
func draw(text []byte, path []string) (sketch, error) {
	s := sketcher{text: text, path: path, standard: slices.Clone(text), comma: -1}
	s.out.text = append(make([]byte, 0, len(text)+1), text...)
	i := 0
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		i = len(byteOrderMark)
		blank(s.out.text[:i])
		blank(s.standard[:i])
	}
	for i < len(text) {
		next, err := s.token(i)
		if err != nil {
			return sketch{}, err
		}
		i = next
	}
	var all json.RawMessage
	if err := json.Unmarshal(s.standard, &all); err != nil {
		s.fault(faultAt(err, len(text)), err.Error())
	}
	if s.seen > maxSeen && s.out.fault == nil {
		return sketch{}, fmt.Errorf("has more than %d members beside %q, too many to edit; add the entry by hand (docs/agents.md)", maxSeen, path)
	}
	return s.out, nil
}

// faultAt is where an error of the JSON scanner is: it has read the byte that is wrong, unless there is none.
func faultAt(err error, end int) int {
	var e *json.SyntaxError
	if !errors.As(err, &e) || e.Error() == "unexpected end of JSON input" {
		return end
	}
	return max(int(e.Offset)-1, 0)
}

// fault notes the first fault, with its line and column, in bytes.
func (s *sketcher) fault(at int, what string) {
	if s.out.fault == nil {
		before := s.text[:at]
		s.out.fault = fmt.Errorf("cannot be parsed: line %d, column %d: %s",
			1+bytes.Count(before, []byte{'\n'}), at-bytes.LastIndexByte(before, '\n'), what)
	}
}

// token reads what stands at i, and gives the place behind it.
func (s *sketcher) token(i int) (int, error) {
	c := s.text[i]
	switch c {
	case ' ', '\t', '\r', '\n':
		return i + 1, nil
	case '/':
		return s.comment(i), nil
	case ',':
		s.key, s.comma = nil, -1
		if s.hide == 0 {
			s.seen++
		}
		if s.mayEnd {
			s.comma = i
		}
		s.mayEnd = false
		return i + 1, nil
	case '{', '[':
		s.comma, s.mayEnd = -1, false
		return i + 1, s.open(i, c == '{')
	case '}', ']':
		if s.comma >= 0 {
			s.standard[s.comma] = ' '
		}
		s.close(i)
	case '"':
		end := stringEnd(s.text, i)
		s.str = s.text[i:end]
		s.comma, s.mayEnd = -1, true
		return end, nil
	case ':':
		s.key = s.str
	}
	s.comma, s.mayEnd = -1, c != ':'
	return i + 1, nil
}

// stringEnd is the place behind the string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(text))
}

// comment blanks the comment at i. One that ends with the text gets the line end that hujson wants.
func (s *sketcher) comment(i int) int {
	rest, end := s.text[i:], 0
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if end = bytes.IndexByte(rest, '\n'); end < 0 {
			end = len(rest)
			s.out.text = append(s.out.text, '\n')
		}
		if bytes.Contains(rest[:end], []byte("\u2028")) || bytes.Contains(rest[:end], []byte("\u2029")) {
			s.fault(i, "a comment has another line end than \\n")
		}
	case bytes.HasPrefix(rest, []byte("/*")):
		if end = bytes.Index(rest[2:], []byte("*/")); end < 0 {
			return len(s.text) // and stays, as a fault
		}
		end += 4
	default:
		return i + 1
	}
	if !utf8.Valid(rest[:end]) {
		s.fault(i, "a comment is no valid UTF-8")
	}
	blank(s.standard[i : i+end])
	return i + end
}

func (s *sketcher) open(i int, object bool) error {
	in := level{object: object}
	if n := len(s.levels); n >= maxNesting {
		return tooDeep(s.text, i)
	} else if n > 0 && s.hide == 0 {
		up := s.levels[n-1]
		in.names = up.names
		if up.names < len(s.path) {
			if up.object && s.key != nil && hujson.Literal(s.key).String() == s.path[up.names] {
				in.names++
			} else {
				s.hide, s.hideFrom = n+1, i+1
			}
		}
	}
	s.key = nil
	s.levels = append(s.levels, in)
	return nil
}

func (s *sketcher) close(i int) {
	n := len(s.levels)
	if n == 0 {
		return
	}
	if n == s.hide {
		s.out.hidden = append(append(s.out.hidden, s.text[s.hideFrom:i]...), 0)
		blank(s.out.text[s.hideFrom:i])
		s.hide = 0
	}
	s.levels = s.levels[:n-1]
}

func blank(b []byte) {
	for i := range b {
		b[i] = ' '
	}
}

func tooDeep(text []byte, i int) error {
	return fmt.Errorf("cannot be parsed: line %d: brackets are nested more than %d deep", 1+bytes.Count(text[:i], []byte{'\n'}), maxNesting)
}
