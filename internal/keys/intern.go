package keys

import (
	"sync/atomic"
	"unicode/utf8"
)

// runeIDs remembers the ids of keys beyond ASCII, so that typing on such a layout allocates once a key and not once a
// stroke. It is a cache of fixed size: an id has four places, and when all are taken the first goes.
var runeIDs [256][4]atomic.Pointer[runeEntry]

type runeEntry struct {
	key stroke
	id  string
}

// runeID returns the id of a key that is a character beyond ASCII.
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
