package normalize

import (
	"strings"

	"pi/internal/shelltext"
)

// space is what counts as white space around a command: the shell's own blanks and the carriage
// return of a CRLF line end. Other space characters are parts of words for a shell.
const space = " \t\n\r"

// trim takes the outer white space off a command wherever that cannot change its meaning.
func trim(text string) string {
	text = strings.TrimLeft(text, space)
	short := trimRight(text)
	if len(short) == len(text) || !strings.Contains(text, "<<") {
		return short
	}
	// A here-document's terminator is a whole line and the blanks at its end belong to it; an
	// unterminated one has blank lines as its body. When both texts parse all terminators are
	// found with and without the white space, so it was outside of them. Not so with CRLF, which
	// the parser takes for LF.
	if strings.Contains(text, "\r") {
		return text
	}
	if _, ok := shelltext.Parse(text); !ok {
		return text
	}
	if _, ok := shelltext.Parse(short); !ok {
		return text
	}
	return short
}

// trimRight takes white space off the end, but not a character that a backslash quotes.
func trimRight(text string) string {
	short := strings.TrimRight(text, space)
	if len(short) == len(text) {
		return text
	}
	slashes := len(short) - len(strings.TrimRight(short, `\`))
	if slashes%2 == 1 {
		return text[:len(short)+1]
	}
	return short
}
