package keys_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pi/internal/keys"
)

// tester is what *testing.T and *rapid.T have in common.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// drain returns what r has, one line an event, and checks that no byte is lost: rest is what r was fed and has not
// handed out.
func drain(t tester, r *keys.Reader, out []string, rest *[]byte) []string {
	t.Helper()
	for {
		e, ok := r.Next()
		if !ok {
			return out
		}
		if len(e.Raw) == 0 || !bytes.HasPrefix(*rest, e.Raw) {
			t.Fatalf("event %v %q does not go on with the input %q", e.Kind, e.Raw, *rest)
		}
		*rest = (*rest)[len(e.Raw):]
		out = add(out, e)
	}
}

// add appends e as a line. A run of text that goes on is one line.
func add(out []string, e keys.Event) []string {
	line := fmt.Sprintf("%v %q", e.Kind, e.Raw)
	switch e.Kind {
	case keys.Key:
		line = "key " + e.ID
	case keys.Paste:
		line = fmt.Sprintf("paste %q", e.Text)
	case keys.Text:
		line = "text " + string(e.Raw)
		if len(out) > 0 && strings.HasPrefix(out[len(out)-1], "text ") {
			out[len(out)-1] += string(e.Raw)
			return out
		}
	}
	if e.Part {
		line += " part"
	}
	return append(out, line)
}

// read returns the events of input, cut behind each of the places in cuts, with the stream ending in silence.
func read(t tester, r *keys.Reader, input []byte, cuts ...int) []string {
	t.Helper()
	var out []string
	var rest []byte
	at := 0
	for _, cut := range append(cuts, len(input)) {
		if cut < at || cut > len(input) {
			continue
		}
		r.Feed(input[at:cut])
		rest = append(rest, input[at:cut]...)
		at = cut
		out = drain(t, r, out, &rest)
	}
	for range input {
		if _, ok := r.Wait(); !ok {
			break
		}
		r.Expire()
		out = drain(t, r, out, &rest)
	}
	if len(rest) > 0 {
		t.Fatalf("%q of %q was never handed on", rest, input)
	}
	return out
}

