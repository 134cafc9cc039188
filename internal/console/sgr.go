package console

import (
	"strconv"

	"pi/internal/vt"
)

// setStyle sets a style on the user's terminal, in the colours that it supports.
func (p *painter) setStyle(s vt.Style) {
	s = p.profile.reduce(s)
	if s == p.style {
		return
	}
	p.style = s
	p.out = appendSGR(p.out, s, p.profile.Color >= Color256)
}

// reduce removes from a style what the terminal cannot show.
func (p Profile) reduce(s vt.Style) vt.Style {
	switch p.Color {
	case TrueColor:
	case NoColor:
		s.FG, s.BG, s.UL = 0, 0, 0
	case Color16:
		s.FG, s.BG, s.UL = p.nearest(s.FG), p.nearest(s.BG), 0
	default:
		s.FG, s.BG, s.UL = p.nearest(s.FG), p.nearest(s.BG), p.nearest(s.UL)
	}
	return s
}

// nearest returns the closest colour of the palette.
func (p Profile) nearest(c vt.Color) vt.Color {
	if n, ok := c.Palette(); ok {
		if n < 16 || p.Color == Color256 {
			return c
		}
		r, g, b := paletteRGB(n)
		return vt.Palette(nearest16(r, g, b))
	}
	r, g, b, ok := c.RGB()
	switch {
	case !ok:
		return c
	case p.Color == Color256:
		return vt.Palette(nearest256(r, g, b))
	}
	return vt.Palette(nearest16(r, g, b))
}

// cube are the levels of the 6×6×6 colours from 16 on.
var cube = [6]uint8{0, 95, 135, 175, 215, 255}

func paletteRGB(n uint8) (r, g, b uint8) {
	if n >= 232 {
		v := 8 + 10*(n-232)
		return v, v, v
	}
	n -= 16
	return cube[n/36], cube[n/6%6], cube[n%6]
}

func nearest256(r, g, b uint8) uint8 {
	best, least := uint8(16), 1<<30
	for i := 16; i < 256; i++ {
		x, y, z := paletteRGB(uint8(i))
		if d := distance(r, g, b, x, y, z); d < least {
			best, least = uint8(i), d
		}
	}
	return best
}

// nearest16 goes by which components are strong: the palette's own values are the user's affair.
func nearest16(r, g, b uint8) uint8 {
	high, low := max(r, g, b), min(r, g, b)
	if high-low < 32 { // a grey
		switch {
		case high < 64:
			return 0
		case high < 128:
			return 8
		case high < 208:
			return 7
		}
		return 15
	}
	mid := low + (high-low)/2
	var n uint8
	for i, c := range [...]uint8{r, g, b} {
		if c > mid {
			n |= 1 << i
		}
	}
	if high > 200 {
		n += 8
	}
	return n
}

func distance(r, g, b, x, y, z uint8) int {
	d := func(p, q uint8) int { return (int(p) - int(q)) * (int(p) - int(q)) }
	return d(r, x) + d(g, y) + d(b, z)
}

// attributes are the SGR parameters of each attribute.
var attributes = [...]struct {
	attr vt.Attr
	sgr  string
}{{vt.Bold, ";1"}, {vt.Faint, ";2"}, {vt.Italic, ";3"}, {vt.Blink, ";5"}, {vt.Inverse, ";7"}, {vt.Conceal, ";8"}, {vt.Strike, ";9"}, {vt.Overline, ";53"}}

// appendSGR writes a style from scratch, so that nothing of the one before stays. Old terminals take the kinds of
// underlines for something else.
func appendSGR(dst []byte, s vt.Style, kinds bool) []byte {
	if s == (vt.Style{}) {
		return append(dst, "\x1b[m"...)
	}
	dst = append(dst, "\x1b[0"...)
	for _, a := range attributes {
		if s.Attr&a.attr != 0 {
			dst = append(dst, a.sgr...)
		}
	}
	switch u := s.Attr.Underline(); {
	case u == vt.NoUnderline:
	case u == vt.SingleUnderline || !kinds:
		dst = append(dst, ";4"...)
	default:
		dst = append(dst, ";4:"...)
		dst = append(dst, '0'+byte(u))
	}
	dst = appendColor(dst, s.FG, 30)
	dst = appendColor(dst, s.BG, 40)
	dst = appendColor(dst, s.UL, 50)
	return append(dst, 'm')
}

// appendColor writes a colour; base is 30 for the foreground, 40 for the background, 50 for the underline.
func appendColor(dst []byte, c vt.Color, base int64) []byte {
	number := func(n int64) {
		dst = append(dst, ';')
		dst = strconv.AppendInt(dst, n, 10)
	}
	if n, ok := c.Palette(); ok {
		switch {
		case n < 8 && base < 50:
			number(base + int64(n))
		case n < 16 && base < 50:
			number(base + 60 + int64(n) - 8)
		default:
			number(base + 8)
			number(5)
			number(int64(n))
		}
		return dst
	}
	if r, g, b, ok := c.RGB(); ok {
		number(base + 8)
		number(2)
		number(int64(r))
		number(int64(g))
		number(int64(b))
	}
	return dst
}
