package console

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"pi/internal/keys"
	"pi/internal/vt"
)

// translator converts the user's input to what the program expects from its own terminal, whose modes may differ.
type translator struct {
	origin  spot // the program's cell in the box's upper left corner
	size    spot // of the program's screen
	pasting bool // in the middle of a paste that arrives in parts
	out     []byte
}

// Paste brackets (mode 2004).
const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Kitty's progressive enhancements that matter here.
const (
	kittyEvents  = 2 // report repeats and releases
	kittyAllKeys = 8 // report text as keys, too
)

// translate returns the bytes for the program, or none if the event is not for it. They are valid until the next call.
func (t *translator) translate(e keys.Event, m vt.Modes) []byte {
	t.out = t.out[:0]
	switch e.Kind {
	case keys.Text:
		t.text(e.Raw, m)
	case keys.Paste:
		t.paste(e, m)
	case keys.Mouse:
		t.mouse(e.Raw, m)
	case keys.Focus:
		if m.Focus {
			t.out = append(t.out, e.Raw...)
		}
	case keys.Key:
		t.key(e, m)
	case keys.Other:
		t.other(e.Raw, m)
	}
	return t.out
}

func (t *translator) text(raw []byte, m vt.Modes) {
	if m.KittyFlags&kittyAllKeys == 0 {
		t.out = append(t.out, raw...)
		return
	}
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		t.out = fmt.Appendf(t.out, "\x1b[%du", r)
		raw = raw[n:]
	}
}

// paste passes on a whole paste. Its content must not end it.
func (t *translator) paste(e keys.Event, m vt.Modes) {
	if m.BracketedPaste && !t.pasting {
		t.out = append(t.out, pasteBegin...)
	}
	begin := len(t.out)
	for _, c := range e.Text { // by bytes, since removing a bracket may form another one
		t.out = append(t.out, c)
		if c != '~' {
			continue
		}
		for _, mark := range []string{pasteBegin, pasteEnd} {
			if rest, found := bytes.CutSuffix(t.out[begin:], []byte(mark)); found {
				t.out = t.out[:begin+len(rest)]
			}
		}
	}
	if m.BracketedPaste && !e.Part {
		t.out = append(t.out, pasteEnd...)
	}
	t.pasting = e.Part
}

// key passes on a key in the form that the program expects.
func (t *translator) key(e keys.Event, m vt.Modes) {
	modern := isModern(e.Raw)
	switch {
	case m.KittyFlags != 0 && modern:
		t.out = append(t.out, e.Raw...)
	case m.KittyFlags != 0:
		t.out = appendKitty(t.out, e.ID, e.Raw, m)
	case modern && m.ModifyOtherKeys > 0 && isOtherKeys(e.Raw):
		t.out = append(t.out, e.Raw...)
	default:
		t.out = appendLegacy(t.out, e.ID, e.Raw, modern, m)
	}
}

// other passes on events that are not keys, except key releases, which only the Kitty protocol has.
func (t *translator) other(raw []byte, m vt.Modes) {
	if k, ok := keys.ParseKitty(raw); ok && m.KittyFlags == 0 || ok && k.Event == keys.Release && m.KittyFlags&kittyEvents == 0 {
		return
	}
	t.out = append(t.out, raw...)
}

// isModern reports whether data has a form that a terminal sends only on request: Kitty or modifyOtherKeys.
func isModern(raw []byte) bool {
	if len(raw) < 4 || raw[0] != 0x1b || raw[1] != '[' {
		return false
	}
	return raw[len(raw)-1] == 'u' || bytes.IndexByte(raw, ':') > 0 || isOtherKeys(raw)
}

func isOtherKeys(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("\x1b[27;")) && raw[len(raw)-1] == '~'
}

// report is a mouse event in xterm's encoding; columns and rows count from 1.
type report struct {
	button, x, y int
	release      bool
}

// Bits of a button number.
const (
	motionBit = 32
	wheelBit  = 64
)

// mouse passes on an event inside the box, with the position relative to its corner.
func (t *translator) mouse(raw []byte, m vt.Modes) {
	r, ok := parseMouse(raw)
	if !ok || m.Mouse == vt.MouseNone {
		return
	}
	r.x += t.origin.col - 1
	r.y += t.origin.row - 1
	motion := r.button&motionBit != 0
	switch {
	case r.x < 1 || r.y < 1 || r.x > t.size.col || r.y > t.size.row:
		return
	case m.Mouse == vt.MouseX10 && (r.release || motion || r.button >= wheelBit):
		return
	case motion && m.Mouse < vt.MouseDrag, motion && r.button&3 == 3 && m.Mouse < vt.MouseMotion:
		return
	}
	t.out = appendMouse(t.out, r, m.MouseEncoding)
}

// parseMouse parses the SGR form, which pi requests.
func parseMouse(raw []byte) (r report, ok bool) {
	s, ok := strings.CutPrefix(string(raw), "\x1b[<")
	if !ok || s == "" {
		return r, false
	}
	last := s[len(s)-1]
	parts := strings.Split(s[:len(s)-1], ";")
	if len(parts) != 3 || last != 'M' && last != 'm' {
		return r, false
	}
	r.release = last == 'm'
	for i, to := range []*int{&r.button, &r.x, &r.y} {
		n, err := strconv.Atoi(parts[i])
		if err != nil || n < 0 || n > 1<<16 {
			return r, false
		}
		*to = n
	}
	return r, true
}

// Encodings of mouse events, by the number of their mode.
const (
	mouseUTF8  = 1005
	mouseSGR   = 1006
	mouseURXVT = 1015
)

func appendMouse(dst []byte, r report, enc vt.MouseEncoding) []byte {
	if enc == mouseSGR {
		end := 'M'
		if r.release {
			end = 'm'
		}
		return fmt.Appendf(dst, "\x1b[<%d;%d;%d%c", r.button, r.x, r.y, end)
	}
	if r.release {
		r.button = r.button&^3 | 3 // these forms do not say which button it was
	}
	switch {
	case enc == mouseURXVT:
		return fmt.Appendf(dst, "\x1b[%d;%d;%dM", r.button+32, r.x, r.y)
	case enc == mouseUTF8 && r.x <= 2015 && r.y <= 2015:
		return fmt.Appendf(dst, "\x1b[M%c%c%c", rune(r.button+32), rune(r.x+32), rune(r.y+32))
	case enc == mouseUTF8 || r.x > 223 || r.y > 223:
		return dst // not encodable
	}
	return append(dst, 0x1b, '[', 'M', byte(r.button+32), byte(r.x+32), byte(r.y+32))
}
