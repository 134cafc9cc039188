// Package jsregexp matches text against patterns written for JavaScript's RegExp.
//
// A pattern is translated once: character classes, anchors and escapes are spelled out so that
// they mean what ECMAScript says, not what a Go library would make of the same characters. The
// result runs on the standard library's linear-time engine where that can express it; patterns
// with lookaround or back-references go to a backtracking engine that gives up after a time limit.
//
// Only the question "does it match anywhere" is answered, so greediness and the flags g and d
// change nothing. Text is matched by code points, as with the flag u. Case folding is Unicode's
// simple folding with and without u, so under i the letters k and s also match U+212A and U+017F.
package jsregexp

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// matchTimeout bounds one match of a backtracking pattern. The engine looks at its clock every
// 100 ms only, so a hopeless match ends after at most 200 ms.
const matchTimeout = 50 * time.Millisecond

// maxPattern is the longest pattern, in bytes, that is compiled.
const maxPattern = 10_000

// ErrTimeout tells that a match was given up.
var ErrTimeout = errors.New("pattern took too long")

// Regexp is a compiled pattern. It is safe for concurrent use.
type Regexp struct {
	linear       *regexp.Regexp  // nil when the pattern needs backtracking
	backtracking *regexp2.Regexp // nil otherwise
}

// Compile compiles a pattern with RegExp's flags, a set of the letters d, g, i, m, s, u and y.
// The error says what JavaScript would object to, or which feature is not supported.
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

// setFlags reads the flags; g and d are accepted and have no bearing on whether there is a match.
func (t *translator) setFlags(flags string) error {
	for i, f := range flags {
		if strings.ContainsRune(flags[:i], f) {
			return fmt.Errorf("flag %q is given twice", f)
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
		// It refuses counts above 1000 and very deep or large patterns, which the other takes.
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

// Match reports whether text holds a match. The only error is ErrTimeout.
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

// Linear reports that matching takes time linear in the text, so that Match never gives up.
func (r *Regexp) Linear() bool { return r.linear != nil }
