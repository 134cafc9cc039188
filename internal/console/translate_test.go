package console

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pi/internal/keys"
	"pi/internal/vt"
)

// events splits input as the overlay does.
func events(r *keys.Reader, in string) (list []keys.Event) {
	r.Feed([]byte(in))
	for {
		e, ok := r.Next()
		if !ok {
			if _, pending := r.Wait(); !pending {
				return list
			}
			r.Expire()
			continue
		}
		e.Raw, e.Text = bytes.Clone(e.Raw), bytes.Clone(e.Text)
		list = append(list, e)
	}
}

func TestTranslate(t *testing.T) {
	app, kitty := vt.Modes{AppCursor: true}, vt.Modes{KittyFlags: 1}
	mouse := func(mode vt.Mouse, enc vt.MouseEncoding) vt.Modes { return vt.Modes{Mouse: mode, MouseEncoding: enc} }
	for _, tt := range []struct {
		name string
		m    vt.Modes
		in   string
		want string
	}{
		{"text", vt.Modes{}, "aä漢👍", "aä漢👍"},
		{"control keys", vt.Modes{}, "\x03\x04\x1a\x00\r\t\x7f", "\x03\x04\x1a\x00\r\t\x7f"},
		{"arrows", vt.Modes{}, "\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F", "\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F"},
		{"arrows, application mode of the program", app, "\x1b[A\x1b[H", "\x1bOA\x1bOH"},
		{"arrows, application mode of the user's terminal", vt.Modes{}, "\x1bOA\x1bOH", "\x1b[A\x1b[H"},
		{"modified arrows keep their form", app, "\x1b[1;5A", "\x1b[1;5A"},
		{"function keys", vt.Modes{}, "\x1bOP\x1b[15~\x1b[3~", "\x1bOP\x1b[15~\x1b[3~"},
		{"alt", vt.Modes{}, "\x1bx", "\x1bx"},
		{"line feed mode", vt.Modes{LineFeedNewLine: true}, "\r", "\r\n"},
		{"backspace sends BS", vt.Modes{BackspaceBS: true}, "\x7f", "\b"},

		{"Kitty ctrl+c for a classic program", vt.Modes{}, "\x1b[99;5u", "\x03"},
		{"Kitty escape for a classic program", vt.Modes{}, "\x1b[27u", "\x1b"},
		{"Kitty enter, tab, shift+tab", vt.Modes{}, "\x1b[13u\x1b[9u\x1b[9;2u", "\r\t\x1b[Z"},
		{"Kitty backspace and with ctrl", vt.Modes{}, "\x1b[127u\x1b[127;5u", "\x7f\b"},
		{"Kitty alt+x", vt.Modes{}, "\x1b[120;3u", "\x1bx"},
		{"Kitty ctrl+alt+a", vt.Modes{}, "\x1b[97;7u", "\x1b\x01"},
		{"Kitty ctrl+space", vt.Modes{}, "\x1b[32;5u", "\x00"},
		{"Kitty arrow with an event type", app, "\x1b[1;1:1A", "\x1bOA"},
		{"Kitty release", vt.Modes{}, "\x1b[97;1:3u\x1b[1;1:3A", ""},
		{"Kitty key that a classic terminal does not have", vt.Modes{}, "\x1b[57428u", ""},
		{"modifyOtherKeys for a classic program", vt.Modes{}, "\x1b[27;5;99~", "\x03"},
		{"modifyOtherKeys that was asked for", vt.Modes{ModifyOtherKeys: 1}, "\x1b[27;5;99~", "\x1b[27;5;99~"},

		{"Kitty for a Kitty program", kitty, "\x1b[99;5u\x1b[27u", "\x1b[99;5u\x1b[27u"},
		{"release for a program that asked", vt.Modes{KittyFlags: 3}, "\x1b[97;1:3u", "\x1b[97;1:3u"},
		{"release for a program that did not", kitty, "\x1b[97;1:3u", ""},
		{"classic ctrl+c for a Kitty program", kitty, "\x03", "\x1b[99;5u"},
		{"classic escape for a Kitty program", kitty, "\x1b", "\x1b[27u"},
		{"classic alt+x for a Kitty program", kitty, "\x1bx", "\x1b[120;3u"},
		{"classic text and enter for a Kitty program", kitty, "ab\r\t\x7f", "ab\r\t\x7f"},
		{"classic arrows for a Kitty program", vt.Modes{KittyFlags: 1, AppCursor: true}, "\x1bOA", "\x1b[A"},
		{"text as keys", vt.Modes{KittyFlags: 9}, "aä", "\x1b[97u\x1b[228u"},

		{"paste, not asked for", vt.Modes{}, "\x1b[200~a\nb\x1b[201~", "a\nb"},
		{"paste", vt.Modes{BracketedPaste: true}, "\x1b[200~a\rb\x1b[201~", "\x1b[200~a\rb\x1b[201~"},
		{"paste with brackets in brackets", vt.Modes{BracketedPaste: true}, "\x1b[200~a" + strings.Repeat("\x1b[20", 100_000) + strings.Repeat("0~", 100_000) + "b\x1b[201~", "\x1b[200~ab\x1b[201~"},
		{"paste with a bracket in it", vt.Modes{BracketedPaste: true}, "\x1b[200~a\x1b[200~b\x1b[201~", "\x1b[200~ab\x1b[201~"},

		{"focus, not asked for", vt.Modes{}, "\x1b[I\x1b[O", ""},
		{"focus", vt.Modes{Focus: true}, "\x1b[I\x1b[O", "\x1b[I\x1b[O"},
		{"replies to nobody", vt.Modes{}, "\x1b[?62;c\x1b]11;rgb:0/0/0\x1b\\", ""},

		{"mouse, not asked for", vt.Modes{}, "\x1b[<0;5;5M", ""},
		{"mouse", mouse(1000, 1006), "\x1b[<0;5;6M\x1b[<0;5;6m", "\x1b[<0;4;5M\x1b[<0;4;5m"},
		{"mouse on the border", mouse(1000, 1006), "\x1b[<0;1;5M\x1b[<0;5;1M\x1b[<0;40;5M\x1b[<0;5;10M", ""},
		{"mouse in the last cell", mouse(1000, 1006), "\x1b[<0;39;9M", "\x1b[<0;38;8M"},
		{"mouse in three bytes", mouse(1000, 0), "\x1b[<0;5;6M\x1b[<0;5;6m", "\x1b[M\x20\x24\x25\x1b[M\x23\x24\x25"},
		{"mouse in the form of urxvt", mouse(1000, 1015), "\x1b[<64;5;6M", "\x1b[96;4;5M"},
		{"presses alone", mouse(9, 1006), "\x1b[<0;5;6M\x1b[<0;5;6m\x1b[<64;5;6M", "\x1b[<0;4;5M"},
		{"no motion", mouse(1000, 1006), "\x1b[<32;5;6M", ""},
		{"motion with a button", mouse(1002, 1006), "\x1b[<32;5;6M\x1b[<35;5;6M", "\x1b[<32;4;5M"},
		{"all motion", mouse(1003, 1006), "\x1b[<35;5;6M", "\x1b[<35;4;5M"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := keys.NewReader(keys.Options{Kitty: tt.m.KittyFlags != 0})
			tr := translator{size: spot{row: 8, col: 38}}
			var got []byte
			for _, e := range events(r, tt.in) {
				got = append(got, tr.translate(e, tt.m)...)
			}
			if string(got) != tt.want {
				t.Errorf("%q becomes %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// A paste arrives whole, however it was cut, and can hold nothing that ends it.
func TestPasteIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "\r", "\n", "漢", "\x1b", "[200~", "\x1b[20", "1~", "\x03"})).Draw(t, "text"), "")
		text = strings.ReplaceAll(text, pasteEnd, "")
		if strings.Contains(text+pasteEnd, pasteEnd) && strings.Index(text+pasteEnd, pasteEnd) != len(text) {
			t.Skip("the text ends the paste itself")
		}
		r := keys.NewReader(keys.Options{MaxPaste: maxPaste})
		tr := translator{}
		var got []byte
		for _, e := range events(r, pasteBegin+text+pasteEnd) {
			got = append(got, tr.translate(e, vt.Modes{BracketedPaste: true})...)
		}
		inner, ok := bytes.CutPrefix(got, []byte(pasteBegin))
		inner, ok2 := bytes.CutSuffix(inner, []byte(pasteEnd))
		if !ok || !ok2 || bytes.Contains(inner, []byte(pasteEnd)) || bytes.Contains(inner, []byte(pasteBegin)) {
			t.Fatalf("%q becomes %q", text, got)
		}
		if want := strings.ReplaceAll(text, pasteBegin, ""); !strings.Contains(want, pasteBegin) && !strings.Contains(want, pasteEnd) && string(inner) != want {
			t.Fatalf("%q becomes %q", want, inner)
		}
	})
}

