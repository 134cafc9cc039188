package main

import (
	"fmt"
	"regexp"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"pi/internal/keys"
)

// uvNames are the keys that ultraviolet calls otherwise.
var uvNames = map[string]string{
	"esc": "escape", "pgup": "pageUp", "pgdown": "pageDown", "begin": "clear", "equal": "=", "mul": "*", "plus": "+",
	"comma": ",", "minus": "-", "period": ".", "div": "/", "sep": ",", "capslock": "capsLock", "scrolllock": "scrollLock",
	"numlock": "numLock", "printscreen": "printScreen", "medianext": "mediaTrackNext", "mediaprev": "mediaTrackPrevious",
	"lowervol": "lowerVolume", "raisevol": "raiseVolume", "mute": "muteVolume",
}

// uvID returns ultraviolet's key for data in our spelling, or "" where it has none.
func uvID(data []byte) string {
	var d uv.EventDecoder
	n, event := d.Decode(data)
	press, ok := event.(uv.KeyPressEvent)
	if !ok || n != len(data) {
		return ""
	}
	id := ""
	for _, m := range []struct {
		mod  uv.KeyMod
		name string
	}{{uv.ModShift, "shift+"}, {uv.ModCtrl, "ctrl+"}, {uv.ModAlt, "alt+"}, {uv.ModSuper, "super+"}, {uv.ModHyper, "hyper+"}, {uv.ModMeta, "meta+"}} {
		if press.Mod.Contains(m.mod) {
			id += m.name
		}
	}
	name := uv.Key{Code: press.Code, BaseCode: press.BaseCode}.Keystroke()
	if ours, ok := uvNames[name]; ok {
		name = ours
	}
	return id + name
}

// common are the sequences that terminals send today, by form.
func common() map[string][]string {
	all := map[string][]string{}
	add := func(form, s string) { all[form] = append(all[form], s) }
	for b := range 128 {
		add("byte", string(rune(b)))
		if b != '[' && b != 'O' && b != ']' && b != 'P' && b != '_' && b != '^' && b != 'X' {
			add("meta", "\x1b"+string(rune(b)))
		}
	}
	for _, r := range "éüñßñяж日ñ€" {
		add("character", string(r))
		add("meta", "\x1b"+string(r))
	}
	for _, c := range "ABCDEFHPQRSZ" {
		add("csi letter", "\x1b["+string(c))
		add("meta csi", "\x1b\x1b["+string(c))
		for m := 2; m <= 8; m++ {
			add("csi letter with modifiers", fmt.Sprintf("\x1b[1;%d%c", m, c))
			add("csi letter with locks", fmt.Sprintf("\x1b[1;%d%c", m+64, c))
		}
	}
	for _, c := range "ABCDEFHPQRSMIXjklmnopqrstuvwxyabcd" {
		add("ss3", "\x1bO"+string(c))
	}
	for _, c := range "abcd" {
		add("rxvt letter", "\x1b["+string(c))
	}
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24} {
		add("tilde", fmt.Sprintf("\x1b[%d~", n))
		for m := 2; m <= 8; m++ {
			add("tilde with modifiers", fmt.Sprintf("\x1b[%d;%d~", n, m))
		}
		add("rxvt sign", fmt.Sprintf("\x1b[%d$", n))
		add("rxvt sign", fmt.Sprintf("\x1b[%d^", n))
		add("rxvt sign", fmt.Sprintf("\x1b[%d@", n))
	}
	for _, n := range []int{25, 26, 28, 29, 31, 32, 33, 34} {
		add("tilde f13 to f20", fmt.Sprintf("\x1b[%d~", n))
	}
	for _, c := range "ABCDE" {
		add("linux console", "\x1b[["+string(c))
	}
	for _, n := range kittyCodes() {
		add("kitty", fmt.Sprintf("\x1b[%du", n))
		for m := 2; m <= 8; m++ {
			add("kitty with modifiers", fmt.Sprintf("\x1b[%d;%du", n, m))
		}
		add("kitty with locks", fmt.Sprintf("\x1b[%d;%du", n, 5+64+128))
		add("kitty with an event", fmt.Sprintf("\x1b[%d;5:2u", n))
	}
	for _, s := range []string{"\x1b[1089::99;5u", "\x1b[1092:1060:97;6u", "\x1b[97:65;6u", "\x1b[97:65:97;6u", "\x1b[107::118;5u"} {
		add("kitty alternates", s)
	}
	for _, n := range []int{9, 13, 27, 32, 33, 49, 97, 127} {
		for m := 2; m <= 8; m++ {
			add("modifyOtherKeys", fmt.Sprintf("\x1b[27;%d;%d~", m, n))
		}
	}
	return all
}

func kittyCodes() []int {
	codes := []int{9, 13, 27, 32, 127, 233, 1092}
	for b := 33; b < 127; b++ {
		if b < 'A' || b > 'Z' {
			codes = append(codes, b)
		}
	}
	for n := 57358; n <= 57454; n++ {
		if n < 57364 || n > 57375 {
			codes = append(codes, n)
		}
	}
	return codes
}

// differences are where ultraviolet says something else, and why we do not follow. docs/internals/keys.md has the same table.
var differences = []struct{ pattern, reason string }{
	{`^\x1b\[1;\d+R$`, "f3 with modifiers looks like a cursor position report; ultraviolet reports both, we ask the Reader whether one is due"},
	{`^\x1b\[(57399|5740\d)[;u]`, "keypad digits without num lock are their navigation legend, as the recorded vectors have it"},
	{`^\x1b\[107::118;5u$`, "the base layout does not overrule a Latin layout"},
	{`^\x1b\[\[[A-E]$`, "the Linux console's f1 to f5"},
	{`^\x1b\x08$`, "ESC and BS is alt+backspace: terminals whose backspace sends BS"},
	{`^\x1b[bfnpBF]$`, "alt and an arrow of Terminal.app and line editors, as the recorded vectors have it"},
	{`^\x1b\[[14][$^@]$`, "rxvt sends 7 and 8 for home and end, never 1 and 4"},
	{`^\x1b\x1b$`, "escape typed twice, and not alt+escape, which window managers keep to themselves"},
	{`^\x1bOI$`, "tab of the application keypad"},
}

func TestUltravioletAgrees(t *testing.T) {
	used := make([]int, len(differences))
	total, same := 0, 0
	for form, list := range common() {
		for _, s := range list {
			total++
			ours, ok := keys.Parse([]byte(s), false)
			theirs := uvID([]byte(s))
			if theirs == ours || ok && theirs != "" && keys.Matches([]byte(s), theirs, false) {
				same++
			} else if i := explained(s); i >= 0 {
				used[i]++
			} else {
				t.Errorf("%s: %q is %q here and %q there", form, s, ours, theirs)
			}
		}
	}
	for i, n := range used {
		t.Logf("%4d  %s", n, differences[i].reason)
		if n == 0 {
			t.Errorf("%s: no longer a difference", differences[i].pattern)
		}
	}
	t.Logf("%4d  of %d sequences agree", same, total)
}

func explained(s string) int {
	for i, d := range differences {
		if regexp.MustCompile(d.pattern).MatchString(s) {
			return i
		}
	}
	return -1
}
