// Package shelltext is the one place where shell text is parsed.
//
// It parses the bash dialect. Nothing is ever printed back from the tree: callers cut the original
// text at the positions of the nodes. Text that is too long, too deeply nested or invalid is not
// parsed, and callers leave it as it is.
package shelltext

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// MaxParse is the longest text, in bytes, that is parsed. The parser recurses once per nesting
// level without a bound of its own, and a Go stack overflow cannot be recovered.
const MaxParse = 16 << 10

// maxNesting bounds the brackets open at once. 16 KiB of "(" would still fit Go's stack limit,
// but grow the stack to 64 MiB and take half a second; no command that people write comes near.
const maxNesting = 200

// Parse parses text as bash does. ok is false if it is longer than MaxParse, contains a NUL, is
// nested too deeply, or is not valid shell text. It is safe for concurrent use.
func Parse(text string) (file *syntax.File, ok bool) {
	if len(text) > MaxParse || strings.IndexByte(text, 0) >= 0 || !shallow(text) {
		return nil, false
	}
	// A panic in the parser must not end a run whose text it only inspects.
	defer func() {
		if recover() != nil {
			file, ok = nil, false
		}
	}()
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, false
	}
	return file, true
}

// shallow reports whether text keeps the nesting bound. It knows nothing of quotes, so it may refuse
// text full of quoted brackets. What nests without brackets ("if if if", "((~~~~") costs at most
// a few MiB of stack for a text of MaxParse bytes.
func shallow(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
		if depth > maxNesting {
			return false
		}
	}
	return true
}