// What is typed, a mouse included, never makes the translator panic, and text is never lost.
func FuzzTranslate(f *testing.F) {
	for _, s := range []string{"abc", "\x1b[<0;5;5M", "\x1b[<0;99999999999;5M", "\x1b[200~x\x1b[201~", "\x1b[99;5u", "\x1b[M   ", "\x1b[<;;M", "\x1b[27;5;99~"} {
		f.Add([]byte(s), uint16(0))
		f.Add([]byte(s), uint16(0xffff))
	}
	f.Fuzz(func(t *testing.T, in []byte, bits uint16) {
		m := vt.Modes{AppCursor: bits&1 != 0, BracketedPaste: bits&2 != 0, Focus: bits&4 != 0, KittyFlags: int(bits>>4) & 31}
		if bits&8 != 0 {
			m.Mouse, m.MouseEncoding = vt.MouseMotion, []vt.MouseEncoding{0, 1005, 1006, 1015}[bits>>9&3]
		}
		tr := translator{size: spot{row: 24, col: 80}}
		for _, e := range events(keys.NewReader(keys.Options{Escape: time.Millisecond}), string(in)) {
			out := tr.translate(e, m)
			if e.Kind == keys.Text && m.KittyFlags&kittyAllKeys == 0 && !bytes.Equal(out, e.Raw) {
				t.Fatalf("text %q becomes %q", e.Raw, out)
			}
		}
	})
}
