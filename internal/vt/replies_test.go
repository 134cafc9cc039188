package vt_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pi/internal/vt"
)

// replyTests are questions and the answers, \e standing for ESC in both.
var replyTests = []struct{ name, in, want string }{
	{"DA1", `\e[c`, `\e[?62;22c`},
	{"DA1 with zero", `\e[0c`, `\e[?62;22c`},
	{"DECID", `\eZ`, `\e[?62;22c`},
	{"DA2", `\e[>c`, `\e[>1;277;0c`},
	{"DA3", `\e[=c`, `\eP!|00000000\e\`},
	{"DSR", `\e[5n`, `\e[0n`},
	{"CPR", `\e[3;7H\e[6n`, `\e[3;7R`},
	{"CPR with pending wrap", `\e[1;6Hab\e[6n`, `\e[1;7R`},
	{"CPR in origin mode", `\e[2;3r\e[?6h\e[2;2H\e[6n`, `\e[2;2R`},
	{"DECXCPR", `\e[?6n`, `\e[?1;1;1R`},
	{"printer, keys, keyboard", `\e[?15n\e[?25n\e[?26n`, `\e[?13n\e[?21n\e[?27;1;0;0n`},
	{"colour scheme", `\e[?996n`, `\e[?997;1n`},
	{"XTVERSION", `\e[>q`, `\eP>|pi\e\`},
	{"window size", `\e[18t`, `\e[8;4;7t`},
	{"DECRQM of what is off, on, unknown, fixed", `\e[?1$p\e[?1h\e[?1$p\e[?9999$p\e[?2027$p\e[?3$p`, `\e[?1;2$y\e[?1;1$y\e[?9999;0$y\e[?2027;3$y\e[?3;4$y`},
	{"DECRQM of the screens", `\e[?1049$p\e[?1049h\e[?1049$p\e[?47$p\e[?1048$p`, `\e[?1049;2$y\e[?1049;1$y\e[?47;1$y\e[?1048;2$y`},
	{"DECRQM, ANSI", `\e[4$p\e[4h\e[4$p\e[20$p\e[99$p`, `\e[4;2$y\e[4;1$y\e[20;2$y\e[99;0$y`},
	{"DECRQM of synchronised output", `\e[?2026h\e[?2026$p`, `\e[?2026;1$y`},
	{"DECRQM of all mouse modes", `\e[?1003h\e[?1000$p\e[?1002$p\e[?1003$p\e[?1006$p`, `\e[?1000;2$y\e[?1002;2$y\e[?1003;1$y\e[?1006;2$y`},
	{"DECRQSS of the region", `\e[2;3r\eP$qr\e\`, `\eP1$r2;3r\e\`},
	{"DECRQSS of the margins", `\e[?69h\e[2;3s\eP$qs\e\`, `\eP1$r2;3s\e\`},
	{"DECRQSS of the cursor", `\e[4 q\eP$q q\e\`, `\eP1$r4 q\e\`},
	{"DECRQSS of the level", `\eP$q"p\e\`, `\eP1$r62;1"p\e\`},
	{"DECRQSS of what is not known", `\eP$qx\e\`, `\eP0$r\e\`},
	{"XTGETTCAP", `\eP+q544e;436f;5858\e\`, `\eP1+r544e=787465726D2D323536636F6C6F72\e\\eP1+r436f=323536\e\\eP0+r5858\e\`},
	{"XTGETTCAP, bad", `\eP+qxyz\e\`, `\eP0+r\e\`},
	{"OSC 4", `\e]4;1;?;231;?;16;?;255;?;8;red;300;?;x\e\`, `\e]4;1;rgb:cdcd/0000/0000\e\\e]4;231;rgb:ffff/ffff/ffff\e\\e]4;16;rgb:0000/0000/0000\e\\e]4;255;rgb:eeee/eeee/eeee\e\`},
	{"OSC 10 and 11", `\e]10;?\e\\e]11;?` + "\a", `\e]10;rgb:e5e5/e5e5/e5e5\e\\e]11;rgb:0000/0000/0000\e\`},
	{"OSC 10 with three", `\e]10;?;?;?;?\e\`, `\e]10;rgb:e5e5/e5e5/e5e5\e\\e]11;rgb:0000/0000/0000\e\\e]12;rgb:e5e5/e5e5/e5e5\e\`},
	{"OSC 11 sets nothing", `\e]11;#ff0000\e\\e]11;?\e\`, `\e]11;rgb:0000/0000/0000\e\`},
	{"OSC 52 is not answered", `\e]52;c;?\e\`, ``},
	{"Kitty", `\e[?u\e[>5u\e[?u\e[=2;2u\e[?u\e[=4;3u\e[?u\e[=8u\e[?u\e[<u\e[?u`, `\e[?0u\e[?5u\e[?7u\e[?3u\e[?8u\e[?0u`},
	{"Kitty, popped too often", `\e[>5u\e[>6u\e[<99u\e[?u`, `\e[?0u`},
	{"Kitty, one for each screen", `\e[>5u\e[?1049h\e[?u\e[>1u\e[?1049l\e[?u`, `\e[?0u\e[?5u`},
	{"modifyOtherKeys", `\e[>4;2m\e[?4m\e[>4m\e[?4m\e[>4;1m\e[>4n\e[?4m`, `\e[>4;2m\e[>4;0m\e[>4;0m`},
	{"APC is not answered", `\e_Gi=31,s=1,v=1,a=q;AAAA\e\`, ``},
}

func TestReplies(t *testing.T) {
	esc := strings.NewReplacer(`\e`, "\x1b")
	for _, tt := range replyTests {
		t.Run(tt.name, func(t *testing.T) {
			term := vt.New(vt.Options{Cols: 7, Rows: 4})
			fmt.Fprint(term, esc.Replace(tt.in))
			if got := string(term.Replies()); got != esc.Replace(tt.want) {
				t.Errorf("%s gives %q, want %q", tt.in, got, esc.Replace(tt.want))
			}
			if term.Unknown() > 0 {
				t.Errorf("%s was not recognised", tt.in)
			}
			if got := term.Replies(); len(got) > 0 {
				t.Errorf("a second call gives %q", got)
			}
		})
	}
}

func TestDefaultColours(t *testing.T) {
	term := vt.New(vt.Options{Foreground: vt.RGB(1, 2, 3), Background: vt.RGB(250, 251, 252)})
	fmt.Fprint(term, "\x1b]10;?\a\x1b]11;?\a\x1b[?996n")
	const want = "\x1b]10;rgb:0101/0202/0303\x1b\\\x1b]11;rgb:fafa/fbfb/fcfc\x1b\\\x1b[?997;2n"
	if got := string(term.Replies()); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRepliesDropOldest asks without reading: what is left are whole answers, the newest.
func TestRepliesDropOldest(t *testing.T) {
	term := vt.New(vt.Options{})
	for i := range 5000 {
		fmt.Fprintf(term, "\x1b[?%d$p", i+10000)
	}
	got := term.Replies()
	if len(got) > 16<<10 || len(got) < 11<<10 {
		t.Errorf("%d bytes are kept", len(got))
	}
	parts := bytes.SplitAfter(got, []byte("y"))
	for i, p := range parts[:len(parts)-1] {
		if want := fmt.Sprintf("\x1b[?%d;0$y", 15000-(len(parts)-1)+i); string(p) != want {
			t.Fatalf("answer %d is %q, want %q", i, p, want)
		}
	}
}
