package vt

// sgr is Select Graphic Rendition.
func (t *Terminal) sgr(p *params) {
	if p.n == 0 {
		t.pen = Style{}
		return
	}
	for i := 0; i < p.n; {
		i = t.sgrOne(p, i)
	}
}

// sgrOne carries out parameter i and returns the index of the next.
func (t *Terminal) sgrOne(p *params, i int) int {
	next := i + 1
	for p.joined(next) {
		next++
	}
	s := &t.pen
	switch n := p.get(i, 0); {
	case n == 0:
		*s = Style{}
	case n == 38 || n == 48 || n == 58:
		c, end, ok := p.color(i, next)
		if ok {
			*s.color(n) = c
		} else {
			t.unknown++
		}
		return end
	case n == 39 || n == 49 || n == 59:
		*s.color(n - 1) = 0
	case n >= 30 && n <= 37:
		s.FG = Palette(uint8(n - 30))
	case n >= 40 && n <= 47:
		s.BG = Palette(uint8(n - 40))
	case n >= 90 && n <= 97:
		s.FG = Palette(uint8(n - 90 + 8))
	case n >= 100 && n <= 107:
		s.BG = Palette(uint8(n - 100 + 8))
	case n == 4 && next > i+1:
		s.Attr = s.Attr.withUnderline(Underline(min(p.get(i+1, 1), int(DashedUnderline))))
	default:
		if !s.attribute(n) {
			t.unknown++
		}
	}
	return next
}

func (s *Style) color(n int) *Color {
	switch n {
	case 38:
		return &s.FG
	case 48:
		return &s.BG
	}
	return &s.UL
}

// attribute switches what has no parameters of its own.
func (s *Style) attribute(n int) bool {
	on := func(a Attr) bool { s.Attr |= a; return true }
	off := func(a Attr) bool { s.Attr &^= a; return true }
	switch n {
	case 1:
		return on(Bold)
	case 2:
		return on(Faint)
	case 3:
		return on(Italic)
	case 4:
		s.Attr = s.Attr.withUnderline(SingleUnderline)
	case 5, 6:
		return on(Blink)
	case 7:
		return on(Inverse)
	case 8:
		return on(Conceal)
	case 9:
		return on(Strike)
	case 21:
		s.Attr = s.Attr.withUnderline(DoubleUnderline)
	case 22:
		return off(Bold | Faint)
	case 23:
		return off(Italic)
	case 24:
		return off(underlineMask)
	case 25:
		return off(Blink)
	case 27:
		return off(Inverse)
	case 28:
		return off(Conceal)
	case 29:
		return off(Strike)
	case 53:
		return on(Overline)
	case 55:
		return off(Overline)
	default:
		return false
	}
	return true
}

// color reads the colour behind parameter i, which is 38, 48 or 58; next is where those that are joined to it with
// colons end. The forms are 38;5;n 38;2;r;g;b 38:5:n 38:2:r:g:b and, of ISO 8613-6, 38:2:space:r:g:b:…
func (p *params) color(i, next int) (c Color, end int, ok bool) {
	kind := p.get(i+1, 0)
	at, end := i+2, next
	if next > i+1 { // colons
		if kind == 2 && next-at > 3 {
			at++ // the colour space
		}
	} else {
		end = map[int]int{2: i + 5, 5: i + 3}[kind]
		if end == 0 {
			end = i + 2
		}
	}
	need := map[int]int{2: 3, 5: 1}[kind]
	if need == 0 || at+need > min(end, p.n) {
		return 0, min(end, p.n), false
	}
	var v [3]uint8
	for k := range need {
		n := p.get(at+k, 0)
		if n > 255 {
			return 0, end, false
		}
		v[k] = uint8(n)
	}
	if kind == 5 {
		return Palette(v[0]), end, true
	}
	return RGB(v[0], v[1], v[2]), end, true
}
