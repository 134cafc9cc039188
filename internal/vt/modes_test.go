package vt_test

import (
	"fmt"
	"strings"
	"testing"

	"pi/internal/vt"
)

func TestModes(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want vt.Modes
	}{
		{"", vt.Modes{}},
		{"\x1b[?1h\x1b=", vt.Modes{AppCursor: true, AppKeypad: true}},
		{"\x1b[?1h\x1b=\x1b[?1l\x1b>", vt.Modes{}},
		{"\x1b[?66h\x1b[?67h", vt.Modes{AppKeypad: true, BackspaceBS: true}},
		{"\x1b[?2004h\x1b[?1004h\x1b[?2026h", vt.Modes{BracketedPaste: true, Focus: true, Sync: true}},
		{"\x1b[?2004;1004;2026h\x1b[?2004;1004;2026l", vt.Modes{}},
		{"\x1b[?9h", vt.Modes{Mouse: vt.MouseX10}},
		{"\x1b[?1000h\x1b[?1006h", vt.Modes{Mouse: vt.MouseButtons, MouseEncoding: 1006, MouseSGR: true}},
		{"\x1b[?1000h\x1b[?1002h", vt.Modes{Mouse: vt.MouseDrag}},
		{"\x1b[?1002h\x1b[?1003h\x1b[?1003l", vt.Modes{}},
		{"\x1b[?1005h\x1b[?1015h", vt.Modes{MouseEncoding: 1015}},
		{"\x1b[?1006h\x1b[?1016h", vt.Modes{MouseEncoding: 1016}},
		{"\x1b[?1049h\x1b[>3u", vt.Modes{AltScreen: true, KittyFlags: 3}},
		{"\x1b[?1049h\x1b[>3u\x1b[?1049l", vt.Modes{}},
		{"\x1b[?5h\x1b[?1007h\x1b[20h", vt.Modes{ReverseVideo: true, AlternateScroll: true, LineFeedNewLine: true}},
		{"\x1b[>4;2m", vt.Modes{ModifyOtherKeys: 2}},
		{"\x1b[?1h\x1b[?2004h\x1b[?1s\x1b[?1l\x1b[?2004l\x1b[?1r", vt.Modes{AppCursor: true}},
		{"\x1b[?1h\x1b[?2004h\x1b[?1003h\x1b[?1049h\x1b[>1u\x1bc", vt.Modes{}},
		{"\x1b[?1h\x1b[?2004h\x1b[!p", vt.Modes{BracketedPaste: true}},
		{"\x1b[?3h\x1b[?8h\x1b[?1034h\x1b[?2027h", vt.Modes{}},
	} {
		term := vt.New(vt.Options{})
		fmt.Fprint(term, tt.in)
		if got := term.Modes(); got != tt.want {
			t.Errorf("%q\n got %+v\nwant %+v", tt.in, got, tt.want)
		}
		if term.Unknown() > 0 {
			t.Errorf("%q was not recognised", tt.in)
		}
	}
}

func TestUnknownModes(t *testing.T) {
	for _, in := range []string{"\x1b[?9998h", "\x1b[99h", "\x1b[?9998l"} {
		term := vt.New(vt.Options{})
		fmt.Fprint(term, in)
		if term.Unknown() != 1 {
			t.Errorf("%q: %d unknown", in, term.Unknown())
		}
	}
}

func TestCursorShape(t *testing.T) {
	term := vt.New(vt.Options{})
	fmt.Fprint(term, "\x1b[?25l\x1b[5 q\x1b[99 q")
	if got := term.Cursor(); got != (vt.Cursor{Shape: 5}) {
		t.Errorf("%+v", got)
	}
	fmt.Fprint(term, "\x1b[?25h\x1b[ q")
	if got := term.Cursor(); got != (vt.Cursor{Visible: true}) {
		t.Errorf("%+v", got)
	}
}

func TestTitle(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"\x1b]0;vim – notes\a", "vim – notes"},
		{"\x1b]2;a;b\x1b\\", "a;b"},
		{"\x1b]1;icon only\a", ""},
		{"\x1b]2;one\a\x1b[22t\x1b]2;two\a\x1b[23t", "one"},
		{"\x1b]2;one\a\x1b[23t", "one"},
		{"\x1b]2;bad \xff\xfe\u202ebidi\u0085\a", "bad \ufffdbidi"},
		{"\x1b]2;" + strings.Repeat("x", 9000) + "\a", ""},
		{"\x1b]2;" + strings.Repeat("x", 5000) + "\a", strings.Repeat("x", 1024)},
		{"\x1b]2;kept\a\x1b]2;cancelled\x18", "kept"},
	} {
		term := vt.New(vt.Options{})
		fmt.Fprint(term, tt.in)
		if got := term.Title(); got != tt.want {
			t.Errorf("%.40q gives %.40q, want %.40q", tt.in, got, tt.want)
		}
	}
}
