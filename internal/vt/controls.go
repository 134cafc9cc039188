package vt

import (
	"strings"
	"unicode"
)

// IsControl reports whether r controls a terminal or a text layout instead of being displayed: C0 and C1 control
// characters, the line and paragraph separators, and the bidirectional embeddings, overrides and isolates (UAX #9).
// Directional marks such as U+200E are not included, since right-to-left text needs them.
func IsControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// ReplaceControls makes untrusted text safe for one line of a terminal: it replaces each rune for which [IsControl]
// is true with a space.
func ReplaceControls(s string) string {
	return strings.Map(func(r rune) rune {
		if IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
