package shelltext

import "strings"

// Quote writes s so that a POSIX shell reads back exactly s. Words of harmless characters stay as they are.
func Quote(s string) string {
	if s != "" && strings.Trim(s, harmless) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// harmless characters mean nothing to a shell, wherever in a word they stand, except for '=' and '~', left out: they
// do at its beginning.
const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%"
