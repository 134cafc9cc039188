package keys

import (
	"unicode"
	"unicode/utf8"
)

const esc = 0x1b

// mods are the modifiers of an id, as bits of the Kitty protocol.
type mods uint8

const (
	shift mods = 1 << iota
	alt
	ctrl
	allMods = shift | alt | ctrl
)

// lockBits are caps lock and num lock in a modifier field. They do not affect the key.
const (
	capsLockBit = 64
	numLockBit  = 128
	lockBits    = capsLockBit | numLockBit
)

// heldMods returns the modifiers of a modifier field minus one. Super, hyper, meta and undefined
// bits cannot appear in an id.
func heldMods(field uint32) (mods, bool) {
	field &^= lockBits
	return mods(field), field&^uint32(allMods) == 0
}

// code is a key: the character it types, or one of the negative numbers below. The printable ones, space included,
// are their Unicode code points; tab, enter, escape and backspace their control bytes.
type code int32

const (
	tab       code = 9
	enter     code = 13
	escape    code = 27
	space     code = 32
	backspace code = 127
)

// The first 31 numbers are the code points that [ParseKitty] reports for the ~ and letter forms.
const (
	up       code = -1
	down     code = -2
	right    code = -3
	left     code = -4
	del      code = -10
	insert   code = -11
	pageUp   code = -12
	pageDown code = -13
	home     code = -14
	end      code = -15
	clearKey code = -16
	f1       code = -20 // f2 is -21, and so on to f35
	f35           = f1 - 34

	capsLock     = f35 - 1 // Kitty 57358 to 57363, in that order
	menu         = capsLock - 5
	mediaPlay    = menu - 1 // Kitty 57428 to 57440
	muteVolume   = mediaPlay - 12
	leftShift    = muteVolume - 1 // Kitty 57441 to 57454
	isoLevel5    = leftShift - 13
	lowestCode   = isoLevel5
	asciiRows    = 128
	negativeRows = int(-lowestCode) + 1
)

// stroke is a key with its modifiers: the common form of bytes and ids for comparison.
type stroke struct {
	code code
	mods mods
}

// id returns the name of s, or "" for a key without one.
func (s stroke) id() string {
	if s.code >= 0 && s.code < asciiRows {
		return ids[s.code][s.mods&allMods]
	}
	return s.farID()
}

// farID is id for non-ASCII keys.
func (s stroke) farID() string {
	switch {
	case s.code < 0 && s.code >= lowestCode:
		return ids[asciiRows+int(-s.code)][s.mods&allMods]
	case nameable(rune(s.code)):
		return runeID(s)
	}
	return ""
}

// nameable reports whether a non-ASCII character can be the name of a key: printable and not white space, which ids
// are trimmed of.
func nameable(r rune) bool {
	return r > 0xa0 && r <= utf8.MaxRune && r != utf8.RuneError && unicode.IsPrint(r)
}
