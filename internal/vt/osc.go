package vt

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

const maxTitle = 1 << 10 // bytes

// oscDispatch executes an operating system command: titles and colour queries. It ignores commands that would act
// outside the screen (clipboard, hyperlinks, working directory, notifications, palette changes).
func (t *Terminal) oscDispatch(text []byte) {
	t.joinable = false
	number, rest, _ := bytes.Cut(text, []byte{';'})
	n, err := strconv.Atoi(string(number))
	if err != nil {
		t.unknown++
		return
	}
	switch n {
	case 0, 2:
		t.title = cleanTitle(rest)
	case 4:
		t.replyPalette(string(rest))
	case 10, 11, 12:
		t.replyDefaultColors(n, string(rest))
	case 1, 7, 8, 9, 52, 104, 110, 111, 112, 133, 777, 1337:
	default:
		t.unknown++
	}
}

// cleanTitle makes a title safe to show: valid UTF-8, no control characters, bounded.
func cleanTitle(b []byte) string {
	b = b[:min(len(b), maxTitle)]
	s := strings.Map(func(r rune) rune {
		if IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(b), string(utf8.RuneError)))
	return strings.TrimSpace(s)
}

// replyPalette answers OSC 4 ; n ; ? ; …
func (t *Terminal) replyPalette(rest string) {
	for rest != "" {
		var number, value string
		number, rest, _ = strings.Cut(rest, ";")
		value, rest, _ = strings.Cut(rest, ";")
		n, err := strconv.Atoi(number)
		if err == nil && n >= 0 && n < 256 && value == "?" {
			t.replyf("\x1b]4;%d;%s\x1b\\", n, spec(paletteRGB(uint8(n))))
		}
	}
}

// replyDefaultColors answers OSC 10 ; ? and related commands; each further value is for the next number.
func (t *Terminal) replyDefaultColors(n int, rest string) {
	fg, bg := t.defaultColors()
	for value := range strings.SplitSeq(rest, ";") {
		if n > 12 {
			return
		}
		c := fg
		if n == 11 {
			c = bg
		}
		if value == "?" {
			t.replyf("\x1b]%d;%s\x1b\\", n, spec(c))
		}
		n++
	}
}

func (t *Terminal) defaultColors() (fg, bg Color) {
	fg, bg = RGB(0xe5, 0xe5, 0xe5), RGB(0, 0, 0)
	if t.opts.Foreground>>24 == 2 {
		fg = t.opts.Foreground
	}
	if t.opts.Background>>24 == 2 {
		bg = t.opts.Background
	}
	return fg, bg
}

// spec returns c as XParseColor writes it.
func spec(c Color) string {
	r, g, b, _ := c.RGB()
	const hex = "0123456789abcdef"
	out := []byte("rgb:")
	for i, v := range []uint8{r, g, b} {
		if i > 0 {
			out = append(out, '/')
		}
		high, low := hex[v>>4], hex[v&15]
		out = append(out, high, low, high, low)
	}
	return string(out)
}

func luminance(c Color) int {
	r, g, b, _ := c.RGB()
	return (299*int(r) + 587*int(g) + 114*int(b)) / 1000
}

// paletteRGB returns xterm's colour n of 256: sixteen named ones, a cube of 6×6×6, 24 greys.
func paletteRGB(n uint8) Color {
	named := [16]Color{
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	}
	switch {
	case n < 16:
		return colorRGB | named[n]
	case n < 232:
		n -= 16
		return RGB(cube(n/36), cube(n/6%6), cube(n%6))
	}
	v := 8 + 10*(n-232)
	return RGB(v, v, v)
}

func cube(n uint8) uint8 {
	if n == 0 {
		return 0
	}
	return 55 + 40*n
}
