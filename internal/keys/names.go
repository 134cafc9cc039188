package keys

import (
	"strings"
	"unicode/utf8"
)

// named returns the key of a code of the Kitty protocol: a code point, or a number of its private range.
func named(n uint32) (code, bool) {
	if n >= 57344 && n <= 63743 {
		return functional(n)
	}
	if n < utf8.RuneSelf {
		return basicKey(n)
	}
	return character(n)
}

// basicKey returns the keys allowed in alternate fields and modifyOtherKeys: ASCII and the keypad's navigation keys.
func basicKey(n uint32) (code, bool) {
	switch {
	case n > ' ' && n <= 0x7f:
		return code(n), true
	case n == uint32(tab), n == uint32(enter), n == uint32(escape), n == uint32(space):
		return code(n), true
	case n >= 57399 && n <= 57409:
		return keypadKey(n), true
	case n == 57414:
		return enter, true
	}
	return 0, false
}

// character returns the key that types a non-ASCII character.
func character(n uint32) (code, bool) {
	return code(n), n <= utf8.MaxRune && nameable(rune(n))
}

// functional returns the key of a code of the Kitty protocol's private range.
func functional(n uint32) (code, bool) {
	switch {
	case n >= 57358 && n <= 57363:
		return capsLock - code(n-57358), true
	case n >= 57376 && n <= 57398:
		return f1 - 12 - code(n-57376), true
	case n == 57416: // the separator of some layouts
		return ',', true
	case n >= 57417 && n <= 57427:
		return keypadNavigation(n), true
	case n >= 57428 && n <= 57440:
		return mediaPlay - code(n-57428), true
	case n >= 57441 && n <= 57454:
		return leftShift - code(n-57441), true
	}
	if c, ok := keypadSign(int32(n)); ok {
		return c, true
	}
	return basicKey(n)
}

// keypadKey returns the second legend of the keypad's digits and its decimal point.
func keypadKey(n uint32) code {
	switch n {
	case 57399:
		return insert
	case 57400:
		return end
	case 57401:
		return down
	case 57402:
		return pageDown
	case 57403:
		return left
	case 57404:
		return clearKey
	case 57405:
		return right
	case 57406:
		return home
	case 57407:
		return up
	case 57408:
		return pageUp
	}
	return del
}

// keypadText returns the first legend of the keypad's digits and its decimal point.
func keypadText(n int32) code {
	if n == 57409 {
		return '.'
	}
	return code(n - 57399 + '0')
}

// keypadSign returns the character of the keypad's operators, which do not depend on num lock.
func keypadSign(n int32) (code, bool) {
	switch n {
	case 57410:
		return '/', true
	case 57411:
		return '*', true
	case 57412:
		return '-', true
	case 57413:
		return '+', true
	case 57415:
		return '=', true
	}
	return 0, false
}

// keypadNavigation returns the keys of a keypad that reports its navigation legends.
func keypadNavigation(n uint32) code {
	switch n {
	case 57417:
		return left
	case 57418:
		return right
	case 57419:
		return up
	case 57420:
		return down
	case 57421:
		return pageUp
	case 57422:
		return pageDown
	case 57423:
		return home
	case 57424:
		return end
	case 57425:
		return insert
	case 57426:
		return del
	}
	return clearKey
}

// parseID parses a key id. It is lenient about case, order, repetition and white space, and strict about everything else.
func parseID(id string) (stroke, bool) {
	var s stroke
	rest := strings.TrimSpace(id)
	for rest != "+" {
		i := strings.IndexByte(rest, '+')
		if i < 0 {
			var ok bool
			s.code, ok = keyName(strings.TrimSpace(rest))
			return s, ok
		}
		m := modName(strings.TrimSpace(rest[:i]))
		if m == 0 {
			return stroke{}, false
		}
		s.mods |= m
		rest = rest[i+1:]
	}
	s.code = '+'
	return s, true
}

func modName(s string) mods {
	switch {
	case strings.EqualFold(s, "ctrl"):
		return ctrl
	case strings.EqualFold(s, "alt"):
		return alt
	case strings.EqualFold(s, "shift"):
		return shift
	}
	return 0
}

// keyName returns the key of a name or of a single character.
func keyName(s string) (code, bool) {
	if len(s) == 1 {
		return code(s[0]), s[0] > ' ' && s[0] < 0x7f
	}
	if len(s) == 0 || s[0] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(s)
		return code(r), n > 0 && n == len(s) && nameable(r)
	}
	var buf [longestName]byte
	if len(s) > len(buf) {
		return 0, false
	}
	for i := range len(s) {
		buf[i] = s[i]
		if s[i] >= 'A' && s[i] <= 'Z' {
			buf[i] += 'a' - 'A'
		}
	}
	return lowerName(buf[:len(s)])
}
