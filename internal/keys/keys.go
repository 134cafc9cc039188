// Package keys names the key sequences that terminals send.
//
// It converts bytes to key ids such as "ctrl+c", "shift+tab", "pageUp" or "f5", and reports whether bytes are the key
// that an id names. All functions use one decoder, so [Matches] is true for any id that [Parse] returned. They keep no
// state, never fail, never panic and, for the keys of the id table, never allocate; they are safe for concurrent use.
// [Reader] splits a raw terminal stream into the bytes of single keys.
//
// It supports single bytes, ESC-prefixed keys, the CSI and SS3 sequences of xterm, rxvt and the Linux console,
// xterm's modifyOtherKeys and the Kitty keyboard protocol. docs/keys.md holds the tables and their
// sources, docs/internals/keys.md the choices where terminals disagree. Mouse and focus reports, replies and pasted text are not keys.
package keys

//go:generate go test -run TestIDsFile -update .

import "unicode/utf8"

// Parse returns the id of the key encoded by data, the bytes of exactly one key, or "" if there is none.
//
// The id is the key's name after its modifiers, always in the order shift+ctrl+alt+. Lock keys are ignored;
// releases, unknown sequences, and keys with super, hyper or meta are not keys. kitty reports that the terminal is
// in Kitty mode, in which ESC and a control byte is not a key.
func Parse(data []byte, kitty bool) (id string, ok bool) {
	if len(data) == 1 && data[0] < utf8.RuneSelf { // fast path for typing, same result as decode
		return decodeByte(data[0]).id(), true
	}
	s, ok := decode(data, kitty)
	if !ok {
		return "", false
	}
	return s.id(), true
}

// Matches reports whether data is the key that id names.
//
// Modifiers and names in id are case-insensitive, may be in any order and may be surrounded by white space; a single
// letter is case-sensitive. Besides the id of [Parse], bytes that two keys share match both (08 is backspace and
// ctrl+h), and an upper-case letter also matches shift and the lower-case one.
func Matches(data []byte, id string, kitty bool) bool {
	got, ok := decode(data, kitty)
	if !ok {
		return false
	}
	want, ok := parseID(id)
	return ok && (got == want || matchesAlias(data, got, want))
}

// MatchesLegacy reports whether data is exactly one of the legacy sequences for id, spelled as by [Parse].
// Modified keys count only if a terminal had a dedicated sequence for them before xterm's parameters.
func MatchesLegacy(data []byte, id string) bool {
	s, ok := decodeClassic(data)
	return ok && s.id() == id
}

// decode is the only decoder. The forms do not overlap; the order is for speed.
func decode(data []byte, kitty bool) (stroke, bool) {
	switch {
	case len(data) == 0:
		return stroke{}, false
	case data[0] != esc || len(data) == 1:
		return decodePlain(data)
	case len(data) == 2 || data[1] >= 0x80:
		return decodeMeta(data[1:], kitty)
	case data[1] == '[':
		return decodeCSI(data)
	case data[1] == 'O':
		return decodeSS3(data)
	case data[1] == esc && (data[2] == '[' || data[2] == 'O') && len(data) > 3:
		s, ok := decode(data[1:], kitty)
		s.mods |= alt
		return s, ok
	}
	return stroke{}, false
}
