package shelltext

import "strings"

// DoubleQuoted are the only characters before which a backslash is an escape between double quotes.
const DoubleQuoted = "$`\"\\\n"

// Unescape removes the backslashes from a literal of the tree: those before any character or, if special is not empty, before one
// of special. A backslash and a line feed are removed together.
func Unescape(text, special string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (special == "" || strings.IndexByte(special, text[i+1]) >= 0) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
