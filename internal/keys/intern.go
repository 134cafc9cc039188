package keys

import (
	"sync/atomic"
	"unicode/utf8"
)

// runeIDs caches the ids of non-ASCII keys, so that typing on such a layout allocates once per key and not once per
// keystroke. Its size is fixed: an id has four slots, and the first is evicted when all are taken.
var runeIDs [256][4]atomic.Pointer[runeEntry]

type runeEntry struct {
	key stroke
	id  string
}

// runeID returns the id of a key that types a non-ASCII character.
func runeID(s stroke) string {
	places := &runeIDs[(uint32(s.code)+uint32(s.mods)*61)%uint32(len(runeIDs))]
	free := &places[0]
	for i := range places {
		switch e := places[i].Load(); {
		case e == nil:
			free = &places[i]
		case e.key == s:
			return e.id
		}
	}
	prefix := ids['a'][s.mods&allMods]
	id := string(utf8.AppendRune([]byte(prefix[:len(prefix)-1]), rune(s.code)))
	free.Store(&runeEntry{s, id})
	return id
}
