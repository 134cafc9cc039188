package sink

import (
	"strings"
	"unicode/utf8"
)

// reference is a slow and simple implementation: it has the complete input and works character by character. It returns
// the clean text of one stream.
func reference(in []byte, mode CarriageReturn, maxLine int) string {
	var l refLine
	l.maxLine = maxLine
	skipLF := false
	for len(in) > 0 {
		if in[0] == esc {
			n := refEscape(in)
			if mode == Collapse {
				l.erase(string(in[:n]))
			}
			in = in[n:]
			continue
		}
		r, n := utf8.DecodeRune(in)
		in = in[n:]
		switch {
		case r == '\r' && mode == Collapse:
			l.home()
		case r == '\r' && mode == Newline:
			l.newline()
			skipLF = true
			continue
		case r == '\n' && skipLF:
		case r == '\n':
			l.newline()
		case r == '\t' || r >= 0x20 && r < 0x7f || r >= 0xa0:
			l.write(r)
		}
		skipLF = false
	}
	l.out.WriteString(string(l.left) + string(l.right))
	return l.out.String()
}

// refLine is the current line as characters before and after the cursor.
type refLine struct {
	out         strings.Builder
	left, right []rune
	bytes       int // the size of left
	erased      int // the number of characters of left that were erased
	maxLine     int
}

func (l *refLine) write(r rune) {
	if l.bytes+utf8.RuneLen(r) > l.maxLine {
		l.commit()
	}
	l.left = append(l.left, r)
	l.bytes += utf8.RuneLen(r)
	if len(l.right) > 0 {
		l.right = l.right[1:]
	}
}

func (l *refLine) commit() {
	l.out.WriteString(string(l.left))
	l.left, l.bytes, l.erased = nil, 0, 0
}

func (l *refLine) newline() {
	l.out.WriteString(string(l.left) + string(l.right) + "\n")
	l.left, l.right, l.bytes, l.erased = nil, nil, 0, 0
}

func (l *refLine) home() {
	if l.erased > 0 {
		for i := range l.erased {
			l.left[i] = ' '
		}
		if l.erased == len(l.left) && len(l.right) == 0 {
			l.left = nil
		}
		l.erased = 0
	}
	if len(string(l.left))+len(string(l.right)) > l.maxLine {
		l.commit()
	}
	l.left, l.right, l.bytes = nil, append(append([]rune(nil), l.left...), l.right...), 0
}

func (l *refLine) erase(seq string) {
	switch seq {
	case "\x1b[K", "\x1b[0K":
		l.right = nil
	case "\x1b[1K":
		l.erased = len(l.left)
		if len(l.right) > 0 {
			l.right[0] = ' '
		}
	case "\x1b[2K":
		l.erased, l.right = len(l.left), nil
	}
}

// refEscape returns the length of the escape sequence at the start of in, which begins with ESC.
func refEscape(in []byte) int {
	b := string(in[:min(len(in), maxSequence)])
	between := func(i int, lo, hi byte) bool { return i < len(b) && b[i] >= lo && b[i] <= hi }
	i := 1
	switch {
	case between(1, '[', '['):
		for i = 2; between(i, 0x30, 0x3f); i++ {
		}
		for ; between(i, 0x20, 0x2f); i++ {
		}
		if between(i, 0x40, 0x7e) {
			i++
		}
		return i
	case len(b) > 1 && strings.IndexByte("]PX^_", b[1]) >= 0:
		for i = 2; i < len(b); i++ {
			if b[1] == ']' && b[i] == '\a' {
				return i + 1
			}
			if strings.HasPrefix(b[i:], "\x1b\\") {
				return i + 2
			}
		}
		if nl := strings.IndexByte(b, '\n'); nl >= 0 {
			return nl
		}
		return len(b)
	}
	for between(i, 0x20, 0x2f) {
		i++
	}
	if between(i, 0x30, 0x7e) {
		return i + 1
	}
	return 1
}

// refSummary applies the limits to the text of one stream, with lines as strings.
func refSummary(text string, opt Options) Summary {
	max := opt.MaxBytes
	if max == 0 {
		max = DefaultMaxBytes
	}
	limited := strings.SplitAfter(text, "\n")
	if limited[len(limited)-1] == "" {
		limited = limited[:len(limited)-1]
	}
	by, direction := "", ""
	head := opt.Head > 0 && len(limited) > opt.Head
	if complete := strings.Count(text, "\n") >= opt.Head; opt.Head > 0 && (head || complete) {
		limited = limited[:opt.Head]
		if opt.HeadEnds {
			text = strings.Join(limited, "")
		} else if head {
			by, direction = "lines", "head"
		}
	}
	end := len(limited)
	total := strings.SplitAfter(text, "\n")
	if total[len(total)-1] == "" {
		total = total[:len(total)-1]
	}
	if opt.Tail > 0 && len(limited) > opt.Tail {
		limited = limited[len(limited)-opt.Tail:]
		by, direction = "lines", "tail"
	}
	shown := strings.Join(limited, "")
	if len(shown) > max {
		by, direction = "bytes", "tail"
		shown = refCut(shown, max)
	}
	s := Summary{Text: shown, TotalLines: int64(len(total)), TotalBytes: int64(len(text)), OutputBytes: int64(len(shown))}
	if shown != "" {
		s.OutputLines = int64(strings.Count(strings.TrimSuffix(shown, "\n"), "\n") + 1)
		s.ShownEnd = int64(end)
		s.ShownStart = s.ShownEnd - s.OutputLines + 1
	}
	s.Truncated, s.TruncatedBy, s.Direction = by != "", by, direction
	return s
}

// refCut returns the end of text that fits into max bytes.
func refCut(text string, max int) string {
	n := len(text) - max
	if text[n-1] == '\n' {
		return text[n:]
	}
	for i := n; i < n+max/8; i++ {
		if text[i] == '\n' && i+1 < len(text) {
			return text[i+1:]
		}
	}
	for n < len(text)-1 && !utf8.RuneStart(text[n]) {
		n++
	}
	return text[n:]
}
