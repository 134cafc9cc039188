// Package keys names the key sequences that terminals send.
//
// It turns bytes into key ids such as "ctrl+c", "shift+tab", "pageUp" or "f5", and reports whether bytes are the key
// that an id means. All functions stand on one decoder, so [Matches] holds for whatever id [Parse] gave. They keep no
// state, never fail, never panic and, for the keys of the id table, never allocate; they are safe for concurrent use.
// What the bytes of one key are is decided by [Reader], which splits a raw terminal stream.
//
// Understood are single bytes, ESC-prefixed keys, the CSI and SS3 sequences of xterm, rxvt and the Linux console,
// xterm's modifyOtherKeys and the Kitty keyboard protocol. docs/keys.md holds the tables and their
// sources, docs/internals/keys.md the choices made where terminals disagree. Mouse and focus reports, replies and pasted text are no keys here.
package keys

//go:generate go test -run TestIDsFile -update .

import "unicode/utf8"

// Parse returns the id of the key that data, the bytes of exactly one key, stand for.
//
// The id is the key's name behind the modifiers held, always in the order shift+ctrl+alt+. Lock keys are ignored;
// releases, unknown sequences, and keys with super, hyper or meta held are no key. kitty says that the terminal was
// asked for the Kitty protocol, in which ESC and a control byte is no longer a key.
func Parse(data []byte, kitty bool) (id string, ok bool) {
	if len(data) == 1 && data[0] < utf8.RuneSelf { // what decode would say, for the sake of typing
		return decodeByte(data[0]).id(), true
	}
	s, ok := decode(data, kitty)
	if !ok {
		return "", false
	}
	return s.id(), true
}

// Matches reports whether data is the key that id means.
//
// Modifiers and names in id are case-insensitive, may come in any order and may be surrounded by white space; a single
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

// MatchesLegacy reports whether data is exactly one of the classic sequences that id, in the spelling of [Parse], stands
// for. Modified keys count only where a terminal had a sequence of its own for them before xterm's parameters.
func MatchesLegacy(data []byte, id string) bool {
	s, ok := decodeClassic(data)
	return ok && s.id() == id
}

// decode is the one way from bytes to a key. The forms do not overlap; the order is for speed.
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
