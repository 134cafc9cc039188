package vt

import (
	"strings"
	"unicode"
)

// Obeyed tells of characters that are obeyed instead of shown: control characters by terminals, and by who lays text out
// the separators that end its lines and what overrides its direction (not the marks that only belong to a direction,
// which right-to-left text needs).
func Obeyed(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// Plain makes foreign text fit for one line of a terminal: what is obeyed becomes a blank.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if Obeyed(r) {
			return ' '
		}
		return r
	}, s)
}
