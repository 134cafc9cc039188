package keys

import "unicode/utf8"

// escape handles input that begins with ESC.
func (r *Reader) escape(b []byte) bool {
	if len(b) == 1 {
		return r.loneEscape(b)
	}
	switch c := b[1]; {
	case c == esc:
		return r.doubleEscape(b)
	case c == '[':
		return r.csi(b)
	case c == 'O':
		n, end := scanSS3(b)
		return r.sequence(b, n, end)
	case c == ']', c == 'P', c == '_', c == '^', c == 'X':
		return r.controlString(b)
	case c >= utf8.RuneSelf:
		return r.metaRune(b)
	}
	return r.meta(b[:2])
}

// meta handles raw, ESC and one character, as that key with alt, or if it has no name as escape followed by what was
// typed next.
func (r *Reader) meta(raw []byte) bool {
	if id, ok := Parse(raw, r.opt.Kitty); ok {
		return r.take(Event{Kind: Key, ID: id, Raw: raw})
	}
	return r.key(raw[:1])
}

// loneEscape waits for what follows an ESC. If nothing does, it is the escape key.
func (r *Reader) loneEscape(b []byte) bool {
	if !r.late {
		return r.wait(escapeWait)
	}
	r.key(b)
	r.orphan = true
	return true
}

// doubleEscape handles ESC ESC. Before a key sequence it is that key with alt; before anything else, escape was
// typed, then the other input.
func (r *Reader) doubleEscape(b []byte) bool {
	if len(b) == 2 {
		if r.late {
			return r.key(b[:1])
		}
		return r.wait(escapeWait)
	}
	w := r.window(b)
	var n int
	var end ending
	switch b[2] {
	case '[':
		n, end = r.scanControl(w[1:])
	case 'O':
		n, end = scanSS3(w[1:])
	default:
		return r.key(b[:1])
	}
	switch {
	case end == whole:
		return r.altSequence(b, n+1)
	case end == broken || r.late || len(w) == r.maxSeq:
		return r.key(b[:1])
	case len(b) == 3:
		return r.wait(introducerWait)
	}
	r.scanned = n
	return r.wait(sequenceWait)
}

// altSequence handles ESC and a complete sequence, n bytes in all.
func (r *Reader) altSequence(b []byte, n int) bool {
	if id, ok := Parse(b[:n], r.opt.Kitty); ok {
		return r.take(Event{Kind: Key, ID: id, Raw: b[:n]})
	}
	return r.key(b[:1])
}

// metaRune handles ESC and a non-ASCII character once it is complete.
func (r *Reader) metaRune(b []byte) bool {
	if !utf8.FullRune(b[1:]) && !r.late {
		return r.wait(introducerWait)
	}
	_, n := utf8.DecodeRune(b[1:])
	return r.meta(b[:1+n])
}

// window returns as much of b as one sequence may have.
func (r *Reader) window(b []byte) []byte { return b[:min(len(b), r.maxSeq)] }

// scanControl scans for the end of the CSI sequence that b starts with.
func (r *Reader) scanControl(b []byte) (int, ending) {
	if n := rxvtShift(b); n > 0 {
		return n, whole
	}
	switch {
	case len(b) == 2:
		return 2, more
	case b[2] == 'M':
		return scanMouse(b)
	case b[2] == '[': // the Linux console's f1 to f5
		return scanCSI(b, max(r.scanned, 3))
	}
	return scanCSI(b, max(r.scanned, 2))
}

// csi handles a CSI sequence, or the paste that it opens.
func (r *Reader) csi(b []byte) bool {
	if len(b) >= len(pasteStart) && string(b[:len(pasteStart)]) == pasteStart {
		return r.paste(b, len(pasteStart))
	}
	w := r.window(b)
	n, end := r.scanControl(w)
	if end == more && len(w) == r.maxSeq {
		return r.part(Event{Kind: Other, Raw: b[:n]}, insideCSI)
	}
	return r.sequence(b, n, end)
}

// controlString handles an OSC, DCS, APC, PM or SOS string.
func (r *Reader) controlString(b []byte) bool {
	w := r.window(b)
	n, end := scanString(w, max(r.scanned, 2))
	if end == more && len(w) == r.maxSeq {
		return r.part(Event{Kind: Reply, Raw: b[:n]}, insideString)
	}
	return r.sequence(b, n, end)
}

