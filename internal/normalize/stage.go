package normalize

import (
	"strconv"
	"strings"
)

// maxLines is the largest limit taken over. Above it head and tail are left to the shell.
const maxLines = 1_000_000_000

// stage reads the text behind a pipeline's last "|" and gives the limit when it is exactly one
// of `head -n N`, `head -nN`, `head -N` or the same with tail, a trailing comment allowed.
func stage(text string) (Limits, bool) {
	words := strings.FieldsFunc(cutComment(text), isBlank)
	if len(words) < 2 || len(words) > 3 {
		return Limits{}, false
	}
	n, ok := count(words[1:])
	switch {
	case ok && words[0] == "head":
		return Limits{Head: n}, true
	case ok && words[0] == "tail":
		return Limits{Tail: n}, true
	}
	return Limits{}, false
}

// count reads `-n N`, `-nN` or `-N`.
func count(args []string) (int, bool) {
	digits, ok := strings.CutPrefix(args[0], "-")
	if !ok {
		return 0, false
	}
	if rest, ok := strings.CutPrefix(digits, "n"); ok {
		digits = rest
		if digits == "" && len(args) == 2 {
			digits, args = args[1], args[:1]
		}
	}
	if len(args) != 1 {
		return 0, false
	}
	return number(digits)
}

// number reads decimal digits without sign, suffix or leading zero.
func number(digits string) (int, bool) {
	if digits == "" || digits[0] < '1' || digits[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return int(min(n, maxLines)), err == nil && n <= maxLines
}

// cutComment takes a comment off the end of text. A comment that more text follows stays, so
// that it spoils the word count of its caller.
func cutComment(text string) string {
	for i := 1; i < len(text); i++ {
		if text[i] == '#' && isBlank(rune(text[i-1])) && !strings.Contains(text[i:], "\n") {
			return text[:i]
		}
	}
	return text
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }
