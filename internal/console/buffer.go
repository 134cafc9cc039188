package console

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// buffer is a text that is being edited. Positions are byte offsets between characters as people see them (grapheme
// clusters).
type buffer struct {
	text string
	pos  int
	kill string // the text cut last, for yank
}

func (b *buffer) set(text string) { b.text, b.pos = text, len(text) }

func (b *buffer) insert(s string) {
	b.text = b.text[:b.pos] + s + b.text[b.pos:]
	b.pos += len(s)
}

// prev and next return the boundaries of the characters around the cursor.
func (b *buffer) prev() int {
	start := b.lineStart()
	if start == b.pos {
		return max(0, b.pos-1) // the newline
	}
	at := start
	for g := displaywidth.StringGraphemes(b.text[start:b.pos]); g.Next(); {
		if n := len(g.Value()); start+n < b.pos {
			at, start = start+n, start+n
		}
	}
	return at
}

func (b *buffer) next() int {
	g := displaywidth.StringGraphemes(b.text[b.pos:])
	if !g.Next() {
		return b.pos
	}
	return b.pos + len(g.Value())
}

func (b *buffer) lineStart() int { return strings.LastIndexByte(b.text[:b.pos], '\n') + 1 }

func (b *buffer) lineEnd() int {
	if i := strings.IndexByte(b.text[b.pos:], '\n'); i >= 0 {
		return b.pos + i
	}
	return len(b.text)
}

// wordStart and wordEnd return word boundaries, where words are letters and digits, as for alt+b and alt+f.
func (b *buffer) wordStart() int {
	s := strings.TrimRightFunc(b.text[:b.pos], notWord)
	return len(strings.TrimRightFunc(s, isWord))
}

func (b *buffer) wordEnd() int {
	s := strings.TrimLeftFunc(b.text[b.pos:], notWord)
	return len(b.text) - len(strings.TrimLeftFunc(s, isWord))
}

// blankStart returns the start of a word delimited by blanks, as for ctrl+w.
func (b *buffer) blankStart() int {
	s := strings.TrimRightFunc(b.text[:b.pos], unicode.IsSpace)
	return len(strings.TrimRightFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }))
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}
func notWord(r rune) bool { return !isWord(r) }

// remove deletes the text between the cursor and at; cut also keeps it for yank.
func (b *buffer) remove(at int) (was string) {
	from, to := min(at, b.pos), max(at, b.pos)
	was = b.text[from:to]
	b.text = b.text[:from] + b.text[to:]
	b.pos = from
	return was
}

func (b *buffer) cut(at int) {
	if s := b.remove(at); s != "" {
		b.kill = s
	}
}

// transpose swaps the characters around the cursor, or the last two at the end.
func (b *buffer) transpose() {
	if b.pos == b.lineEnd() {
		b.pos = b.prev()
	}
	left, right := b.prev(), b.next()
	if left == b.pos || right == b.pos || strings.Contains(b.text[left:right], "\n") {
		return
	}
	b.text = b.text[:left] + b.text[b.pos:right] + b.text[left:b.pos] + b.text[right:]
	b.pos = right
}

// vertical moves to the line above (-1) or below (1), in the same column if possible. It reports whether there is one.
func (b *buffer) vertical(dir int) bool {
	start := b.lineStart()
	col := 0
	for g := displaywidth.StringGraphemes(b.text[start:b.pos]); g.Next(); {
		col++
	}
	switch {
	case dir < 0 && start == 0, dir > 0 && b.lineEnd() == len(b.text):
		return false
	case dir < 0:
		b.pos = start - 1
		b.pos = b.lineStart()
	default:
		b.pos = b.lineEnd() + 1
	}
	for end := b.lineEnd(); col > 0 && b.pos < end; col-- {
		b.pos = b.next()
	}
	return true
}

// typed prepares typed or pasted text for a command: line ends become newlines, tabs stay, other control
// characters are removed.
func typed(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}
