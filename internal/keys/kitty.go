package keys

import (
	"math"
	"unicode/utf8"
)

// EventType is what happened to a key, in the numbers of the Kitty protocol.
type EventType uint8

// A terminal names the event only when it was asked to. Without a name, or with an unknown one, it is NoEvent.
const (
	NoEvent EventType = iota
	Press
	Repeat
	Release
)

// Absent stands for an alternate key that a sequence does not carry.
const Absent int32 = -1

// Kitty is a key in the form of the Kitty keyboard protocol, field by field as it came.
type Kitty struct {
	// Codepoint is the Unicode code point of the unshifted key, a code of the protocol's private range (57344…63743),
	// or for the ~ and letter forms: up -1, down -2, right -3, left -4, delete -10, insert -11, pageUp -12,
	// pageDown -13, home -14, end -15, clear -16, f1 -20 to f12 -31.
	Codepoint     int32
	ShiftedKey    int32  // what shift makes of the key, or Absent
	BaseLayoutKey int32  // the key in that place of the standard layout, or Absent
	Modifier      uint32 // the field less one, lock bits (64 caps, 128 num) included
	Event         EventType
}

// ParseKitty reads a Kitty sequence: CSI … u, CSI number ; modifiers ~, or CSI 1 ; modifiers and a letter. It tells
// what the sequence says, released keys and keys without an id included.
func ParseKitty(data []byte) (Kitty, bool) {
	k, ok := parseKitty(data)
	return k.Kitty, ok
}

// MatchesKitty tells whether data is a Kitty sequence of that code point with exactly these modifiers, lock bits
// aside. The base layout's key counts as [Matches] counts it. Releases match too.
func MatchesKitty(data []byte, codepoint int32, modifier uint32) bool {
	k, ok := parseKitty(data)
	if !ok || (k.Modifier^modifier)&^lockBits != 0 {
		return false
	}
	return k.Codepoint == codepoint || codepoint >= 0 && k.BaseLayoutKey == codepoint && !typesSign(k.Codepoint)
}

// sequence is a parsed Kitty sequence with the one field that only ids are made from.
type sequence struct {
	Kitty
	text int32 // the only code point of the text field, or Absent
}

// stroke names the key of k. See docs/keys.md for the rules of alternates, text and keypad.
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

// typesSign tells whether a reported key types an ASCII letter or symbol. [MatchesKitty] is lax with the other keys: it
// compares numbers, and who asks for the base layout's number asks for that place on the keyboard.
func typesSign(key int32) bool {
	return key > ' ' && key < 127 && (key < '0' || key > '9')
}

// plainASCII tells whether a reported key needs no help from the base layout: it types ASCII or is a key of its own.
func plainASCII(key int32) bool {
	return key >= ' ' && key <= 127 || key == int32(tab) || key == int32(enter) || key == int32(escape)
}

// parseKitty reads any of the three forms. Numbers may have leading zeros, but no number may exceed its type.
func parseKitty(data []byte) (sequence, bool) {
	k := sequence{Kitty: Kitty{ShiftedKey: Absent, BaseLayoutKey: Absent}, text: Absent}
	if len(data) < 4 || data[0] != esc || data[1] != '[' {
		return k, false
	}
	last := len(data) - 1
	p := params{data: data[:last], at: 2}
	var ok bool
	switch final := data[last]; final {
	case 'u':
		ok = k.readUnicode(&p)
	case '~':
		ok = k.readTilde(&p)
	default:
		ok = k.readLetter(&p, final)
	}
	return k, ok && p.done()
}

// readUnicode reads code : shifted : base ; modifiers : event ; text. Everything but the code may be missing.
func (k *sequence) readUnicode(p *params) bool {
	n, ok := p.number()
	if !ok || n > math.MaxInt32 {
		return false
	}
	k.Codepoint = int32(n)
	if p.eat(':') {
		if n, ok = p.number(); ok && n <= math.MaxInt32 {
			k.ShiftedKey = int32(n)
		}
		if p.eat(':') {
			if n, ok = p.number(); !ok || n > math.MaxInt32 {
				return false
			}
			k.BaseLayoutKey = int32(n)
		}
	}
	if !p.eat(';') {
		return true
	}
	if k.Modifier, k.Event, ok = p.modifiers(true); !ok {
		return false
	}
	return !p.eat(';') || k.readText(p)
}

// readText reads the text field, code points between colons. Only a single printable one is kept.
func (k *sequence) readText(p *params) bool {
	count := 0
	for !p.done() {
		if p.eat(':') {
			continue
		}
		n, ok := p.number()
		if !ok {
			return false
		}
		count++
		k.text = Absent
		if count == 1 && n >= ' ' && n <= utf8.MaxRune && utf8.ValidRune(rune(n)) {
			k.text = int32(n)
		}
	}
	return true
}

// readTilde reads number ; modifiers : event.
func (k *sequence) readTilde(p *params) bool {
	n, ok := p.number()
	if !ok || n > 24 {
		return false
	}
	c, ok := tildeCode(n)
	if !ok {
		return false
	}
	k.Codepoint = int32(c)
	k.Modifier, k.Event, ok = p.lastModifiers()
	return ok
}

// readLetter reads 1 ; modifiers : event.
func (k *sequence) readLetter(p *params, final byte) bool {
	c, ok := cursorLetter(final)
	if !ok || !p.eat('1') || !p.eat(';') {
		return false
	}
	k.Codepoint = int32(c)
	k.Modifier, k.Event, ok = p.modifiers(false)
	return ok
}
