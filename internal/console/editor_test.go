package console

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// typewriter is a keyboard on which everything has been typed already. At its end nothing more comes.
type typewriter struct{ r io.Reader }

func (w typewriter) Read(p []byte, _ time.Duration) (int, error) {
	n, err := w.r.Read(p)
	if errors.Is(err, io.EOF) {
		return 0, nil // as if the wait had been broken off
	}
	return n, err
}

// edit types into a fresh line.
func edit(user *emulator, typed string, old ...string) (e *editor, line string, err error) {
	e = newEditor(user, newTypist(typewriter{strings.NewReader(typed)}, time.Millisecond), Profile{}, &History{entries: old},
		func(s string) bool { return strings.Count(s, "'")%2 == 1 })
	e.begin("~ $ ", func(s string) string { return s })
	line, err = e.read()
	return e, line, err
}

func TestEditing(t *testing.T) {
	for _, tt := range []struct {
		name, keys, want string
		old              []string
	}{
		{"typing", "echo ä漢", "echo ä漢", nil},
		{"left and insert", "ac\x1b[Db", "abc", nil},
		{"home, end", "b\x01a\x05c", "abc", nil},
		{"home and end keys", "b\x1b[Ha\x1b[Fc", "abc", nil},
		{"backspace over a cluster", "ae\u0301\x7f", "a", nil},
		{"backspace over a family", "a👨‍👩‍👧\x7f", "a", nil},
		{"delete", "abc\x01\x1b[3~", "bc", nil},
		{"ctrl+d in a line deletes", "abc\x01\x04", "bc", nil},
		{"kill to the end, yank", "abc\x01\x0b\x19\x19", "abcabc", nil},
		{"kill to the beginning", "abc\x15x", "x", nil},
		{"kill a word", "one two-three\x17", "one ", nil},
		{"alt+backspace", "one two-three\x1b\x7f", "one two-", nil},
		{"alt+d", "one two\x01\x1bd", " two", nil},
		{"words", "one two\x1bb\x1bbX\x1bfY", "XoneY two", nil},
		{"ctrl+arrows", "one two\x1b[1;5D_", "one _two", nil},
		{"transpose", "ab\x14", "ba", nil},
		{"an old line", "\x1b[A", "two", []string{"one", "two"}},
		{"older", "\x1b[A\x1b[A\x1b[A", "one", []string{"one", "two"}},
		{"there and back", "new\x1b[A\x1b[B", "new", []string{"one", "two"}},
		{"search", "\x12on", "second one", []string{"first one", "second one", "two"}},
		{"search again", "\x12on\x12", "first one", []string{"first one", "second one", "two"}},
		{"search and leave", "mine\x12on\x07", "mine", []string{"one"}},
		{"search and edit", "\x12one\x05!", "one!", []string{"one"}},
		{"an open quote", "'a\rb'", "'a\nb'", nil},
		{"up within the line", "'ab\rcd\x1b[AX'", "'aX'b\ncd", nil},
		{"up and down by characters", "e\u0301e\u0301\x1b\rabcd\x1b[A\x1b[BX\r", "e\u0301e\u0301\nabXcd", nil},
		{"paste", "\x1b[200~a\r\nb\rc\x1b\x07\x1b[201~", "a\nb\nc", nil},
		{"tab", "a\tb", "a\tb", nil},
		{"alt+enter", "a\x1b\rb", "a\nb", nil},
		{"releases and mouse are nothing", "a\x1b[97;1:3u\x1b[<0;1;1Mb\x1b[I", "ab", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			e, _, err := edit(newEmulator(80, 24), tt.keys, tt.old...)
			if err != nil && !errors.Is(err, errWoken) {
				t.Fatal(err)
			}
			if e.buf.text != want {
				t.Errorf("%q, want %q", e.buf.text, want)
			}
		})
	}
}

func TestEditingEnds(t *testing.T) {
	for keys, want := range map[string]error{"\x04": io.EOF, "a\x03": errInterrupt, "a\x0f": errExpand, "a": errWoken, "a\r": nil} {
		if _, _, err := edit(newEmulator(80, 24), keys); !errors.Is(err, want) {
			t.Errorf("%q ends with %v, want %v", keys, err, want)
		}
	}
}

