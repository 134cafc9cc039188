package keyview

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError describes an input that cannot be parsed, and where.
type SyntaxError struct {
	Offset int // in bytes, from 0
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at offset %d", e.Reason, e.Offset) }

// ParseHex parses bytes written as two hex digits each. White space between bytes is skipped.
func ParseHex(s string) ([]byte, error) {
	var out []byte
	for i := 0; i < len(s); {
		switch {
		case strings.IndexByte(" \t\r\n", s[i]) >= 0:
			i++
			continue
		case hexDigit(s[i]) < 0:
			return nil, badHex(s, i)
		case i+1 == len(s):
			return nil, &SyntaxError{i, "half a byte"}
		case hexDigit(s[i+1]) < 0:
			return nil, badHex(s, i+1)
		}
		out = append(out, byte(hexDigit(s[i])<<4|hexDigit(s[i+1])))
		i += 2
	}
	return out, nil
}

func badHex(s string, i int) error {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return &SyntaxError{i, fmt.Sprintf("%q is no hex digit", r)}
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// simple lists the one-letter escapes: letter and value in turn.
const simple = "a\ab\be\x1bE\x1bf\fn\nr\rt\tv\v\\\\''\"\""

// Unescape decodes text with the escapes of C and of bash's $'…': \e \n \t \\ \x1b \033 \u00e9 and the others.
func Unescape(s string) ([]byte, error) {
	var out []byte
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			out = append(out, s[i])
			i++
			continue
		}
		if i+1 == len(s) {
			return nil, &SyntaxError{i, "a lone backslash"}
		}
		var err error
		if out, i, err = unescapeOne(out, s, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unescapeOne decodes the escape at s[i], which has more than the backslash, and returns the index after it.
func unescapeOne(out []byte, s string, i int) ([]byte, int, error) {
	c := s[i+1]
	for j := 0; j < len(simple); j += 2 {
		if simple[j] == c {
			return append(out, simple[j+1]), i + 2, nil
		}
	}
	switch {
	case c == 'x':
		n, next := digits(s, i+2, 2, 16)
		if next == i+2 {
			return nil, 0, &SyntaxError{i, `\x without hex digits`}
		}
		return append(out, byte(n)), next, nil
	case c == 'u' || c == 'U':
		longest := 4
		if c == 'U' {
			longest = 8
		}
		n, next := digits(s, i+2, longest, 16)
		if next == i+2 || !utf8.ValidRune(rune(n)) {
			return nil, 0, &SyntaxError{i, fmt.Sprintf(`\%c without a character's number`, c)}
		}
		return utf8.AppendRune(out, rune(n)), next, nil
	case c >= '0' && c <= '7':
		n, next := digits(s, i+1, 3, 8)
		if n > 0xff {
			return nil, 0, &SyntaxError{i, "a byte beyond 0377"}
		}
		return append(out, byte(n)), next, nil
	}
	r, _ := utf8.DecodeRuneInString(s[i+1:])
	return nil, 0, &SyntaxError{i, fmt.Sprintf("unknown escape \\%c", r)}
}

// digits parses up to longest digits of a base from s[i] and returns the index after them.
func digits(s string, i, longest, base int) (n, next int) {
	for end := min(len(s), i+longest); i < end; i++ {
		d := hexDigit(s[i])
		if d < 0 || d >= base {
			break
		}
		n = n*base + d
	}
	return n, i
}

// Escape encodes data so that [Unescape] decodes it: printable characters as themselves, ESC as \e.
func Escape(data []byte) string {
	var b strings.Builder
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		switch {
		case r == '\\':
			b.WriteString(`\\`)
		case r == utf8.RuneError && n == 1, r < ' ', r == 0x7f:
			escapeByte(&b, data[0])
		case unicode.IsPrint(r) && !unicode.IsMark(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		data = data[n:]
	}
	return b.String()
}

func escapeByte(b *strings.Builder, c byte) {
	for j := 0; j < len(simple); j += 2 {
		if simple[j+1] == c {
			b.WriteString(`\` + simple[j:j+1])
			return
		}
	}
	fmt.Fprintf(b, `\x%02x`, c)
}
