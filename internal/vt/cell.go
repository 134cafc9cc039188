package vt

import "unicode/utf8"

// Cell is one position of the screen.
type Cell struct {
	Style Style
	// Rune is the character, or a space if there is none. A negative value refers to a grapheme cluster of several code
	// points; [Terminal.AppendCell] returns the text of both.
	Rune rune
	// Width is the number of columns that the character takes: 1, 2, or 0 for the second column of a wide one.
	Width uint8
}

// blank is an empty cell with the background colour bg.
func blank(bg Color) Cell { return Cell{Style: Style{BG: bg}, Rune: ' ', Width: 1} }

// AppendCell appends the text of c, a cell of this terminal, to dst as UTF-8. A cell of width 0 has no text.
func (t *Terminal) AppendCell(dst []byte, c Cell) []byte {
	switch {
	case c.Width == 0:
		return dst
	case c.Rune < 0:
		return append(dst, t.clusters.text(c.Rune)...)
	}
	return utf8.AppendRune(dst, c.Rune)
}

// Style is the graphic rendition of a character. Styles can be compared with ==; the zero value is the default rendition.
type Style struct {
	FG, BG Color
	UL     Color // underline colour; the default colour means that of the foreground
	Attr   Attr
}

// Color is the default colour (the zero value), one of the palette of 256, or RGB.
type Color uint32

const (
	colorPalette Color = 1 << 24
	colorRGB     Color = 2 << 24
)

// Palette returns colour n of the 256.
func Palette(n uint8) Color { return colorPalette | Color(n) }

// RGB returns a direct colour.
func RGB(r, g, b uint8) Color {
	return colorRGB | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// Palette returns the colour's number, and reports whether it is one of the palette.
func (c Color) Palette() (n uint8, ok bool) { return uint8(c), c>>24 == 1 }

// RGB returns the components of a direct colour.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c>>24 == 2
}

// Attr is a set of attributes and an underline style.
type Attr uint32

// The attributes of SGR.
const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Blink
	Inverse
	Conceal
	Strike
	Overline

	underlineShift = 8
	underlineMask  = Attr(7) << underlineShift
)

// Underline is an underline style, numbered as in SGR 4:n.
type Underline uint8

// The underline styles.
const (
	NoUnderline Underline = iota
	SingleUnderline
	DoubleUnderline
	CurlyUnderline
	DottedUnderline
	DashedUnderline
)

// Underline returns the underline style.
func (a Attr) Underline() Underline { return Underline(a & underlineMask >> underlineShift) }

func (a Attr) withUnderline(u Underline) Attr {
	return a&^underlineMask | Attr(u)<<underlineShift
}