// Whatever is typed, the text stays whole, the cursor stands between characters, and the screen shows both.
func TestEditorShowsWhatItHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols := rapid.IntRange(12, 40).Draw(t, "cols")
		user := newEmulator(cols, 40)
		typed := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "word ", "漢", "👍🏽", "e\u0301", "\x1b[D", "\x1b[C", "\x01", "\x05", "\x7f", "\x1b[3~", "\x17", "\x0b", "\x19", "\x14", "\x1bb", "\x1bf", "\x1b\r", "\x1b[A", "\x1b[B", "\x15",
		}), 0, 40).Draw(t, "keys"), "")
		e, _, _ := edit(user, typed, "old 漢字", "older\nof two lines")
		if !utf8.ValidString(e.buf.text) || e.buf.pos < 0 || e.buf.pos > len(e.buf.text) || !utf8.ValidString(e.buf.text[:e.buf.pos]) {
			t.Fatalf("%q, cursor at %d", e.buf.text, e.buf.pos)
		}
		want, end := "", -1
		for i, line := range strings.Split(e.buf.text, "\n") {
			lead := "~ $ "
			if i > 0 {
				lead = more
			}
			rows := wrap(lead+line, cols)
			if end += 1 + len(line); e.buf.pos == end && width(rows[len(rows)-1]) == cols {
				rows = append(rows, "") // for the cursor
			}
			for _, r := range rows {
				want += strings.TrimRight(r, " ") + "\n"
			}
		}
		if got := user.screen(); strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
			t.Fatalf("the screen is %q, want %q", got, want)
		}
		c := user.t.Cursor()
		if e.buf.pos < len(e.buf.text) && e.buf.text[e.buf.pos] != '\n' {
			cell := user.t.Row(c.Y)[c.X]
			if s := string(user.t.AppendCell(nil, cell)); !strings.HasPrefix(e.buf.text[e.buf.pos:], s) {
				t.Fatalf("the cursor stands on %q, the text goes on with %q", s, e.buf.text[e.buf.pos:])
			}
		}
	})
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "history")
	h, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"one", "one", " secret", "", `two\n` + "\nlines", strings.Repeat("x", maxEntry+1)} {
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	again, err := OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"one", `two\n` + "\nlines"}, again.entries); d != "" {
		t.Error(d)
	}
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(path, []byte(strings.Repeat("a\nb\n", 3*maxEntries)), 0o644); err != nil {
		t.Fatal(err)
	}
	h, err := OpenHistory(path)
	if err != nil || len(h.entries) != maxEntries {
		t.Fatalf("%d entries, %v", len(h.entries), err)
	}
	text, _ := os.ReadFile(path)
	if n := strings.Count(string(text), "\n"); n != maxEntries {
		t.Errorf("the file has %d lines", n)
	}
	if st, _ := os.Stat(path); st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", st.Mode())
	}
	huge := strings.Repeat(strings.Repeat("y", 1000)+"\n", 6000)
	if err := os.WriteFile(path, []byte(huge), 0o600); err != nil {
		t.Fatal(err)
	}
	if h, err = OpenHistory(path); err != nil || len(h.entries) != 1 {
		t.Errorf("%d entries, %v", len(h.entries), err)
	}
}

// Any bytes may be in the file.
func FuzzHistory(f *testing.F) {
	f.Add([]byte("one\ntwo\\nlines\n"))
	f.Add([]byte("\\\x00\xff\n\n \n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "history")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		h, _ := OpenHistory(path)
		for _, e := range h.entries {
			if unescape(escape(e)) != e {
				t.Fatalf("%q does not come back", e)
			}
		}
	})
}

// recorder keeps the bytes that went to a user's terminal.
type recorder struct {
	*emulator
	raw strings.Builder
}

func (r *recorder) Write(p []byte) (int, error) {
	r.raw.Write(p)
	return r.emulator.Write(p)
}

// The characters that a terminal would obey are shown, and nothing but shown, wherever the text comes from.
func TestEditorShowsWhatATerminalWouldObey(t *testing.T) {
	evil := "true '\u202e\u009b31m\u009d0;PWN\u009c\u2066'"
	for _, tt := range []struct{ name, keys, text string }{
		{"pasted", "\x1b[200~" + evil + "\x1b[201~", evil},
		{"typed", evil, evil},
		{"recalled", "\x1b[A", evil},
		{"searched", "\x12\u202e\u009b", evil},
		{"no UTF-8", "\x1b[A\x1b[A", "echo \x9b31m"},
		{"in the middle of a line", "\x1b[200~" + evil + "\x1b[201~\x1b[D\x1b[D\x1b[D", evil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			user := &recorder{emulator: newEmulator(80, 24)}
			e := newEditor(user, newTypist(typewriter{strings.NewReader(tt.keys)}, time.Millisecond), Profile{}, &History{entries: []string{"echo \x9b31m", evil}}, nil)
			e.begin("~ $ ", func(s string) string { return s })
			if _, err := e.read(); !errors.Is(err, errWoken) {
				t.Fatal(err)
			}
			if e.buf.text != tt.text {
				t.Errorf("the text is %q, want %q", e.buf.text, tt.text)
			}
			e.finish()
			out := user.raw.String()
			if !utf8.ValidString(out) || strings.ContainsAny(out, "\u202e\u2066\u009b\u009c\u009d") {
				t.Errorf("the terminal gets %q", out)
			}
			if got, want := user.screen(), "~ $ "+harmless(tt.text)+"\n"; got != want {
				t.Errorf("the screen is %q, want %q", got, want)
			}
		})
	}
}
