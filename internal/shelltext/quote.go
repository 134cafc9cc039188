package shelltext

import "strings"

// Quote returns s as one word that every POSIX shell reads back as s. Words of harmless characters stay as they are.
func Quote(s string) string {
	if s != "" && strings.Trim(s, harmless) == "" {
		return s
	}
	return QuoteAlways(s)
}

// QuoteAlways is [Quote] for places where a bare word could be an alias, a keyword or an assignment.
func QuoteAlways(s string) string {
	if strings.Count(s, "'") < manyQuotes {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s) + `"`
}

// manyQuotes: single quotes are the safest, but bash takes time quadratic in the number of quoted parts of a word.
const manyQuotes = 1000

// QuoteFish returns s as one word that fish reads back as s. Between single quotes fish treats \\ and \' as escapes.
func QuoteFish(s string) string {
	if s != "" && strings.Trim(s, harmless) == "" {
		return s
	}
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

// harmless characters mean nothing to a shell, wherever in a word they stand. '=' and '~' are missing: they do at its
// beginning.
const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%"
