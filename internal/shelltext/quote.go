package shelltext

import "strings"

// Quote returns s as one word that every POSIX shell, and fish, reads back as s. Words of harmless characters stay as they are.
func Quote(s string) string {
	if s != "" && s[0] != '%' && strings.Trim(s, harmless) == "" { // fish replaces %self
		return s
	}
	return QuoteAlways(s)
}

// QuoteAlways is [Quote] for places where a bare word could be an alias, a keyword or an assignment.
func QuoteAlways(s string) string {
	if strings.Count(s, "'")+strings.Count(s, `\`) < manyQuotes {
		return quoteSingly(s)
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s) + `"`
}

// manyQuotes: single quotes are the safest, but bash takes time quadratic in the number of quoted parts of a word. Beyond it only
// POSIX shells read the word back: for fish a backtick between double quotes needs no backslash.
const manyQuotes = 1000

// quoteSingly puts s in single quotes. Quotes stand outside of them with a backslash, and so does a backslash before a quote,
// another backslash or the end, because only there fish treats it as an escape.
func quoteSingly(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('\'')
	for {
		i := strings.IndexAny(s, `'\`)
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		if s[i] == '\'' || i+1 == len(s) || s[i+1] == '\'' || s[i+1] == '\\' {
			b.WriteString(`'\`)
			b.WriteByte(s[i])
			b.WriteByte('\'')
		} else {
			b.WriteByte(s[i])
		}
		s = s[i+1:]
	}
	b.WriteString(s)
	b.WriteByte('\'')
	return b.String()
}

// QuoteFish returns s as one word that fish reads back as s, however long. Between single quotes fish treats \\ and \' as escapes.
func QuoteFish(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

// harmless characters mean nothing to a shell, wherever in a word they stand. '=' and '~' are missing: they do at its
// beginning.
const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%"
