package keys

import (
	"sync/atomic"
	"unicode/utf8"
)

// runeIDs remembers the ids of keys beyond ASCII, so that typing on such a layout allocates once a key and not once a
// stroke. Two keys in one place replace each other; nothing depends on an entry being there.
var runeIDs [256]atomic.Pointer[runeEntry]

type runeEntry struct {
	key stroke
	id  string
}

// runeID gives the id of a key that is a character beyond ASCII.
func runeID(s stroke) string {
	slot := &runeIDs[(uint32(s.code)*8+uint32(s.mods&allMods))%uint32(len(runeIDs))]
	if e := slot.Load(); e != nil && e.key == s {
		return e.id
	}
	prefix := ids['a'][s.mods&allMods]
	id := append([]byte(prefix[:len(prefix)-1]), utf8Of(s.code)...)
	e := &runeEntry{s, string(id)}
	slot.Store(e)
	return e.id
}

func utf8Of(c code) []byte { return utf8.AppendRune(nil, rune(c)) }
