package sink

import "bytes"

// size is the size of a piece of text.
type size struct {
	bytes, newlines int64
	last            byte // the last byte; 0 means no text yet
}

func (z *size) add(p []byte, newlines int) {
	z.bytes += int64(len(p))
	z.newlines += int64(newlines)
	z.last = p[len(p)-1]
}

// lines returns the number of lines: a final newline ends the last line and does not start another.
func (z size) lines() int64 {
	if z.last != 0 && z.last != '\n' {
		return z.newlines + 1
	}
	return z.newlines
}

// plus returns the size of z's text followed by y's.
func (z size) plus(y size) size {
	sum := size{z.bytes + y.bytes, z.newlines + y.newlines, y.last}
	if y.last == 0 {
		sum.last = z.last
	}
	return sum
}

// collector receives the clean text of both streams: it counts the text, applies the head limit, keeps the tail and
// passes everything on to the artifact.
//
// mainTail holds the text in arrival order. Only with a split Tail does the unlimited Stderr text go to stderrTail
// instead; it then comes before the text of mainTail, in the shown text and in the text stream.
type collector struct {
	opt   *Options
	spool *spool

	total      [2]size // the complete text, indexed by stderrText and mainText
	mainTail   tail
	stderrTail tail
	shown      size  // the text added to mainTail
	headLines  int64 // lines counted towards the head limit
	ended      bool  // the HeadEnds limit has been reached
}

// Indices of total.
const (
	stderrText = iota
	mainText
)

func (c *collector) init(opt *Options, sp *spool) {
	c.opt, c.spool = opt, sp
	c.mainTail.keep, c.stderrTail.keep = opt.MaxBytes+1, opt.MaxBytes+1
}

// limited reports whether Head and Tail apply to the stream.
func (c *collector) limited(id Stream) bool {
	return !c.opt.Split || id == Stdout
}

// done reports whether further text of the stream is ignored.
func (c *collector) done(id Stream) bool {
	return c.ended && c.limited(id)
}

// full reports whether the head limit for the stream has been reached.
func (c *collector) full(id Stream) bool {
	return c.opt.Head > 0 && c.headLines >= int64(c.opt.Head) && c.limited(id)
}

// commit adds the next text of a stream.
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
	separate := c.opt.Tail > 0 && !c.limited(id)
	if separate {
		c.total[stderrText].add(p, newlines)
		c.stderrTail.add(p)
	} else {
		c.total[mainText].add(p, newlines)
		if len(shown) > 0 {
			c.shown.add(shown, shownLines)
			c.mainTail.add(shown)
		}
	}
	c.spool.add(p)
	if c.opt.OnText != nil && len(shown) > 0 && (c.opt.Tail == 0 || separate) {
		c.opt.OnText(shown)
	}
}

// head returns the part of p within the head limit and the number of its newlines.
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

// totalSize returns the size of the complete text stream.
func (c *collector) totalSize() size {
	return c.total[stderrText].plus(c.total[mainText])
}

// compose returns the text to show, at most MaxBytes, and which limit shortened it (empty: none). The text is valid
// until the next commit.
func (c *collector) compose() (text []byte, by, direction string) {
	text = c.mainTail.bytes()
	if c.shown.bytes < c.total[mainText].bytes {
		by, direction = "lines", "head"
	}
	if n := lastLines(text, c.opt.Tail); n > 0 {
		text, by, direction = text[n:], "lines", "tail"
	}
	if c.total[stderrText].bytes > 0 {
		text = append(bytes.Clone(c.stderrTail.bytes()), text...)
	}
	if n := cut(text, c.opt.MaxBytes); n > 0 {
		text, by, direction = text[n:], "bytes", "tail"
	}
	return text, by, direction
}

// lastLines returns the lines that a Tail limit shows.
func (c *collector) lastLines() []byte {
	text := c.mainTail.bytes()
	text = text[lastLines(text, c.opt.Tail):]
	return text[cut(text, c.opt.MaxBytes):]
}

// summary returns the summary of the collected text, without the artifact.
func (c *collector) summary() Summary {
	text, by, direction := c.compose()
	total, shown := c.totalSize(), size{}
	if len(text) > 0 {
		shown.add(text, bytes.Count(text, []byte{'\n'}))
	}
	s := Summary{
		Text:        string(text),
		TotalLines:  total.lines(),
		TotalBytes:  total.bytes,
		OutputLines: shown.lines(),
		OutputBytes: shown.bytes,
		ShownEnd:    c.total[stderrText].plus(c.shown).lines(),
	}
	if s.OutputLines > 0 {
		s.ShownStart = s.ShownEnd - s.OutputLines + 1
	}
	if s.OutputBytes < s.TotalBytes {
		s.Truncated, s.TruncatedBy, s.Direction = true, by, direction
	}
	return s
}
