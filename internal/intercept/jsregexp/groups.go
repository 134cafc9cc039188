package jsregexp

import (
	"errors"
	"fmt"
	"unicode"
)

// countGroups counts the capture groups of the whole pattern: whether `\2` or `\k` is a back-reference depends on groups
// that may follow.
func (t *translator) countGroups() error {
	inClass := false
	for i := 0; i < len(t.in); i++ {
		switch c := t.in[i]; {
		case c == '\\':
			i++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '(' && !inClass:
			if err := t.countGroup(i + 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// countGroup counts the group whose contents start at i.
func (t *translator) countGroup(i int) error {
	if i >= len(t.in) || t.in[i] != '?' {
		t.groups++
		return nil
	}
	name, _, ok := t.groupName(i + 1)
	if !ok {
		return nil
	}
	t.groups++
	if t.names == nil {
		t.names = map[string]int{}
	}
	if t.names[name] != 0 {
		return fmt.Errorf("duplicate group name %q", name)
	}
	t.names[name] = t.groups
	return nil
}

// groupName reads `<name>` at i and returns the offset after it. ok is false if there is no name, as in a lookbehind.
func (t *translator) groupName(i int) (name string, next int, ok bool) {
	if i >= len(t.in) || t.in[i] != '<' {
		return "", i, false
	}
	for j := i + 1; j < len(t.in); j++ {
		r := t.in[j]
		switch {
		case r == '>':
			return string(t.in[i+1 : j]), j + 1, j > i+1
		case r == '$' || r == '_' || unicode.IsLetter(r):
		case j > i+1 && (unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)):
		default:
			return "", i, false
		}
	}
	return "", i, false
}

// openGroup translates a group after its opening bracket. Named groups become numbered ones, which both engines count
// alike.
func (t *translator) openGroup() error {
	if !t.skip("?") {
		t.push(plainGroup, "(")
		return nil
	}
	switch {
	case t.skip(":"):
		t.push(plainGroup, "(?:")
	case t.skip("="):
		t.push(lookahead, "(?:(?=")
	case t.skip("!"):
		t.push(lookahead, "(?:(?!")
	case t.skip("<="):
		t.push(lookbehind, "(?:(?<=")
	case t.skip("<!"):
		t.push(lookbehind, "(?:(?<!")
	default:
		_, next, ok := t.groupName(t.pos)
		if !ok {
			return errGroup
		}
		t.pos = next
		t.push(plainGroup, "(")
	}
	return nil
}

func (t *translator) push(g group, text string) {
	t.open = append(t.open, g)
	t.backtrack = t.backtrack || g != plainGroup
	t.assertion(text)
}

func (t *translator) closeGroup() error {
	if len(t.open) == 0 {
		return errors.New("unmatched ')'")
	}
	g := t.open[len(t.open)-1]
	t.open = t.open[:len(t.open)-1]
	switch g {
	case plainGroup:
		t.atom(")")
	case lookahead:
		t.atom("))")
		t.repeatable = !t.unicode // legacy syntax allows a quantifier after a lookahead
	case lookbehind:
		t.assertion("))")
	}
	return nil
}

// skip advances past s if it comes next, and reports whether it does.
func (t *translator) skip(s string) bool {
	for i, r := range s { // ASCII only, so offsets are indexes
		if t.pos+i >= len(t.in) || t.in[t.pos+i] != r {
			return false
		}
	}
	t.pos += len(s)
	return true
}
