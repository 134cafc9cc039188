package sink

import (
	"encoding/binary"
	"math/bits"
)

// Constants that repeat one value in each of the eight bytes of a word.
const (
	eachLow7  = 0x7f7f7f7f7f7f7f7f
	eachHigh  = 0x8080808080808080
	eachTop2  = 0xc0c0c0c0c0c0c0c0
	eachParam = 0x3030303030303030
	eachTop4  = 0xf0f0f0f0f0f0f0f0
)

// special returns a word in which the high bit is set for every byte of w that is not printable ASCII, tab or newline.
// Adding a constant to the low seven bits of a byte sets its high bit from a threshold on and never carries into the
// next byte, so each of the four sums compares eight bytes exactly.
func special(w uint64) uint64 {
	x := w & eachLow7
	printable := x + 0x6060606060606060 // from 0x20 on
	del := x + 0x0101010101010101       // 0x7f
	tab := x + 0x7777777777777777       // from 0x09 on
	past := x + 0x7575757575757575      // from 0x0b on
	return (^(printable&^del | tab&^past) | w) & eachHigh
}

// plain returns the length of the longest prefix of p that needs no sanitising: printable ASCII, tab, newline and valid
// UTF-8 characters other than C1 controls. An incomplete character at the end does not count.
func plain(p []byte) int {
	i := 0
	for {
		i += ascii(p[i:])
		if i == len(p) || p[i] < 0x80 {
			return i
		}
		n := multibyte(p[i:])
		if n == 0 {
			return i
		}
		i += n
	}
}

// ascii returns the length of the longest prefix of p that consists of printable ASCII, tab and newline.
func ascii(p []byte) int {
	i := 0
	for len(p)-i >= 8 {
		if m := special(binary.LittleEndian.Uint64(p[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		if i += 8; i < 64 {
			continue
		}
		for len(p)-i >= 32 { // a long run: four words with one branch
			b := p[i : i+32 : i+32]
			if special(binary.LittleEndian.Uint64(b))|special(binary.LittleEndian.Uint64(b[8:]))|
				special(binary.LittleEndian.Uint64(b[16:]))|special(binary.LittleEndian.Uint64(b[24:])) != 0 {
				break
			}
			i += 32
		}
	}
	for i < len(p) && isPlainASCII(p[i]) {
		i++
	}
	return i
}

func isPlainASCII(c byte) bool {
	return c >= 0x20 && c < 0x7f || c == '\t' || c == '\n'
}

// multibyte returns the length of the run of valid multi-byte characters at the start of p, up to the first byte that
// is ASCII, invalid, incomplete or a C1 control. The ranges are those of table 3-7 of the Unicode Standard.
func multibyte(p []byte) int {
	i := 0
	for len(p)-i >= 3 {
		c0, c1, c2 := p[i], p[i+1], p[i+2]
		switch {
		case c0 >= 0xe1 && c0 <= 0xef && c0 != 0xed && c1&0xc0 == 0x80 && c2&0xc0 == 0x80,
			c0 == 0xe0 && c1&0xe0 == 0xa0 && c2&0xc0 == 0x80, // no overlong forms
			c0 == 0xed && c1&0xe0 == 0x80 && c2&0xc0 == 0x80: // no surrogates
			i += 3
		case c0 >= 0xc3 && c0 <= 0xdf && c1&0xc0 == 0x80, c0 == 0xc2 && c1&0xe0 == 0xa0: // no C1 controls
			i += 2
		case c0 >= 0xf0 && len(p)-i >= 4 && fourBytes(c0, c1) && c2&0xc0 == 0x80 && p[i+3]&0xc0 == 0x80:
			i += 4
		default:
			return i
		}
	}
	if len(p)-i == 2 {
		if c0, c1 := p[i], p[i+1]; c0 >= 0xc3 && c0 <= 0xdf && c1&0xc0 == 0x80 || c0 == 0xc2 && c1&0xe0 == 0xa0 {
			i += 2
		}
	}
	return i
}

// fourBytes reports whether c0 and c1 begin a character between U+10000 and U+10FFFF.
func fourBytes(c0, c1 byte) bool {
	switch {
	case c0 == 0xf0:
		return c1 >= 0x90 && c1 <= 0xbf
	case c0 <= 0xf3:
		return c1&0xc0 == 0x80
	}
	return c0 == 0xf4 && c1 >= 0x80 && c1 <= 0x8f
}
