package vt

// charsets are the designated sets G0…G3 and which is in GL. GR is not used, since text is UTF-8.
type charsets struct {
	g      [4]charset
	gl     uint8
	single uint8 // after SS2 or SS3: 2 or 3, for one character
}

type charset uint8

const (
	charsetASCII charset = iota
	charsetLineDrawing
	charsetUK
)

// current returns the set of the next character.
func (c *charsets) current() charset {
	if c.single != 0 {
		return c.g[c.single]
	}
	return c.g[c.gl]
}

// designate carries out ESC ( final and related commands; slot is 0…3.
func (c *charsets) designate(slot int, final byte) bool {
	switch final {
	case '0', '2':
		c.g[slot] = charsetLineDrawing
	case 'A':
		c.g[slot] = charsetUK
	case 'B', '1':
		c.g[slot] = charsetASCII
	default:
		c.g[slot] = charsetASCII
		return false
	}
	return true
}

// lineDrawing is DEC's Special Graphics, from 0x5f on (VT220 reference manual, table 2-4).
const lineDrawing = " ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"

func (s charset) translate(b byte) rune {
	switch {
	case s == charsetUK && b == '#':
		return '£'
	case s == charsetLineDrawing && b >= 0x5f && b <= 0x7e:
		n := byte(0x5f)
		for _, r := range lineDrawing {
			if n == b {
				return r
			}
			n++
		}
	}
	return rune(b)
}
