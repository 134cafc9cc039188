package jsregexp

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// translator translates a JavaScript pattern, once from left to right, to an expression that has the same meaning in both
// engines. Its own stack of groups replaces recursion, so that nesting needs no Go stack.
type translator struct {
	in  []rune
	pos int
	out strings.Builder

	ignoreCase, multiline, dotAll, unicode, sticky bool

	groups     int            // number of capture groups in the whole pattern
	names      map[string]int // group numbers by name; nil without named groups
	open       []group
	repeatable bool // a quantifier may follow
	backtrack  bool // the pattern has lookaround or a back-reference
}

type group uint8

const (
	plainGroup group = iota
	lookahead
	lookbehind
)

var (
	errNothing = errors.New("nothing to repeat")
	errGroup   = errors.New("invalid group")
	errEscape  = errors.New("invalid escape")
)

// lineEnds are the line terminators of ECMAScript as the contents of a class.
const lineEnds = "\\x0a\\x0d\u2028\u2029"

func (t *translator) translate() error {
	if err := t.countGroups(); err != nil {
		return err
	}
	for t.pos < len(t.in) {
		if err := t.step(); err != nil {
			return err
		}
	}
	if len(t.open) > 0 {
		return errors.New("unterminated group")
	}
	return nil
}

// step translates one element of the pattern.
func (t *translator) step() error {
	c := t.in[t.pos]
	t.pos++
	switch c {
	case '\\':
		return t.escape()
	case '[':
		return t.class()
	case '(':
		return t.openGroup()
	case ')':
		return t.closeGroup()
	case '|':
		t.assertion("|")
	case '^':
		t.lineAssertion(`\A`, "(?<![^"+lineEnds+"])")
	case '$':
		t.lineAssertion(`\z`, "(?![^"+lineEnds+"])")
	case '.':
		if t.dotAll {
			t.atom(anything)
		} else {
			t.atom("[^" + lineEnds + "]")
		}
	case '*', '+', '?':
		return t.quantifier(string(c))
	case '{':
		return t.braces()
	case ']', '}':
		if t.unicode {
			return fmt.Errorf("lone %q", c)
		}
		t.literal(c)
	default:
		t.literal(c)
	}
	return nil
}

// atom writes an element that a quantifier may follow, assertion one that it may not.
func (t *translator) atom(s string)      { t.out.WriteString(s); t.repeatable = true }
func (t *translator) assertion(s string) { t.out.WriteString(s); t.repeatable = false }
func (t *translator) literal(r rune)     { t.atom(quote(r)) }

func (t *translator) lineAssertion(whole, multiline string) {
	if !t.multiline {
		t.assertion(whole)
		return
	}
	t.backtrack = true
	t.assertion(multiline)
}

// quote returns one character so that neither engine takes it for an operator.
func quote(r rune) string {
	if r >= 0x80 || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
		return string(r)
	}
	return fmt.Sprintf(`\x%02x`, r)
}

func (t *translator) quantifier(q string) error {
	if !t.repeatable {
		return errNothing
	}
	if t.pos < len(t.in) && t.in[t.pos] == '?' {
		t.pos++
		q += "?"
	}
	t.assertion(q)
	return nil
}

// braces translates `{n}`, `{n,}` or `{n,m}` after the opening brace. Anything else is a literal brace, or an error with
// the flag u.
func (t *translator) braces() error {
	end := t.pos
	for end < len(t.in) && t.in[end] != '}' {
		end++
	}
	if end == len(t.in) {
		return t.literalBrace()
	}
	low, high, ranged := strings.Cut(string(t.in[t.pos:end]), ",")
	if !allDigits(low) || low == "" || !allDigits(high) {
		return t.literalBrace()
	}
	t.pos = end + 1
	lowest, highest := repeatCount(low), repeatCount(high)
	switch {
	case !ranged:
		return t.quantifier(fmt.Sprintf("{%d}", lowest))
	case high == "":
		return t.quantifier(fmt.Sprintf("{%d,}", lowest))
	case lowest > highest:
		return errors.New("numbers out of order in a quantifier")
	}
	return t.quantifier(fmt.Sprintf("{%d,%d}", lowest, highest))
}

func (t *translator) literalBrace() error {
	if t.unicode {
		return errors.New("incomplete quantifier")
	}
	t.literal('{')
	return nil
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// repeatCount parses digits, clamped to a count that no text is long enough for.
func repeatCount(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil && digits != "" {
		return 1 << 30
	}
	return min(n, 1<<30)
}
