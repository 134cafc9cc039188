package artifact

import (
	"fmt"
	"strconv"
	"strings"
)

// Ref refers to an artifact by id or to the newest one. [ParseRef] returns Refs; the zero Ref refers to no artifact.
type Ref struct {
	id   int64
	last bool
}

// String returns the id, or "last".
func (r Ref) String() string {
	if r.last {
		return "last"
	}
	return strconv.FormatInt(r.id, 10)
}

// ParseRef parses 7, artifact://7 or last. For any other text it returns an error with the text and the valid forms.
func ParseRef(s string) (Ref, error) {
	if s == "last" {
		return Ref{last: true}, nil
	}
	id, err := parseID(strings.TrimPrefix(s, "artifact://"))
	if err != nil {
		return Ref{}, fmt.Errorf("artifact reference %s: %w (want 7, artifact://7 or last)", quoteShort(s), err)
	}
	return Ref{id: id}, nil
}

// parseID parses an id: a positive decimal number in ASCII digits, without sign or leading zero.
func parseID(s string) (int64, error) {
	if s == "" {
		return 0, fmt.Errorf("missing number")
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

// quoteShort quotes text for an error message and shortens it to 64 bytes.
func quoteShort(s string) string {
	if len(s) > 64 {
		s = s[:64] + "..."
	}
	return strconv.Quote(s)
}
