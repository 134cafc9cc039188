package vt

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// dcsDispatch executes a device control string. It answers DECRQSS and XTGETTCAP and ignores all others (sixel, DECUDK).
func (t *Terminal) dcsDispatch(final byte, text []byte) {
	t.joinable = false
	s := &t.parser
	switch {
	case s.interN == 1 && s.inter[0] == '$' && final == 'q':
		t.replySetting(string(text))
	case s.interN == 1 && s.inter[0] == '+' && final == 'q':
		t.replyTermcap(string(text))
	default:
		t.unknown++
	}
}

// replySetting is DECRQSS.
func (t *Terminal) replySetting(what string) {
	value := ""
	switch what {
	case "m":
		value = t.pen.sgr() + "m"
	case "r":
		value = fmt.Sprintf("%d;%dr", t.top+1, t.bottom+1)
	case "s":
		value = fmt.Sprintf("%d;%ds", t.left+1, t.right+1)
	case " q":
		value = fmt.Sprintf("%d q", t.shape)
	case `"p`:
		value = `62;1"p`
	default:
		t.reply("\x1bP0$r\x1b\\")
		return
	}
	t.reply("\x1bP1$r" + value + "\x1b\\")
}

// sgr returns the SGR parameters of the style.
func (s Style) sgr() string {
	out := []byte("0")
	for i, n := range []int{1, 2, 3, 5, 7, 8, 9, 53} { // in the order of the attributes
		if s.Attr>>i&1 != 0 {
			out = fmt.Appendf(out, ";%d", n)
		}
	}
	switch u := s.Attr.Underline(); u {
	case NoUnderline:
	case SingleUnderline:
		out = append(out, ";4"...)
	default:
		out = fmt.Appendf(out, ";4:%d", u)
	}
	for i, c := range []Color{s.FG, s.BG, s.UL} {
		out = c.appendSGR(out, i)
	}
	return string(out)
}

// appendSGR appends the parameters for the colour of the foreground (0), background (1) or underline (2).
func (c Color) appendSGR(out []byte, what int) []byte {
	if n, ok := c.Palette(); ok {
		switch {
		case n < 8 && what < 2:
			return fmt.Appendf(out, ";%d", 30+10*what+int(n))
		case n < 16 && what < 2:
			return fmt.Appendf(out, ";%d", 90+10*what+int(n-8))
		}
		return fmt.Appendf(out, ";%d:5:%d", 38+10*what, n)
	}
	if r, g, b, ok := c.RGB(); ok {
		return fmt.Appendf(out, ";%d:2::%d:%d:%d", 38+10*what, r, g, b)
	}
	return out
}

// replyTermcap is XTGETTCAP for what programs ask: the name, the number of colours, direct colours.
func (t *Terminal) replyTermcap(text string) {
	for name := range strings.SplitSeq(text, ";") {
		plain, err := hex.DecodeString(name)
		if err != nil {
			t.reply("\x1bP0+r\x1b\\")
			return
		}
		value := ""
		switch string(plain) {
		case "TN", "name":
			value = "xterm-256color"
		case "Co", "colors":
			value = "256"
		case "RGB":
			value = "8"
		default:
			t.reply("\x1bP0+r" + name + "\x1b\\")
			continue
		}
		t.replyf("\x1bP1+r%s=%X\x1b\\", name, value)
	}
}
