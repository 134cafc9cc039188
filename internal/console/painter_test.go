package console

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pi/internal/pty"
	"pi/internal/vt"
)

// show draws one frame of a program's screen on a user's terminal.
func show(p *painter, user *emulator, prog *vt.Terminal, f frame) []byte {
	f.cols, f.rows = user.Size()
	out := p.frame(prog, f)
	_, _ = user.Write(out)
	return out
}

func TestOverlayScreens(t *testing.T) {
	for _, size := range []struct{ cols, rows int }{{80, 24}, {120, 40}, {40, 10}, {20, 5}} {
		for _, tt := range []struct {
			name string
			f    frame
		}{
			{"running", frame{state: "running 12s", escape: true}},
			{"alternate", frame{state: "running 12s"}},
			{"ending", frame{state: "running 13s", escape: true, ending: true}},
			{"exit0", frame{state: "exit 0", over: true}},
			{"exit3", frame{state: "exit 3", over: true}},
			{"killed", frame{state: "killed", over: true}},
			{"timedout", frame{state: "timed out", over: true}},
		} {
			name := fmt.Sprintf("%s-%dx%d", tt.name, size.cols, size.rows)
			t.Run(name, func(t *testing.T) {
				prog := vt.New(vt.Options{Cols: max(20, size.cols-2), Rows: max(5, size.rows-2)})
				fmt.Fprint(prog, "plain \x1b[1;31mred\x1b[m \x1b[38;2;1;2;3mrgb\x1b[m 漢字 👍\r\n\x1b[7minverse\x1b[m\r\n> ")
				user := newEmulator(size.cols, size.rows)
				tt.f.command, tt.f.anew = "vim 'notes of today.txt' --noplugin", true
				show(&painter{profile: plainProfile}, user, prog, tt.f)
				golden(t, "overlay/"+name+".txt", user.screen())
			})
		}
	}
}

// Whatever the program does, a screen that was drawn by differences is the screen that is drawn from scratch.
func TestDifferencesGiveTheWholeScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := rapid.IntRange(20, 60).Draw(t, "cols"), rapid.IntRange(5, 20).Draw(t, "rows")
		prog := vt.New(vt.Options{Cols: cols - 2, Rows: rows - 2, Scrollback: 5})
		user := newEmulator(cols, rows)
		p := &painter{profile: colors}
		anew := true
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			prog.Write([]byte(rapid.SampledFrom([]string{
				"hello", "漢字", "\r\n", "\x1b[H", "\x1b[2J", "\x1b[31mred\x1b[m", "\x1b[3;5Hx", "👍🏽", "e\u0301", "\x1b[?1049h", "\x1b[?1049l", "\x1b[L",
				"\x1b[1;44mline of some length\x1b[m", "\x1b[5;1H\x1b[K", "\x1b[2;3H漢", "\x1b[2;4Hy", "\t", "\x1b[?25l", "\x1b[?25h", "\n\n\n\n\n\n", "\x1b[4:3mcurly\x1b[m",
			}).Draw(t, "write")))
			if rapid.IntRange(0, 9).Draw(t, "resize") == 0 {
				cols, rows = rapid.IntRange(5, 60).Draw(t, "cols"), rapid.IntRange(3, 20).Draw(t, "rows")
				prog.Resize(max(20, cols-2), max(5, rows-2))
				user.mu.Lock()
				user.t.Resize(cols, rows)
				user.mu.Unlock()
				anew = true
			}
			if rapid.Bool().Draw(t, "draw") {
				show(p, user, prog, frame{command: "c", state: "running 1s", anew: anew})
				anew = false
			}
		}
		show(p, user, prog, frame{command: "c", state: "running 1s", anew: anew})
		fresh := newEmulator(cols, rows)
		q := &painter{profile: colors, view: p.view}
		show(q, fresh, prog, frame{command: "c", state: "running 1s", anew: true})
		if got, want := user.styled(), fresh.styled(); got != want {
			t.Fatalf("by differences:\n%q\nfrom scratch:\n%q", got, want)
		}
		if got, want := user.t.Cursor(), fresh.t.Cursor(); got != want && got.Visible {
			t.Fatalf("cursor %v, want %v", got, want)
		}
		if out := p.frame(prog, frame{command: "c", state: "running 1s", cols: cols, rows: rows}); len(out) > 0 && !hasCluster(prog) {
			t.Fatalf("nothing has changed, and %q is drawn", out)
		}
	})
}

// hasCluster reports whether a row must be drawn again because its characters cannot be compared.
func hasCluster(t *vt.Terminal) bool {
	_, rows := t.Size()
	for y := range rows {
		for _, c := range t.Row(y) {
			if c.Rune < 0 {
				return true
			}
		}
	}
	return false
}

// What is inside the box is the program's screen, cell by cell.
func TestBoxHoldsTheScreen(t *testing.T) {
	prog := vt.New(vt.Options{Cols: 38, Rows: 8})
	fmt.Fprint(prog, "\x1b[1;31mbold red\x1b[m and \x1b[48;5;200mground\x1b[m\r\n漢字かな\r\n\x1b[8;38HX")
	user := newEmulator(40, 10)
	show(&painter{profile: colors}, user, prog, frame{command: "x", state: "running 1s", anew: true})
	for y := range 8 {
		row := user.t.Row(y + 1)
		for x, want := range prog.Row(y) {
			if got := row[x+1]; got != want {
				t.Fatalf("row %d column %d: %+v, want %+v", y, x, got, want)
			}
		}
	}
}

