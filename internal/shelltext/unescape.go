package shelltext

import "strings"

// Within double quotes a backslash counts before these characters only.
const DoubleQuoted = "$`\"\\\n"

// Unescape takes the backslashes out of a literal of the tree: those before any character, or, if special is not empty,
// before one of special. With a line feed they go as a whole.
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