var readerTests = []struct {
	name, in string
	want     []string
}{
	{"text", "hello wörld", []string{"text hello wörld"}},
	{"control bytes", "a\x03\rb", []string{"text a", "key ctrl+c", "key enter", "text b"}},
	{"lone escape", "\x1b", []string{"key escape"}},
	{"escape twice", "\x1b\x1b", []string{"key escape", "key escape"}},
	{"escape thrice and up", "\x1b\x1b\x1b[A", []string{"key escape", "key alt+up"}},
	{"escape and enter", "\x1b\r", []string{"key alt+enter"}},
	{"alt and a letter", "\x1bx", []string{"key alt+x"}},
	{"alt and a character", "\x1bé", []string{"key alt+é"}},
	{"alt and half a character", "\x1b\xc3\r", []string{"key escape", "text \xc3", "key enter"}},
	{"alt and [", "\x1b[", []string{"key alt+["}},
	{"alt and O", "\x1bO", []string{"key shift+alt+o"}},
	{"alt and ]", "\x1b]", []string{"key alt+]"}},
	{"alt and O, then enter", "\x1bO\r", []string{"key shift+alt+o", "key enter"}},
	{"cursor key", "\x1b[A", []string{"key up"}},
	{"application cursor key", "\x1bOA", []string{"key up"}},
	{"old xterm's modified f1", "\x1bO2P", []string{`other "\x1bO2P"`}},
	{"meta cursor key", "\x1b\x1b[A", []string{"key alt+up"}},
	{"meta rxvt key", "\x1b\x1b[3$", []string{"key shift+alt+delete"}},
	{"escape, then a paste", "\x1b\x1b[200~x\x1b[201~", []string{"key escape", `paste "x"`}},
	{"escape, then the mouse", "\x1b\x1b[<0;1;1M", []string{"key escape", `mouse "\x1b[<0;1;1M"`}},
	{"rxvt shift", "\x1b[3$x", []string{"key shift+delete", "text x"}},
	{"mode report, not rxvt", "\x1b[?1;2$y", []string{`reply "\x1b[?1;2$y"`}},
	{"linux console", "\x1b[[Ax", []string{"key f1", "text x"}},
	{"old putty", "\x1b[[5~x", []string{"key pageUp", "text x"}},
	{"kitty", "\x1b[97;5u\x1b[97;5:3u", []string{"key ctrl+a", `other "\x1b[97;5:3u"`}},
	{"caps lock itself", "\x1b[57358u", []string{"key capsLock"}},
	{"unknown sequence", "\x1b[99zx", []string{`other "\x1b[99z"`, "text x"}},
	{"interrupted by escape", "\x1b[1;\x1b[A", []string{`other "\x1b[1;"`, "key up"}},
	{"interrupted by ctrl+c", "\x1b[1;\x03", []string{`other "\x1b[1;"`, "key ctrl+c"}},
	{"never finished", "\x1b[1;5", []string{`other "\x1b[1;5"`}},
	{"OSC by BEL", "\x1b]11;rgb:0/0/0\ax", []string{`reply "\x1b]11;rgb:0/0/0\a"`, "text x"}},
	{"OSC by ST", "\x1b]11;rgb:0/0/0\x1b\\x", []string{`reply "\x1b]11;rgb:0/0/0\x1b\\"`, "text x"}},
	{"OSC never finished", "\x1b]11;hello", []string{`other "\x1b]11;hello"`}},
	{"OSC interrupted", "\x1b]11;\x1b[A", []string{`other "\x1b]11;"`, "key up"}},
	{"DCS", "\x1bP1+r544e=78\x1b\\", []string{`reply "\x1bP1+r544e=78\x1b\\"`}},
	{"APC", "\x1b_Gi=1;OK\x1b\\", []string{`reply "\x1b_Gi=1;OK\x1b\\"`}},
	{"device attributes", "\x1b[?62;22c", []string{`reply "\x1b[?62;22c"`}},
	{"kitty flags", "\x1b[?1u", []string{`reply "\x1b[?1u"`}},
	{"cursor report", "\x1b[24;80R", []string{`reply "\x1b[24;80R"`}},
	{"f3", "\x1b[1;5R\x1b[R", []string{"key ctrl+f3", "key f3"}},
	{"focus", "\x1b[I\x1b[O", []string{`focus "\x1b[I"`, `focus "\x1b[O"`}},
	{"mouse", "\x1b[<65;1;1M\x1b[<0;1;1m", []string{`mouse "\x1b[<65;1;1M"`, `mouse "\x1b[<0;1;1m"`}},
	{"X10 mouse", "\x1b[M \xff!x", []string{`mouse "\x1b[M \xff!"`, "text x"}},
	{"urxvt mouse", "\x1b[32;1;1M", []string{`mouse "\x1b[32;1;1M"`}},
	{"paste", "\x1b[200~a\x1b[31m\r\n\x03\x1b[201~b", []string{`paste "a\x1b[31m\r\n\x03"`, "text b"}},
	{"empty paste", "\x1b[200~\x1b[201~", []string{`paste ""`}},
	{"paste never closed", "\x1b[200~rm -rf /\r", []string{`paste "rm -rf /\r"`}},
	{"paste with half an end", "\x1b[200~x\x1b[20", []string{`paste "x\x1b[20"`}},
	{"stray end of paste", "\x1b[201~", []string{`other "\x1b[201~"`}},
	{"invalid UTF-8", "a\xff\xc3b\x9bA", []string{"text a\xff\xc3b\x9bA"}},
	{"half a character", "a\xe4\xb8", []string{"text a\xe4\xb8"}},
	{"long SS3", "\x1bO1111111", []string{`other "\x1bO111111"`, "text 1"}},
}

