package sink

import "bytes"

// size measures text.
type size struct {
	bytes, newlines int64
	last            byte // the last byte, 0 = no text yet
}

func (z *size) add(p []byte, newlines int) {
	z.bytes += int64(len(p))
	z.newlines += int64(newlines)
	z.last = p[len(p)-1]
}

// lines is the number of lines: a final newline ends the last line and does not start another.
func (z size) lines() int64 {
	if z.last != 0 && z.last != '\n' {
		return z.newlines + 1
	}
	return z.newlines
}

// then measures z's text followed by y's.
func (z size) then(y size) size {
	sum := size{z.bytes + y.bytes, z.newlines + y.newlines, y.last}
	if y.last == 0 {
		sum.last = z.last
	}
	return sum
}

// collector takes the clean text of both streams: it counts it, applies the head limit, keeps the tail and passes
// everything on to the artifact.
//
// The text stands in arrival order, in main. Only a split Tail keeps the passing Stderr text apart, in aside, which
// comes before main: then the text stream, too, is aside followed by main.
type collector struct {
	opt   *Options
	spool *spool

	total     [2]size // the whole text, of aside and of main
	main      tail
	aside     tail
	shown     size // what was given to main
	headLines int64
	ended     bool // HeadEnds and the head has its lines
}

// Indices of total.
const (
	aside = iota
	mainText
)

func (c *collector) init(opt *Options, sp *spool) {
	c.opt, c.spool = opt, sp
	c.main.keep, c.aside.keep = opt.MaxBytes+1, opt.MaxBytes+1
}

// limited reports whether Head and Tail apply to the stream.
func (c *collector) limited(id Stream) bool {
	return !c.opt.Split || id == Stdout
}

// done reports whether nothing further of the stream counts.
func (c *collector) done(id Stream) bool {
	return c.ended && c.limited(id)
}

// full reports whether the head limit lets nothing further of the stream through.
func (c *collector) full(id Stream) bool {
	return c.opt.Head > 0 && c.headLines >= int64(c.opt.Head) && c.limited(id)
}

// commit takes the next text of a stream.
func (c *collector) commit(id Stream, p []byte) {
	if len(p) == 0 || c.done(id) {
		return
	}
	newlines := bytes.Count(p, []byte{'\n'})
	shown, shownLines := p, newlines
	if c.opt.Head > 0 && c.limited(id) {
		shown, shownLines = c.head(p, newlines)
		if c.ended {
			p, newlines = shown, shownLines
		}
	}
	apart := c.opt.Tail > 0 && !c.limited(id)
	if apart {
		c.total[aside].add(p, newlines)
		c.aside.add(p)
	} else {
		c.total[mainText].add(p, newlines)
		if len(shown) > 0 {
			c.shown.add(shown, shownLines)
			c.main.add(shown)
		}
	}
	c.spool.add(p)
	if c.opt.OnText != nil && len(shown) > 0 && (c.opt.Tail == 0 || apart) {
		c.opt.OnText(shown)
	}
}

// head returns the part of p that the head limit lets through, and its newlines.
func (c *collector) head(p []byte, newlines int) ([]byte, int) {
	left := int64(c.opt.Head) - c.headLines
	if int64(newlines) < left {
		c.headLines += int64(newlines)
		return p, newlines
	}
	c.headLines += left
	c.ended = c.opt.HeadEnds
	n := 0
	for range left {
		n += bytes.IndexByte(p[n:], '\n') + 1
	}
	return p[:n], int(left)
}

// whole measures the whole text stream.
func (c *collector) whole() size {
	return c.total[aside].then(c.total[mainText])
}

// compose returns the text to show, at most MaxBytes, and what limited it. It is valid until the next commit.
func (c *collector) compose() (text []byte, by, direction string) {
	text = c.main.bytes()
	if c.shown.bytes < c.total[mainText].bytes {
		by, direction = "lines", "head"
	}
	if n := lastLines(text, c.opt.Tail); n > 0 {
		text, by, direction = text[n:], "lines", "tail"
	}
	if c.total[aside].bytes > 0 {
		text = append(bytes.Clone(c.aside.bytes()), text...)
	}
	if n := cut(text, c.opt.MaxBytes); n > 0 {
		text, by, direction = text[n:], "bytes", "tail"
	}
	return text, by, direction
}

// lastLines returns the shown lines of a Tail limit.
func (c *collector) lastLines() []byte {
	text := c.main.bytes()
	text = text[lastLines(text, c.opt.Tail):]
	return text[cut(text, c.opt.MaxBytes):]
}

// summary describes the collected text.
func (c *collector) summary() Summary {
	text, by, direction := c.compose()
	whole, shown := c.whole(), size{}
	if len(text) > 0 {
		shown.add(text, bytes.Count(text, []byte{'\n'}))
	}
	s := Summary{
		Text:        string(text),
		TotalLines:  whole.lines(),
		TotalBytes:  whole.bytes,
		OutputLines: shown.lines(),
		OutputBytes: shown.bytes,
		ShownEnd:    c.total[aside].then(c.shown).lines(),
	}
	if s.OutputLines > 0 {
		s.ShownStart = s.ShownEnd - s.OutputLines + 1
	}
	if s.OutputBytes < s.TotalBytes {
		s.Truncated, s.TruncatedBy, s.Direction = true, by, direction
	}
	return s
}