// sequence handles the n bytes of a complete scan. An introducer alone is alt and a key.
func (r *Reader) sequence(b []byte, n int, end ending) bool {
	switch {
	case end == whole:
		return r.classify(b[:n])
	case end == more && !r.late:
		r.scanned = n
		if len(b) == 2 {
			return r.wait(introducerWait)
		}
		return r.wait(sequenceWait)
	case end == more:
		n = len(b)
	}
	if n == 2 {
		return r.key(b[:2])
	}
	return r.take(Event{Kind: Other, Raw: b[:n]})
}

// part returns the beginning or the middle of something too long to buffer.
func (r *Reader) part(e Event, in inside) bool {
	e.Part = true
	r.inside = in
	return r.take(e)
}

// resume handles what follows a part.
func (r *Reader) resume(b []byte) bool {
	if r.inside == insidePaste {
		return r.paste(b, 0)
	}
	e := Event{Kind: Other}
	scan := scanCSI
	if r.inside == insideString {
		e.Kind, scan = Reply, scanString
	}
	w := r.window(b)
	n, end := scan(w, r.scanned)
	e.Raw = b[:n]
	switch {
	case end == more && len(w) == r.maxSeq:
		return r.part(e, r.inside)
	case end == more && !r.late:
		r.scanned = n
		return r.wait(sequenceWait)
	case end == more:
		e.Raw = b
	}
	r.inside = nothing
	if len(e.Raw) == 0 { // interrupted directly after the part
		return r.next()
	}
	return r.take(e)
}

// paste handles the text between brackets. The opening bracket is the first head bytes of b: none after a part.
func (r *Reader) paste(b []byte, head int) bool {
	full := head + r.opt.MaxPaste + len(pasteEnd)
	w := b[:min(len(b), full)]
	n, end := scanPaste(w, max(r.scanned, head))
	switch {
	case end == whole:
		r.inside = nothing
		return r.take(Event{Kind: Paste, Raw: b[:n], Text: b[head : n-len(pasteEnd)]})
	case len(w) == full:
		n = head + runeCut(b[head:], r.opt.MaxPaste)
		return r.part(Event{Kind: Paste, Raw: b[:n], Text: b[head:n]}, insidePaste)
	case r.late:
		r.inside = nothing
		return r.take(Event{Kind: Paste, Raw: b, Text: b[head:]})
	}
	r.scanned = n
	return r.wait(pasteWait)
}

// runeCut returns the last place up to n at which b can be cut between characters.
func runeCut(b []byte, n int) int {
	for back := range min(n, utf8.UTFMax) {
		if utf8.RuneStart(b[n-back]) {
			return n - back
		}
	}
	return n
}

// classify handles raw, a complete sequence.
func (r *Reader) classify(raw []byte) bool {
	if r.reports > 0 && isCursorReport(raw) {
		r.reports--
		return r.take(Event{Kind: Reply, Raw: raw})
	}
	if id, ok := Parse(raw, r.opt.Kitty); ok {
		return r.take(Event{Kind: Key, ID: id, Raw: raw})
	}
	kind := Other
	if raw[1] == '[' {
		kind = controlKind(raw)
	} else if raw[1] != 'O' {
		kind = Reply
	}
	return r.take(Event{Kind: kind, Raw: raw})
}

// controlKind classifies the CSI sequences that are not keys.
func controlKind(raw []byte) Kind {
	first, final := raw[2], raw[len(raw)-1]
	switch {
	case first == 'M', first == '<' && (final == 'M' || final == 'm'), final == 'M' && first >= '0' && first <= '9':
		return Mouse
	case len(raw) == 3 && (final == 'I' || final == 'O'):
		return Focus
	case first >= '<' && first <= '?':
		return Reply
	}
	switch final {
	case 'R', 'c', 'n', 't', 'x', 'y':
		return Reply
	}
	return Other
}

// isCursorReport reports whether raw has the form CSI row ; column R.
func isCursorReport(raw []byte) bool {
	if len(raw) < 6 || raw[1] != '[' || raw[len(raw)-1] != 'R' {
		return false
	}
	b := raw[:len(raw)-1]
	_, i := number(b, 2)
	if i < 0 || !at(b, i, ';') {
		return false
	}
	_, i = number(b, i+1)
	return i == len(b)
}
