package jsregexp

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// escape translates an escape outside of a class, after the backslash.
func (t *translator) escape() error {
	if t.pos >= len(t.in) {
		return errors.New(`\ at the end of the pattern`)
	}
	c := t.in[t.pos]
	switch {
	case c == 'b' || c == 'B':
		t.pos++
		t.assertion(`\` + string(c))
		return nil
	case c == 'k' && (t.names != nil || t.unicode):
		t.pos++
		return t.namedReference()
	case c >= '1' && c <= '9' && t.reference():
		return nil
	}
	set, r, err := t.member(false)
	if err != nil {
		return err
	}
	if set != "" {
		t.atom("[" + set + "]")
	} else {
		t.literal(r)
	}
	return nil
}

// namedReference translates `\k<name>` after the k.
func (t *translator) namedReference() error {
	name, next, ok := t.groupName(t.pos)
	if !ok || t.names[name] == 0 {
		return errors.New("invalid named reference")
	}
	t.pos = next
	t.writeReference(t.names[name])
	return nil
}

// reference translates the number of an existing group; other numbers are legacy octal escapes. It reports whether it
// did.
func (t *translator) reference() bool {
	end := t.pos
	for end < len(t.in) && t.in[end] >= '0' && t.in[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(string(t.in[t.pos:end]))
	if err != nil || n > t.groups {
		return false
	}
	t.pos = end
	t.writeReference(n)
	return true
}

func (t *translator) writeReference(n int) {
	t.backtrack = true
	t.atom(fmt.Sprintf(`(?:\%d)`, n))
}

// member reads an escape after the backslash: a set of characters as the contents of a class, or the character r if set
// is empty.
func (t *translator) member(inClass bool) (set string, r rune, err error) {
	c := t.in[t.pos]
	t.pos++
	switch c {
	case 'd', 'D', 's', 'S', 'w', 'W':
		return escapeSet(c), 0, nil
	case 'p', 'P':
		if t.unicode {
			set, err = t.property(c)
			return set, 0, err
		}
	case 't':
		return "", '\t', nil
	case 'n':
		return "", '\n', nil
	case 'v':
		return "", '\v', nil
	case 'f':
		return "", '\f', nil
	case 'r':
		return "", '\r', nil
	case 'c':
		r, err = t.control(inClass)
		return "", r, err
	case 'x':
		r, err = t.hex(2, 'x')
		return "", r, err
	case 'u':
		r, err = t.codePoint()
		return "", r, err
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		r, err = t.octal(c)
		return "", r, err
	}
	if t.unicode && !strings.ContainsRune(`^$\.*+?()[]{}|/`, c) && !(inClass && c == '-') {
		return "", 0, errEscape
	}
	return "", c, nil
}

// control reads the letter of `\cX`; in a class without the flag u also a digit or "_". Without one the backslash stands
// for itself.
func (t *translator) control(inClass bool) (rune, error) {
	if t.pos < len(t.in) {
		c := t.in[t.pos]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if letter || inClass && !t.unicode && (c >= '0' && c <= '9' || c == '_') {
			t.pos++
			return c & 0x1f, nil
		}
	}
	if t.unicode {
		return 0, errEscape
	}
	t.pos-- // the c is read again as itself
	return '\\', nil
}

// hex reads exactly n hexadecimal digits; without them the letter stands for itself.
func (t *translator) hex(n int, letter rune) (rune, error) {
	if t.pos+n <= len(t.in) {
		if v, err := strconv.ParseUint(string(t.in[t.pos:t.pos+n]), 16, 32); err == nil {
			t.pos += n
			return rune(v), nil
		}
	}
	if t.unicode {
		return 0, errEscape
	}
	return letter, nil
}

// codePoint reads `\uXXXX`, a surrogate pair of two, or `\u{X…}` with the flag u, after the u.
func (t *translator) codePoint() (rune, error) {
	if t.unicode && t.skip("{") {
		end := t.pos
		for end < len(t.in) && t.in[end] != '}' {
			end++
		}
		v, err := strconv.ParseUint(string(t.in[t.pos:end]), 16, 32)
		if err != nil || v > 0x10ffff || end == len(t.in) {
			return 0, errEscape
		}
		t.pos = end + 1
		return rejectSurrogate(rune(v))
	}
	r, err := t.hex(4, 'u')
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if t.skip(`\u`) {
		if low, err := t.hex(4, 'u'); err == nil {
			return rejectSurrogate(utf16.DecodeRune(r, low))
		}
	}
	return rejectSurrogate(r)
}

// rejectSurrogate returns an error for half a surrogate pair, which UTF-8 text cannot contain.
func rejectSurrogate(r rune) (rune, error) {
	if utf16.IsSurrogate(r) || r == '\uFFFD' {
		return 0, errors.New("half a surrogate pair is not supported")
	}
	return r, nil
}

// octal reads `\0` and, without the flag u, legacy octal escapes such as `\12`. 8 and 9 stand for themselves.
func (t *translator) octal(first rune) (rune, error) {
	if t.unicode && (first != '0' || t.pos < len(t.in) && t.in[t.pos] >= '0' && t.in[t.pos] <= '9') {
		return 0, errEscape
	}
	if first >= '8' {
		return first, nil
	}
	v := first - '0'
	for range 2 { // at most three digits and 0377
		if v >= 0o40 || t.pos >= len(t.in) || t.in[t.pos] < '0' || t.in[t.pos] > '7' {
			break
		}
		v = v*8 + t.in[t.pos] - '0'
		t.pos++
	}
	return v, nil
}
