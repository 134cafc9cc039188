package artifact

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Span is a range of lines or bytes, counted from 1, both ends included, as in cut(1).
type Span struct {
	From int64 // 1 or more
	To   int64 // From or more; [math.MaxInt64] when open
}

// ParseSpan parses A-B, A-, -B or A.
func ParseSpan(s string) (Span, error) {
	from, to, found := strings.Cut(s, "-")
	span := Span{From: 1, To: math.MaxInt64}
	var err error
	if from != "" {
		span.From, err = parsePosition(from)
	}
	switch {
	case err != nil:
	case !found && from != "":
		span.To = span.From
	case to != "":
		span.To, err = parsePosition(to)
	case from == "":
		err = fmt.Errorf("missing start and end")
	}
	if err == nil && span.To < span.From {
		err = fmt.Errorf("end is before start")
	}
	if err != nil {
		return Span{}, fmt.Errorf("range %s: %w (want A-B, A-, -B or A, counted from 1, ends included)", quoteShort(s), err)
	}
	return span, nil
}

// parsePosition parses a position: ASCII digits, leading zeros allowed, 1 or more.
func parsePosition(s string) (int64, error) {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, fmt.Errorf("not a number: %s", quoteShort(s))
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("number too large")
	}
	if n == 0 {
		return 0, fmt.Errorf("counting starts at 1")
	}
	return n, nil
}
