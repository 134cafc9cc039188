package vt_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"pi/internal/vt"
)

// TestMemoryBounded writes what would make a careless emulator grow.
func TestMemoryBounded(t *testing.T) {
	rainbow := func(i int) string {
		var b strings.Builder
		for x := range 120 {
			fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%dm%c\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309", i%256, x, i/256, 'a'+i%26)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name string
		next func(i int) string
		n    int
	}{
		{"OSC without an end", func(int) string { return "\x1b]0;" + strings.Repeat("x", 4096) }, 100},
		{"DCS without an end", func(int) string { return strings.Repeat("\x1bP$q"+strings.Repeat("x", 9000), 3) }, 60},
		{"parameters", func(int) string { return "\x1b[" + strings.Repeat("1;", 5000) + strings.Repeat(" ", 5000) }, 30},
		{"questions", func(int) string { return strings.Repeat("\x1b[c\x1b[6n", 500) }, 50},
		{"Kitty flags", func(int) string { return strings.Repeat("\x1b[>1u", 500) }, 20},
		{"titles", func(i int) string { return strings.Repeat(fmt.Sprintf("\x1b]2;%d\a\x1b[22t", i), 100) }, 20},
		{"new clusters", func(i int) string {
			var b strings.Builder
			for k := range 500 {
				fmt.Fprintf(&b, "%c%c%c", rune(0x4e00+(i*500+k)%20000), rune(0x300+i%100), rune(0x300+k%100))
			}
			return b.String()
		}, 60},
		{"long clusters", func(int) string { return "e" + strings.Repeat("\u0301", 2000) }, 30},
		{"colours and clusters in the scrollback", rainbow, 300},
		{"a line without an end", func(int) string { return strings.Repeat("x", 4096) }, 500},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const scrollback = 100
			term := vt.New(vt.Options{Cols: 120, Rows: 40, Scrollback: scrollback, Scrolled: func([]byte) {}})
			before := heap()
			for i := range tt.n {
				fmt.Fprint(term, tt.next(i))
			}
			bytes, clusters := term.Held()
			if limit := scrollback<<10 + 2<<20; bytes > limit {
				t.Errorf("holds %d bytes, limit %d", bytes, limit)
			}
			if limit := 3 * 120 * 40 * 2; clusters > limit {
				t.Errorf("holds %d clusters, limit %d", clusters, limit)
			}
			if grown := heap() - before; grown > 12<<20 {
				t.Errorf("the heap grew by %d bytes", grown)
			}
			if bad := term.Check(); bad != "" {
				t.Error(bad)
			}
			fmt.Fprint(term, "\x18\x1bcstill alive")
			if got := dump(term); got != "still alive" {
				t.Errorf("afterwards: %q", got)
			}
		})
	}
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// worst are bytes that make the most of the terminal.
var worst = []struct{ name, before, unit string }{
	{"DECALN", "", "\x1b#8"},
	{"ED", "", "x\x1b[2J"},
	{"ED after DECALN", "", "\x1b#8\x1b[J"},
	{"RIS", "", "\x1bc"},
	{"REP", "x", "\x1b[99999999b"},
	{"REP, wide", "日", "\x1b[99999999b"},
	{"SU", "", "\x1b[99999S"},
	{"SU by one", "", "x\x1b[S"},
	{"RI", "\x1b[H", "\x1bM"},
	{"IL", "\x1b[H", "\x1b[99L"},
	{"ICH", "\x1b#8", "\x1b[9@"},
	{"ICH, wide", strings.Repeat("日", 20000), "\x1b[@"},
	{"margins, SU", "\x1b#8\x1b[?69h\x1b[2;999s", "\x1b[S"},
	{"margins, SD by many", "\x1b#8\x1b[?69h\x1b[2;999s", "\x1b[9T"},
	{"margins, wide", strings.Repeat("日", 20000) + "\x1b[?69h\x1b[2;999s\x1b[H", "\x1b[L"},
	{"DECIC", strings.Repeat("日", 20000) + "\x1b[H", "\x1b['}"},
	{"SL", "\x1b#8", "\x1b[ @"},
	{"DECBI", "\x1b#8", "\x1b6"},
	{"DECBI, filled again", "", "\x1b#8\x1b6"},
	{"DECBI after RIS", "", "\x1bc\x1b6"},
	{"DECFI", "\x1b#8\x1b[999C", "\x1b9"},
	{"DECFI, coloured", "\x1b#8\x1b[999C\x1b[41m", "\x1b9"},
	{"alternate screen", "", "\x1b[?1049h\x1b[?1049l"},
	{"alternate screen, full", "\x1b[?47h" + strings.Repeat("-", 100000), "\x1b[?47h\x1b[?47l"},
	{"tabs", "\x1b[3g", "\x1b[999Z\t"},
	{"clusters", "e", "\u0301"},
	{"flags", "", "🇩🇪"},
	{"questions", "", "\x1b[c"},
	{"palette", "", "\x1b]4;1;?\a"},
	{"colours", "", "\x1b[38;2;1;2;3m"},
	{"wide", "", "日"},
	{"line feeds", "", "\n"},
	{"DECSCNM", "", "\x1b[?5h"},
}

// TestWorst holds 4 KiB of each to 50 ms of the processor, on usual screens and on the largest.
func TestWorst(t *testing.T) {
	if os.Getenv("PI_LONG") == "" {
		t.Skip("measures time: set PI_LONG=1")
	}
	for _, size := range []struct{ cols, rows int }{{120, 40}, {200, 60}, {256, 64}, {1000, 1000}} {
		for _, tt := range worst {
			term := vt.New(vt.Options{Cols: size.cols, Rows: size.rows, Scrollback: 10000})
			fmt.Fprint(term, tt.before)
			data := []byte(strings.Repeat(tt.unit, 4096/len(tt.unit)))
			most := time.Duration(0)
			for range 5 {
				most = max(most, cpuTime(t, func() { term.Write(data) }))
			}
			t.Logf("%dx%d %-25s %v", size.cols, size.rows, tt.name, most)
			if most > 50*time.Millisecond {
				t.Errorf("%dx%d %s: %v", size.cols, size.rows, tt.name, most)
			}
		}
	}
}
