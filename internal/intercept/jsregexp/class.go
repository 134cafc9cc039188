package jsregexp

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Classes of every character and of no character.
const (
	anything = "[\\x00-\U0010ffff]"
	nothing  = "[^\\x00-\U0010ffff]"
)

// The sets \d, \w, \s and their complements as the contents of a class.
const (
	digits    = `0-9`
	notDigits = "\\x00-\\x2f\\x3a-\U0010ffff"
	words     = `0-9A-Z_a-z`
	notWords  = "\\x00-\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\U0010ffff"
	blanks    = "\\x09-\\x0d\\x20\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
	notBlanks = "\\x00-\\x08\\x0e-\\x1f\\x21-\u009f\u00a1-\u167f\u1681-\u1fff\u200b-\u2027" +
		"\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
)

// escapeSet returns the set of \d, \D, \w, \W, \s or \S.
func escapeSet(c rune) string {
	switch c {
	case 'd':
		return digits
	case 'D':
		return notDigits
	case 'w':
		return words
	case 'W':
		return notWords
	case 's':
		return blanks
	}
	return notBlanks
}

// class translates a character class after its opening bracket.
func (t *translator) class() error {
	negated := t.skip("^")
	var body strings.Builder
	for !t.skip("]") {
		if err := t.classItem(&body); err != nil {
			return err
		}
	}
	switch {
	case body.Len() == 0 && negated:
		t.atom(anything)
	case body.Len() == 0:
		t.atom(nothing)
	case negated:
		t.atom("[^" + body.String() + "]")
	default:
		t.atom("[" + body.String() + "]")
	}
	return nil
}

// classItem translates a character, set or range in a class.
func (t *translator) classItem(body *strings.Builder) error {
	set, low, err := t.classMember()
	if err != nil {
		return err
	}
	// A "-" forms a range only between two members.
	if t.pos+1 >= len(t.in) || t.in[t.pos] != '-' || t.in[t.pos+1] == ']' {
		body.WriteString(set + quoteUnless(set, low))
		return nil
	}
	t.pos++
	highSet, high, err := t.classMember()
	switch {
	case err != nil:
		return err
	case set == "" && highSet == "" && low > high:
		return errors.New("range out of order in a class")
	case set == "" && highSet == "":
		body.WriteString(quote(low) + "-" + quote(high))
	case t.unicode:
		return errors.New("invalid range in a class")
	default:
		body.WriteString(set + quoteUnless(set, low) + quote('-') + highSet + quoteUnless(highSet, high))
	}
	return nil
}

// quoteUnless returns r quoted if set is empty.
func quoteUnless(set string, r rune) string {
	if set != "" {
		return ""
	}
	return quote(r)
}

// classMember reads a set in a class, or a character if set is empty.
func (t *translator) classMember() (set string, r rune, err error) {
	if t.pos >= len(t.in) {
		return "", 0, errors.New("unterminated class")
	}
	c := t.in[t.pos]
	t.pos++
	if c != '\\' {
		return "", c, nil
	}
	if t.pos >= len(t.in) {
		return "", 0, errors.New("unterminated class")
	}
	if t.skip("b") {
		return "", '\b', nil
	}
	return t.member(true)
}

// property reads `{Name}` or `{Key=Name}` after \p or \P.
func (t *translator) property(c rune) (string, error) {
	end := t.pos
	for end < len(t.in) && t.in[end] != '}' {
		end++
	}
	if end == len(t.in) || t.in[t.pos] != '{' {
		return "", errors.New("invalid property name")
	}
	name := string(t.in[t.pos+1 : end])
	t.pos = end + 1
	if key, value, ok := strings.Cut(name, "="); ok {
		switch key {
		case "Script", "sc", "Script_Extensions", "scx", "General_Category", "gc":
			name = value
		}
	}
	set := fmt.Sprintf(`\%c{%s}`, c, name)
	if _, err := regexp.Compile(set); err != nil {
		return "", fmt.Errorf("unknown property %q", name)
	}
	return set, nil
}