func TestColoursOfTheTerminal(t *testing.T) {
	for _, tt := range []struct {
		color Color
		want  string
	}{
		{NoColor, "\x1b[0;1;4m"},
		{Color16, "\x1b[0;1;4;91m"},
		{Color256, "\x1b[0;1;4:3;38;5;203m"},
		{TrueColor, "\x1b[0;1;4:3;38;2;255;80;80m"},
	} {
		prog := vt.New(vt.Options{Cols: 20, Rows: 5})
		fmt.Fprint(prog, "\x1b[1;4:3;38;2;255;80;80mx")
		p := &painter{profile: Profile{Color: tt.color}}
		out := string(p.frame(prog, frame{cols: 22, rows: 7, command: "c", state: "s", anew: true}))
		if !strings.Contains(out, tt.want+"x") {
			t.Errorf("colour %d: %q does not hold %q", tt.color, out, tt.want+"x")
		}
	}
}

// Modes that the program asks for are asked of the user's terminal, and taken back.
func TestModesAreMirrored(t *testing.T) {
	prog, user := vt.New(vt.Options{Cols: 38, Rows: 8}), newEmulator(40, 10)
	p := &painter{}
	draw := func(s string) vt.Modes {
		fmt.Fprint(prog, s)
		show(p, user, prog, frame{command: "c", state: "s", anew: s == ""})
		return user.t.Modes()
	}
	draw("")
	if m := draw("\x1b[?1002h\x1b[?1004h\x1b="); m.Mouse != vt.MouseDrag || !m.MouseSGR || !m.Focus || !m.AppKeypad {
		t.Errorf("asked for: %+v", m)
	}
	if m := draw("\x1b[>5u"); m.KittyFlags != 5 {
		t.Errorf("Kitty flags %d", m.KittyFlags)
	}
	if m := draw("\x1b[<u\x1b[?1002l\x1b[?1004l\x1b>"); m.Mouse != vt.MouseNone || m.Focus || m.AppKeypad || m.KittyFlags != 0 {
		t.Errorf("taken back: %+v", m)
	}
}

// After the mode's end nothing of a program is left in the user's terminal.
func TestUndo(t *testing.T) {
	user := newEmulator(40, 10)
	user.t.Write([]byte("before"))
	was, at := user.t.Modes(), user.t.Cursor()
	user.t.Write([]byte(OverlayMode.Ask))
	prog := vt.New(vt.Options{Cols: 38, Rows: 8})
	fmt.Fprint(prog, "\x1b[?1003;1004;2004;1049h\x1b[?25l\x1b=\x1b[>31u\x1b[>4;2m\x1b[5 q\x1b[1;31mred")
	show(&painter{profile: colors}, user, prog, frame{command: "c", state: "s", anew: true})
	user.t.Write([]byte(OverlayMode.Undo))
	if got := user.t.Modes(); got != was {
		t.Errorf("modes %+v, want %+v", got, was)
	}
	if got := user.t.Cursor(); got != at {
		t.Errorf("cursor %+v, want %+v", got, at)
	}
	if got := user.screen(); got != "before\n" {
		t.Errorf("screen %q", got)
	}
	user.t.Write([]byte("x"))
	if c := user.t.Row(0)[at.X]; c.Style != (vt.Style{}) {
		t.Errorf("style %+v is left", c.Style)
	}
}

func BenchmarkFrame(b *testing.B) {
	prog := vt.New(vt.Options{Cols: 118, Rows: 38})
	p := &painter{profile: colors}
	p.frame(prog, frame{cols: 120, rows: 40, command: "c", state: "s", anew: true})
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		for range 40 {
			n++
			fmt.Fprintf(prog, "line %d of a flood\r\n", n)
		}
		b.SetBytes(int64(len(p.frame(prog, frame{cols: 120, rows: 40, command: "c", state: "s"}))))
	}
}

// A window of any size costs no more than the largest screen that a program gets.
func TestBoxIsBounded(t *testing.T) {
	prog := vt.New(vt.Options{Cols: pty.MaxCols, Rows: pty.MaxRows})
	fmt.Fprintf(prog, "\x1b[%d;%dHx", pty.MaxRows, pty.MaxCols)
	p := &painter{profile: plainProfile}
	out := string(p.frame(prog, frame{cols: 65535, rows: 65535, command: "c", state: "running 1s", anew: true}))
	if len(out) > 64<<10 || len(p.seen) != pty.MaxRows || len(p.seen[0].cells) != pty.MaxCols {
		t.Errorf("%d bytes for %d rows of %d cells", len(out), len(p.seen), len(p.seen[0].cells))
	}
	user := newEmulator(pty.MaxCols+2, pty.MaxRows+2)
	_, _ = user.Write([]byte(out))
	if s := user.screen(); !strings.HasSuffix(s, "┘\n") || strings.Count(s, "x│\n") != 1 {
		t.Error("the box does not hold the whole screen")
	}
}
