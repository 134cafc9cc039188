package artifact

import (
	"fmt"
	"strconv"
	"strings"
)

// Ref names an artifact: by number, or the newest one. Refs come from [ParseRef] only; the zero Ref names nothing.
type Ref struct {
	id   int64
	last bool
}

// String returns the number, or "last".
func (r Ref) String() string {
	if r.last {
		return "last"
	}
	return strconv.FormatInt(r.id, 10)
}

// ParseRef reads 7, artifact://7 or last. Everything else is an error that names the text and the forms.
func ParseRef(s string) (Ref, error) {
	if s == "last" {
		return Ref{last: true}, nil
	}
	id, err := parseID(strings.TrimPrefix(s, "artifact://"))
	if err != nil {
		return Ref{}, fmt.Errorf("artifact reference %s: %w (known forms: 7, artifact://7, last)", quoteShort(s), err)
	}
	return Ref{id: id}, nil
}

// parseID reads a positive decimal number as this package writes it: ASCII digits, no sign, no leading zero.
func parseID(s string) (int64, error) {
	if s == "" {
		return 0, fmt.Errorf("the number is missing")
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, fmt.Errorf("not a number")
		}
	}
	if s[0] == '0' {
		return 0, fmt.Errorf("numbers start at 1 and have no leading zero")
	}
	if len(s) > 18 {
		return 0, fmt.Errorf("number too large")
	}
	return strconv.ParseInt(s, 10, 64)
}

// quoteShort quotes text for an error message, which must stay readable whatever was typed.
func quoteShort(s string) string {
	if len(s) > 64 {
		s = s[:64] + "..."
	}
	return strconv.Quote(s)
}
