package console

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pi/internal/vt"
)

// Modifiers as sequences encode them, minus one.
const (
	modShift = 1
	modAlt   = 2
	modCtrl  = 4
)

// splitID splits a key id into modifiers and name.
func splitID(id string) (mods int, name string) {
	for {
		switch {
		case strings.HasPrefix(id, "shift+") && len(id) > 6:
			mods, id = mods|modShift, id[6:]
		case strings.HasPrefix(id, "alt+") && len(id) > 4:
			mods, id = mods|modAlt, id[4:]
		case strings.HasPrefix(id, "ctrl+") && len(id) > 5:
			mods, id = mods|modCtrl, id[5:]
		default:
			return mods, id
		}
	}
}

// functional returns the legacy form of a functional key: CSI number ~, or a letter after CSI or SS3.
func functional(name string) (number int, letter byte) {
	switch name {
	case "up":
		return 1, 'A'
	case "down":
		return 1, 'B'
	case "right":
		return 1, 'C'
	case "left":
		return 1, 'D'
	case "clear":
		return 1, 'E'
	case "end":
		return 1, 'F'
	case "home":
		return 1, 'H'
	case "f1":
		return 1, 'P'
	case "f2":
		return 1, 'Q'
	case "f3":
		return 1, 'R'
	case "f4":
		return 1, 'S'
	case "insert":
		return 2, '~'
	case "delete":
		return 3, '~'
	case "pageUp":
		return 5, '~'
	case "pageDown":
		return 6, '~'
	}
	for i, n := range [...]int{15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34} {
		if name == fmt.Sprintf("f%d", i+5) {
			return n, '~'
		}
	}
	return 0, 0
}

// appendLegacy encodes a key for a program that uses only the legacy forms. raw holds the bytes received; they are
// passed on unless a mode of the program or the form of the user's terminal changes them.
func appendLegacy(dst []byte, id string, raw []byte, modern bool, m vt.Modes) []byte {
	mods, name := splitID(id)
	if _, letter := functional(name); letter != 0 && letter != '~' && mods == 0 {
		return appendFunctional(dst, name, 0, m) // cursor keys mode decides
	}
	switch {
	case id == "enter" && m.LineFeedNewLine:
		return append(dst, "\r\n"...)
	case id == "backspace" && m.BackspaceBS:
		return append(dst, '\b')
	case !modern:
		return append(dst, raw...)
	}
	if text, ok := control(mods, name); ok {
		if mods&modAlt != 0 {
			dst = append(dst, 0x1b)
		}
		return append(dst, text...)
	}
	return appendFunctional(dst, name, mods, m)
}

// appendFunctional encodes a functional key. Keys without a legacy form are not written.
func appendFunctional(dst []byte, name string, mods int, m vt.Modes) []byte {
	number, letter := functional(name)
	isF := name[0] == 'f' && letter != '~'
	switch {
	case letter == 0:
		return dst
	case letter == '~' && mods == 0:
		return fmt.Appendf(dst, "\x1b[%d~", number)
	case letter == '~':
		return fmt.Appendf(dst, "\x1b[%d;%d~", number, mods+1)
	case mods != 0:
		return fmt.Appendf(dst, "\x1b[1;%d%c", mods+1, letter)
	case m.AppCursor || isF:
		return append(dst, 0x1b, 'O', letter)
	}
	return append(dst, 0x1b, '[', letter)
}

// control returns the text that a key types with its modifiers, except alt.
func control(mods int, name string) (string, bool) {
	ctrl, shift := mods&modCtrl != 0, mods&modShift != 0
	switch name {
	case "enter":
		return "\r", true
	case "escape":
		return "\x1b", true
	case "tab":
		if shift {
			return "\x1b[Z", true
		}
		return "\t", true
	case "backspace":
		if ctrl {
			return "\b", true
		}
		return "\x7f", true
	case "space":
		if ctrl {
			return "\x00", true
		}
		return " ", true
	}
	r, n := utf8.DecodeRuneInString(name)
	if n != len(name) || r == utf8.RuneError {
		return "", false
	}
	if !ctrl {
		if shift {
			name = strings.ToUpper(name)
		}
		return name, true
	}
	return controlByte(r)
}

// controlByte returns the control character for ctrl and a character, by the table common to all terminals.
func controlByte(r rune) (string, bool) {
	switch {
	case r >= 'a' && r <= 'z', r >= '@' && r <= '_':
		return string(r & 0x1f), true
	case r == '/', r == '7':
		return "\x1f", true
	case r == '2':
		return "\x00", true
	case r >= '3' && r <= '6':
		return string(r - '3' + 0x1b), true
	case r == '8', r == '?':
		return "\x7f", true
	}
	return "", false
}

// appendKitty encodes a key received in a legacy form for a program that enabled the Kitty protocol, on a user's
// terminal that does not support it.
func appendKitty(dst []byte, id string, raw []byte, m vt.Modes) []byte {
	mods, name := splitID(id)
	code := 0
	switch name {
	case "escape":
		code = 27
	case "enter":
		code = 13
	case "tab":
		code = 9
	case "backspace":
		code = 127
	case "space":
		code = 32
	default:
		if r, n := utf8.DecodeRuneInString(name); n == len(name) {
			code = int(r)
		}
	}
	switch all := m.KittyFlags&kittyAllKeys != 0; {
	case code == 0: // the protocol leaves these as they were, but knows no SS3 for cursor keys
		m.AppCursor = false
		return appendFunctional(dst, name, mods, m)
	case mods == 0 && code != 27 && !all, mods == modShift && code > 32 && code != 127 && !all:
		return append(dst, raw...)
	case mods == 0:
		return fmt.Appendf(dst, "\x1b[%du", code)
	}
	return fmt.Appendf(dst, "\x1b[%d;%du", code, mods+1)
}