// TestReader reads every case whole, cut in two at every place, and byte by byte.
func TestReader(t *testing.T) {
	for _, tt := range readerTests {
		t.Run(tt.name, func(t *testing.T) {
			want := strings.Join(tt.want, "\n")
			in := []byte(tt.in)
			all := make([]int, len(in))
			for i := range in {
				all[i] = i
				if got := strings.Join(read(t, keys.NewReader(keys.Options{}), in, i), "\n"); got != want {
					t.Errorf("cut at %d:\n%s\nwant\n%s", i, got, want)
				}
			}
			if got := strings.Join(read(t, keys.NewReader(keys.Options{}), in, all...), "\n"); got != want {
				t.Errorf("byte by byte:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestReaderAgreesWithParse reads every key of the vectors: what comes whole out of the stream has its id.
func TestReaderAgreesWithParse(t *testing.T) {
	n := 0
	for _, v := range vectors(t, "keys_parse") {
		if v.Key == nil || v.data[0] != 0x1b || len(v.data) > 2 && v.data[1] != '[' && v.data[1] != 'O' {
			continue
		}
		if last := v.data[len(v.data)-1]; last >= '0' && last <= '9' {
			continue // modifyOtherKeys without its ~ has no end in a stream
		}
		n++
		got := read(t, keys.NewReader(keys.Options{Kitty: v.Kitty}), v.data)
		if len(got) != 1 || got[0] != "key "+*v.Key {
			t.Errorf("%q: %q, want key %s", v.data, got, *v.Key)
		}
	}
	if n < 3000 {
		t.Errorf("only %d keys", n)
	}
}

func TestReaderWaits(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want time.Duration
	}{
		{"", 0},
		{"abc", 0},
		{"\x1b", 1},
		{"\x1b\x1b", 1},
		{"\x1b[", 4},
		{"\x1b]", 4},
		{"\x1b\x1b[", 4},
		{"\xc3", 4},
		{"\x1b[1;", 20},
		{"\x1b]52;", 20},
		{"\x1b[200~abc", 100},
	} {
		r := keys.NewReader(keys.Options{Escape: time.Second})
		r.Feed([]byte(tt.in))
		for {
			if _, ok := r.Next(); !ok {
				break
			}
		}
		if got, ok := r.Wait(); got != tt.want*time.Second || ok != (tt.want > 0) {
			t.Errorf("%q: wait %v, %v; want %v", tt.in, got, ok, tt.want*time.Second)
		}
	}
}

// TestReaderLateMouse is a report whose ESC had already been taken for the key.
func TestReaderLateMouse(t *testing.T) {
	for tail, want := range map[string]string{
		"[<65;1;1Mx": `mouse "[<65;1;1M"|text x`,
		"[<65;1;1x":  "text [<65;1;1x",
		"[<":         "text [<",
		"[":          "text [",
		"[A":         "text [A",
		"x":          "text x",
	} {
		r := keys.NewReader(keys.Options{})
		if got := read(t, r, []byte("\x1b")); len(got) != 1 || got[0] != "key escape" {
			t.Fatalf("lone ESC is %q", got)
		}
		if got := strings.Join(read(t, r, []byte(tail), 1, 2, 3, 4), "|"); got != want {
			t.Errorf("%q: %q, want %q", tail, got, want)
		}
	}
}

func TestReaderCursorReports(t *testing.T) {
	r := keys.NewReader(keys.Options{})
	r.ExpectCursorReports(1)
	got := strings.Join(read(t, r, []byte("\x1b[1;5C\x1b[1;5R\x1b[1;5R")), "|")
	if want := `key ctrl+right|reply "\x1b[1;5R"|key ctrl+f3`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestReaderParts(t *testing.T) {
	small := func() *keys.Reader {
		r := keys.NewReader(keys.Options{MaxPaste: 5})
		r.SetMaxSequence(8)
		return r
	}
	for in, want := range map[string]string{
		"\x1b[200~12345\x1b[201~":       `paste "12345"`,
		"\x1b[200~1234567\x1b[201~x":    `paste "12345" part|paste "67"|text x`,
		"\x1b[200~1234é7\x1b[201~x":     `paste "1234" part|paste "é7"|text x`,
		"\x1b[200~1234567890\x1b[201~x": `paste "12345" part|paste "67890"|text x`,
		"\x1b[200~123456":               `paste "123456"`,
		"\x1b[1;2;3;4;5;6zx":            `other "\x1b[1;2;3;" part|other "4;5;6z"|text x`,
		"\x1b[1;2;3;\x03":               `other "\x1b[1;2;3;" part|key ctrl+c`,
		"\x1b]123456789\x1b\\x":         `reply "\x1b]123456" part|reply "789\x1b\\"|text x`,
		"\x1b]12345\x1b\\x":             `reply "\x1b]12345" part|reply "\x1b\\"|text x`,
		"\x1b]123456":                   `reply "\x1b]123456" part`,
		"\x1b\x1b[1;2;3;4;5;6z":         `key escape|other "\x1b[1;2;3;" part|other "4;5;6z"`,
	} {
		for cut := range len(in) {
			if got := strings.Join(read(t, small(), []byte(in), cut), "|"); got != want {
				t.Errorf("%q cut at %d:\n%s\nwant\n%s", in, cut, got, want)
			}
		}
	}
}

func TestEscapeDelay(t *testing.T) {
	if d := keys.EscapeDelay([]string{"TERM=xterm", "SSH_TTY="}); d != 50*time.Millisecond {
		t.Errorf("local: %v", d)
	}
	if d := keys.EscapeDelay([]string{"SSH_CONNECTION=1 2 3 4"}); d != 200*time.Millisecond {
		t.Errorf("remote: %v", d)
	}
}

// stream generates input of the kind terminals send, with every sort of damage.
func stream() *rapid.Generator[[]byte] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"\x1b", "\x1b[", "\x1bO", "\x1b]", "\x1bP", "\x1b\\", "\a", "\x1b[200~", "\x1b[201~",
			"\x1b[<0;1;1M", "\x1b[M !!", "\x1b[I", "\x1b[A", "\x1b[97;5u", "\x1b[3$", "\x1b[[A", "[", "O", "~", "u", "1", ";",
			"é", "\xc3", "\xa9", "日", "\xf0\x9f", "\x9b", "\x03", "\r", "\x7f", " ", "x"}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 8), func(b []byte) string { return string(b) }),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 20), func(s []string) []byte { return []byte(strings.Join(s, "")) })
}

func TestReaderSplitProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := stream().Draw(t, "in")
		cuts := rapid.SliceOfN(rapid.IntRange(0, max(len(in), 1)), 0, 10).Draw(t, "cuts")
		checkSplit(t, in, cuts, rapid.Bool().Draw(t, "kitty"), rapid.IntRange(1, 30).Draw(t, "limit"))
	})
}

// checkSplit compares the events of in with those of in cut to pieces.
func checkSplit(t tester, in []byte, cuts []int, kitty bool, limit int) {
	t.Helper()
	events := func(cuts ...int) string {
		r := keys.NewReader(keys.Options{MaxPaste: limit, Kitty: kitty})
		r.SetMaxSequence(max(limit, 8))
		return strings.Join(read(t, r, in, cuts...), "\n")
	}
	want := events()
	every := make([]int, len(in))
	for i := range in {
		every[i] = i
	}
	if got := events(cuts...); got != want {
		t.Fatalf("%q cut at %v:\n%s\nwhole:\n%s", in, cuts, got, want)
	}
	if got := events(every...); got != want {
		t.Fatalf("%q byte by byte:\n%s\nwhole:\n%s", in, got, want)
	}
}
