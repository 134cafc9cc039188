package keys

import (
	"bytes"
	"unicode/utf8"
)

// textRun returns the length of the text that b starts with, without an incomplete last character. If late,
// the last character counts as complete.
func textRun(b []byte, late bool) int {
	n := 0
	for n < len(b) && b[n] >= ' ' && b[n] != 0x7f {
		n++
	}
	if n < len(b) || late {
		return n
	}
	for back := 1; back < utf8.UTFMax && back <= n; back++ {
		if c := b[n-back]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[n-back:]) {
				return n - back
			}
			break
		}
	}
	return n
}

// ending is the outcome of a scan.
type ending uint8

const (
	more   ending = iota // needs more bytes
	whole                // ends before the index
	broken               // the byte at the index cannot be part of it
)

// scanCSI scans for the end of a CSI sequence from index i, after the introducer.
func scanCSI(b []byte, i int) (int, ending) {
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c < ' ' || c >= 0x7f:
			return i, broken
		case c >= '@':
			return i + 1, whole
		}
	}
	return i, more
}

// rxvtShift returns the length of CSI, a number of one or two digits, and $: rxvt's encoding of shift, with what is
// elsewhere an intermediate byte. It returns 0 if b starts with something else.
func rxvtShift(b []byte) int {
	switch {
	case len(b) > 3 && b[2]-'0' <= 9 && b[3] == '$':
		return 4
	case len(b) > 4 && b[2]-'0' <= 9 && b[3]-'0' <= 9 && b[4] == '$':
		return 5
	}
	return 0
}

// scanMouse scans for the end of CSI M, which is followed by three bytes from space up.
func scanMouse(b []byte) (int, ending) {
	for i := 3; i < 6; i++ {
		if i >= len(b) {
			return i, more
		}
		if b[i] < ' ' {
			return i, broken
		}
	}
	return 6, whole
}

// scanOrphan scans for the rest of a mouse report whose ESC arrived so early that it was taken for the key. Nobody types
// these bytes at once, and they must not become text.
func scanOrphan(b []byte) (int, ending) {
	const head, longest = "[<", len("[<223;9999;9999M")
	for i, c := range b {
		switch {
		case i < len(head):
			if c != head[i] {
				return i, broken
			}
		case i > len(head) && (c == 'M' || c == 'm'):
			return i + 1, whole
		case c != ';' && (c < '0' || c > '9') || i == longest:
			return i, broken
		}
	}
	return len(b), more
}

const maxSS3 = len("\x1bO1;16P") + 1

// scanSS3 scans for the end of SS3: one byte, or old xterm's modifier digits and one byte.
func scanSS3(b []byte) (int, ending) {
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case c <= ' ' || c >= 0x7f || i == maxSS3:
			return i, broken
		case c != ';' && (c < '0' || c > '9'):
			return i + 1, whole
		}
	}
	return len(b), more
}

// scanString scans for the end of an OSC, DCS, APC, PM or SOS string: ST, or BEL. Replies contain no control bytes, so
// any other one means that the end was lost and somebody is typing.
func scanString(b []byte, i int) (int, ending) {
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c == 0x07:
			return i + 1, whole
		case c == esc && i+1 == len(b):
			return i, more
		case c == esc && b[i+1] == '\\':
			return i + 2, whole
		case c < ' ' || c == 0x7f:
			return i, broken
		}
	}
	return i, more
}

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// scanPaste scans for the closing bracket from index i and returns the index after it. The index it returns with more
// is the first that may still belong to a bracket.
func scanPaste(b []byte, i int) (int, ending) {
	for {
		n := bytes.IndexByte(b[i:], esc)
		if n < 0 {
			return len(b), more
		}
		i += n
		if len(b)-i < len(pasteEnd) {
			if string(b[i:]) == pasteEnd[:len(b)-i] {
				return i, more
			}
		} else if string(b[i:i+len(pasteEnd)]) == pasteEnd {
			return i + len(pasteEnd), whole
		}
		i++
	}
}
