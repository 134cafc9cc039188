// Package jsregexp matches text against patterns written for JavaScript's RegExp.
//
// A pattern is translated once. Character classes, anchors and escapes are written out, so that they have the meaning of
// ECMAScript and not of a Go library. The result runs on the linear-time engine of the standard library; patterns with
// lookaround or back-references run on a backtracking engine with a time limit.
//
// The package only answers whether a text contains a match, so greediness and the flags g and d have no effect. Text is
// matched by code points, as with the flag u. Case folding is Unicode's simple folding with and without u, so with the
// flag i the letters k and s also match U+212A and U+017F.
package jsregexp

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// matchTimeout limits one match of a backtracking pattern. The engine checks its clock every 100 ms only, so a match ends
// after 200 ms at most.
const matchTimeout = 50 * time.Millisecond

// maxPattern is the length of the longest valid pattern, in bytes.
const maxPattern = 10_000

// ErrTimeout is the error of a match that exceeds the time limit.
var ErrTimeout = errors.New("pattern took too long")

// Regexp is a compiled pattern. It is safe for concurrent use.
type Regexp struct {
	linear       *regexp.Regexp  // nil when the pattern needs backtracking
	backtracking *regexp2.Regexp // nil otherwise
}

// Compile compiles a pattern with the flags of RegExp, any of d, g, i, m, s, u and y. It returns an error if JavaScript
// rejects the pattern, or if a feature is not supported.
func Compile(pattern, flags string) (*Regexp, error) {
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("pattern is longer than %d bytes", maxPattern)
	}
	t := translator{in: []rune(pattern)}
	if err := t.setFlags(flags); err != nil {
		return nil, err
	}
	if err := t.translate(); err != nil {
		return nil, err
	}
	return t.compile()
}

// setFlags parses the flags. It accepts g and d, which do not affect whether there is a match.
func (t *translator) setFlags(flags string) error {
	for i, f := range flags {
		if strings.ContainsRune(flags[:i], f) {
			return fmt.Errorf("duplicate flag %q", f)
		}
		switch f {
		case 'd', 'g':
		case 'i':
			t.ignoreCase = true
		case 'm':
			t.multiline = true
		case 's':
			t.dotAll = true
		case 'u':
			t.unicode = true
		case 'y':
			t.sticky = true
		case 'v':
			return errors.New("flag 'v' is not supported")
		default:
			return fmt.Errorf("unknown flag %q", f)
		}
	}
	return nil
}

// compile compiles the translated pattern with the linear-time engine if possible.
func (t *translator) compile() (*Regexp, error) {
	expr := t.out.String()
	if t.sticky {
		expr = `\A(?:` + expr + `)`
	}
	if !t.backtrack {
		fold := ""
		if t.ignoreCase {
			fold = "(?i)"
		}
		// It rejects counts above 1000 and very deep or large patterns, which the other engine accepts.
		if re, err := regexp.Compile(fold + expr); err == nil {
			return &Regexp{linear: re}, nil
		}
	}
	var options regexp2.RegexOptions = regexp2.ECMAScript
	if t.ignoreCase {
		options |= regexp2.IgnoreCase
	}
	re, err := regexp2.Compile(expr, options)
	if err != nil {
		return nil, errors.New("pattern is not supported")
	}
	re.MatchTimeout = matchTimeout
	return &Regexp{backtracking: re}, nil
}

// Match reports whether text contains a match. The only error is [ErrTimeout].
func (r *Regexp) Match(text string) (bool, error) {
	if r.linear != nil {
		return r.linear.MatchString(text), nil
	}
	ok, err := r.backtracking.MatchString(text)
	if err != nil {
		return false, ErrTimeout
	}
	return ok, nil
}

// Linear reports whether matching takes time linear in the text, so that Match never times out.
func (r *Regexp) Linear() bool { return r.linear != nil }
