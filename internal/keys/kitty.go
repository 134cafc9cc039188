package keys

import (
	"math"
	"unicode/utf8"
)

// EventType is the type of a key event, numbered as in the Kitty protocol.
type EventType uint8

// A terminal reports the event type only on request. A missing or unknown type is NoEvent.
const (
	NoEvent EventType = iota
	Press
	Repeat
	Release
)

// Absent means that a sequence does not carry an alternate key.
const Absent int32 = -1

// Kitty is a key in the form of the Kitty keyboard protocol, with its fields as received.
type Kitty struct {
	// Codepoint is the Unicode code point of the unshifted key, a code of the protocol's private range (57344…63743),
	// or for the ~ and letter forms: up -1, down -2, right -3, left -4, delete -10, insert -11, pageUp -12,
	// pageDown -13, home -14, end -15, clear -16, f1 -20 to f12 -31.
	Codepoint     int32
	ShiftedKey    int32  // the key with shift, or Absent
	BaseLayoutKey int32  // the key at that position in the standard layout, or Absent
	Modifier      uint32 // the field minus one, including lock bits (64 caps, 128 num)
	Event         EventType
}

// ParseKitty parses a Kitty sequence: CSI … u, CSI number ; modifiers ~, or CSI 1 ; modifiers and a letter. It returns
// all fields, also of released keys and keys without an id.
func ParseKitty(data []byte) (Kitty, bool) {
	var k sequence
	if !k.parse(data) {
		return Kitty{}, false
	}
	return k.Kitty, true
}

// MatchesKitty reports whether data is a Kitty sequence of that code point with exactly these modifiers, lock bits
// ignored. The base layout key counts as in [Matches]. Releases match too.
func MatchesKitty(data []byte, codepoint int32, modifier uint32) bool {
	var k sequence
	if !k.parse(data) || (k.Modifier^modifier)&^lockBits != 0 {
		return false
	}
	return k.Codepoint == codepoint || codepoint >= 0 && k.BaseLayoutKey == codepoint && !typesSign(k.Codepoint)
}

// sequence is a parsed Kitty sequence with the field that only ids need.
type sequence struct {
	Kitty
	text int32 // the only code point of the text field, or Absent
}

// stroke returns the key of k. See docs/internals/keys.md for the rules of alternates, text and keypad.
func (k *sequence) stroke() (stroke, bool) {
	m, ok := heldMods(k.Modifier)
	if !ok || k.Event == Release {
		return stroke{}, false
	}
	if k.Codepoint < 0 {
		return stroke{code(k.Codepoint), m}, true
	}
	if m == 0 && k.text != Absent {
		if c, ok := basicKey(uint32(k.text)); ok {
			return stroke{code: c}, true
		}
	}
	key := k.Codepoint
	switch op, ok := keypadSign(key); {
	case ok:
		return stroke{op, m}, true
	case m == 0 && k.Modifier&numLockBit != 0 && key >= 57399 && key <= 57409:
		return stroke{code: keypadText(key)}, true
	case k.BaseLayoutKey != Absent && !plainASCII(key):
		c, ok := basicKey(uint32(k.BaseLayoutKey))
		if !ok {
			c, ok = character(uint32(key))
		}
		return stroke{c, m}, ok
	}
	c, ok := named(uint32(key))
	return stroke{c, m}, ok
}

// typesSign reports whether a reported key types an ASCII letter or symbol. [MatchesKitty] is lax with the other keys: it
// compares numbers, and who asks for the base layout's number asks for that place on the keyboard.
func typesSign(key int32) bool {
	return key > ' ' && key < 127 && (key < '0' || key > '9')
}

// plainASCII reports whether a reported key does not need the base layout: it types ASCII or is a functional key.
func plainASCII(key int32) bool {
	return key >= ' ' && key <= 127 || key == int32(tab) || key == int32(enter) || key == int32(escape)
}

// parse parses any of the three forms into the zero sequence. Numbers may have leading zeros, but must not exceed their
// type.
func (k *sequence) parse(data []byte) bool {
	if len(data) < 4 || data[0] != esc || data[1] != '[' {
		return false
	}
	k.ShiftedKey, k.BaseLayoutKey, k.text = Absent, Absent, Absent
	last := len(data) - 1
	body := data[:last]
	switch final := data[last]; final {
	case 'u':
		return k.readUnicode(body) == last
	case '~':
		return k.readTilde(body) == last
	default:
		return k.readLetter(body, final) == last
	}
}

// readUnicode parses code : shifted : base ; modifiers : event ; text. Everything but the code may be missing.
func (k *sequence) readUnicode(b []byte) int {
	n, i := number(b, 2)
	if i < 0 || n > math.MaxInt32 {
		return -1
	}
	k.Codepoint = int32(n)
	if at(b, i, ':') {
		if i = k.readAlternates(b, i+1); i < 0 {
			return -1
		}
	}
	if !at(b, i, ';') {
		return i
	}
	if i++; atDigit(b, i) {
		k.Modifier, k.Event, i = modifiers(b, i)
	} else {
		k.Event, i = eventField(b, i)
	}
	if i < 0 || !at(b, i, ';') {
		return i
	}
	return k.readText(b, i+1)
}

// readAlternates parses shifted : base. The shifted key may be missing, and so may a colon with the base after it.
func (k *sequence) readAlternates(b []byte, i int) int {
	if atDigit(b, i) {
		n, next := number(b, i)
		if next < 0 {
			return -1
		}
		if i = next; n <= math.MaxInt32 {
			k.ShiftedKey = int32(n)
		}
	}
	if !at(b, i, ':') {
		return i
	}
	n, i := number(b, i+1)
	if i < 0 || n > math.MaxInt32 {
		return -1
	}
	k.BaseLayoutKey = int32(n)
	return i
}

// readText parses the text field, code points between colons. It keeps only a single printable one.
func (k *sequence) readText(b []byte, i int) int {
	for count := 0; i < len(b); {
		if b[i] == ':' {
			i++
			continue
		}
		n, next := number(b, i)
		if next < 0 {
			return -1
		}
		i = next
		count++
		k.text = Absent
		if count == 1 && n >= ' ' && n <= utf8.MaxRune && utf8.ValidRune(rune(n)) {
			k.text = int32(n)
		}
	}
	return i
}

// readTilde parses number ; modifiers : event, for the numbers up to f12.
func (k *sequence) readTilde(b []byte) int {
	n, i := number(b, 2)
	if i < 0 || n > 24 || tildeCode(n) == 0 {
		return -1
	}
	k.Codepoint = int32(tildeCode(n))
	k.Modifier, k.Event, i = lastModifiers(b, i)
	return i
}

// readLetter parses 1 ; modifiers : event.
func (k *sequence) readLetter(b []byte, final byte) int {
	c := cursorCode(final)
	if c == 0 || b[2] != '1' || !at(b, 3, ';') {
		return -1
	}
	k.Codepoint = int32(c)
	var i int
	k.Modifier, k.Event, i = modifiers(b, 4)
	return i
}
