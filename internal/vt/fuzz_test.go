package vt_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"pi/internal/vt"
)

// op is something that happens to a terminal: bytes, or, when they are nil, a new size.
type op struct {
	bytes      []byte
	cols, rows int
}

// String shows the operation in messages.
func (o op) String() string {
	if o.bytes == nil {
		return fmt.Sprintf("resize %d,%d", o.cols, o.rows)
	}
	return fmt.Sprintf("%q", o.bytes)
}

// What random programs are made of.
var (
	texts = []string{"a", "hello world ", "日", "日本語", "e\u0301", "👨‍👩‍👧", "🇩🇪", "\u0301", "\u200d", "\ufe0f", "\xff", "\xe2\x82", "ｱ",
		strings.Repeat("x", 79), strings.Repeat("語", 41), "\u1112\u1161", "❤\ufe0f", "\u00ad", " ", "\u009b1m"}
	numbers    = []string{"", "0", "1", "2", "3", "4", "5", "7", "10", "24", "79", "80", "255", "256", "65535", "99999999999999999999"}
	prefixes   = []string{"", "", "", "", "?", ">", "<", "="}
	inters     = []string{"", "", "", "", " ", "!", "$", "'", "\""}
	controls   = []string{"\n", "\r", "\b", "\t", "\v", "\x0e", "\x0f", "\x18", "\x1a", "\x7f", "\a", "\x00"}
	escapes    = []string{"7", "8", "D", "E", "H", "M", "N", "O", "Z", "c", "=", ">", "6", "9", "n", "o", "(0", "(B", ")0", "#8", "%G", "\\", " F"}
	modeNames  = []int{1, 5, 6, 7, 9, 25, 45, 47, 69, 69, 1000, 1003, 1006, 1047, 1048, 1049, 2004, 2026, 2027}
	stringSeqs = []string{"]0;title", "]4;1;?", "]11;?", "]52;c;abc", "P$qm", "P$qr", "P+q544e", "Pq~~", "_Gx", "Xsos", "^pm", "]8;;x"}
	sizes      = []int{1, 2, 3, 5, 10, 24, 40, 80, 120, 200}
)

// program turns bytes, which a fuzzer can vary, into what happens.
func program(data []byte) (ops []op) {
	next := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b)
	}
	pick := func(list []string) string { return list[next()%len(list)] }
	write := func(s string) { ops = append(ops, op{bytes: []byte(s)}) }
	for len(data) > 0 {
		switch b := next(); b % 16 {
		case 0, 1, 2:
			write(pick(texts))
		case 3:
			write(pick(controls))
		case 4, 5, 6, 7:
			params := pick(numbers)
			for range b / 16 % 4 {
				params += ";:"[next()%2:][:1] + pick(numbers)
			}
			write("\x1b[" + pick(prefixes) + params + pick(inters) + string(rune(0x40+next()%0x3f)))
		case 8, 9: // those that move much
			write(fmt.Sprintf("\x1b[%s%c", pick(numbers), "@ALMPSTXbJKHrsdG"[next()%16]))
		case 10:
			write("\x1b" + pick(escapes))
		case 11:
			write(fmt.Sprintf("\x1b[?%d%c", modeNames[next()%len(modeNames)], "hl"[next()%2]))
		case 12:
			write(fmt.Sprintf("\x1b[%s;%s%c", pick(numbers), pick(numbers), "Hrsm"[next()%4]))
		case 13:
			write("\x1b" + pick(stringSeqs) + pick([]string{"\x1b\\", "\a", "\u009c", "\x18", "\x1b[m", ""}))
		case 14:
			write(string([]byte{byte(next())}))
		case 15:
			ops = append(ops, op{cols: sizes[next()%len(sizes)], rows: sizes[next()%len(sizes)]})
		}
	}
	return ops
}

// state is all that can be seen of a terminal.
type state struct {
	Screen            []string
	Styles            string // where which begins
	Cursor            vt.Cursor
	Modes             vt.Modes
	Title, Text       string
	Replies, Scrolled string
	Alt               vt.AltSummary
	Unknown           int
}

// machine is a terminal that collects its output.
type machine struct {
	*vt.Terminal
	replies, scrolled strings.Builder
}

func newMachine() *machine {
	m := &machine{}
	m.Terminal = vt.New(vt.Options{Cols: 20, Rows: 6, Scrollback: 30, Scrolled: func(line []byte) {
		m.scrolled.Write(line)
		m.scrolled.WriteByte('\n')
	}})
	return m
}

func (m *machine) do(o op) {
	if o.bytes == nil {
		m.Resize(o.cols, o.rows)
		return
	}
	m.Write(o.bytes)
	m.replies.Write(m.Replies())
}

func (m *machine) state() state {
	s := state{Screen: m.ScreenText(), Cursor: m.Cursor(), Modes: m.Modes(), Title: m.Title(), Text: m.Text(), Alt: m.AltSummary(), Unknown: m.Unknown()}
	_, rows := m.Size()
	var last vt.Style
	for y := range rows {
		for x, c := range m.Row(y) {
			if c.Style != last {
				last = c.Style
				s.Styles += fmt.Sprintln(x, y, last)
			}
		}
	}
	m.Finish()
	s.Replies, s.Scrolled = m.replies.String(), m.scrolled.String()
	return s
}

// checkSplit runs the operations as they are and with their bytes cut anywhere, and holds both to the same state.
func checkSplit(t interface{ Fatalf(string, ...any) }, ops []op, cut func(n int) int) {
	whole, parts := newMachine(), newMachine()
	for _, o := range ops {
		whole.do(o)
		for rest := o.bytes; len(rest) > 0; {
			n := cut(len(rest))
			parts.do(op{bytes: rest[:n]})
			rest = rest[n:]
		}
		if o.bytes == nil {
			parts.do(o)
		}
	}
	if bad := whole.Check(); bad != "" {
		t.Fatalf("%s after %v", bad, ops)
	}
	checkScrollback(t, whole.Terminal)
	if diff := cmp.Diff(whole.state(), parts.state()); diff != "" {
		t.Fatalf("cutting %v makes a difference (-whole +cut):\n%s", ops, diff)
	}
}

// checkScrollback holds the cells of the scrollback to its text.
func checkScrollback(t interface{ Fatalf(string, ...any) }, term *vt.Terminal) {
	var cells []byte
	for i := range term.Lines() {
		for _, c := range term.ScrollbackRow(i) {
			cells = term.AppendCell(cells, c)
		}
	}
	keep := func(r rune) rune {
		if r == ' ' || r == '\n' {
			return -1
		}
		return r
	}
	got, text := strings.Map(keep, string(cells)), strings.Map(keep, term.Text())
	if !strings.HasPrefix(text, got) {
		t.Fatalf("scrollback %q is not the beginning of the text %q", got, text)
	}
}

// joinBytes merges neighbouring writes, so that cuts come between sequences too.
func joinBytes(ops []op) (out []op) {
	for _, o := range ops {
		if n := len(out); n > 0 && o.bytes != nil && out[n-1].bytes != nil {
			out[n-1].bytes = append(out[n-1].bytes, o.bytes...)
			continue
		}
		out = append(out, o)
	}
	return out
}

func TestAnyChunking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ops := joinBytes(program(rapid.SliceOfN(rapid.Byte(), 1, 150).Draw(t, "program")))
		checkSplit(t, ops, func(n int) int { return rapid.IntRange(1, min(n, 9)).Draw(t, "cut") })
	})
}

// TestAnyChunkingOfTables cuts the small screens and the recordings into single bytes.
func TestAnyChunkingOfTables(t *testing.T) {
	one := func(int) int { return 1 }
	for _, tt := range screenTests {
		checkSplit(t, []op{{bytes: []byte(tt.in)}}, one)
	}
	for _, name := range recordingNames(t) {
		data, _ := recording(t, name)
		checkSplit(t, []op{{cols: recCols, rows: recRows}, {bytes: data}}, one)
	}
}

// FuzzProgram runs structured input: sequences of every kind with extreme numbers, and new sizes between them.
func FuzzProgram(f *testing.F) {
	f.Add([]byte("\x00\x01\x03\x00\x08\x0f\x08\x0b\x08\x01\x0f\x01\x02\x00\x05"))
	f.Add([]byte("\x0b\x08\x00\x0c\x02\x05\x02\x00\x03\x08\x0e\x05\x0a\x05"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2000 {
			return
		}
		ops := program(data)
		at := 0
		checkSplit(t, joinBytes(ops), func(n int) int {
			at++
			return min(n, 1+int(data[at%len(data)])%7)
		})
		checkTime(t, ops)
	})
}

// FuzzBytes runs any bytes.
func FuzzBytes(f *testing.F) {
	for _, tt := range screenTests {
		f.Add([]byte(tt.in), uint8(3))
	}
	for _, tt := range replyTests {
		f.Add([]byte(strings.ReplaceAll(tt.in, `\e`, "\x1b")), uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, step uint8) {
		if len(data) > 4096 {
			return
		}
		checkSplit(t, []op{{bytes: data}}, func(n int) int { return min(n, int(step)+1) })
		checkTime(t, []op{{bytes: data}})
	})
}

// checkTime repeats the bytes to 4 KiB and holds writing them to 50 ms on a screen of 120×40; TestWorst has larger ones.
// It measures only with PI_LONG=1, since the race detector, or a slow machine, would make it something else.
func checkTime(t *testing.T, ops []op) {
	if os.Getenv("PI_LONG") == "" {
		return
	}
	var unit []byte
	for _, o := range ops {
		unit = append(unit, o.bytes...)
	}
	if len(unit) == 0 {
		return
	}
	data := []byte(strings.Repeat(string(unit), 4096/len(unit)+1))[:4096]
	term := vt.New(vt.Options{Cols: 120, Rows: 40, Scrollback: 10000})
	best := time.Hour
	for range 3 {
		if best = min(best, cpuTime(t, func() { term.Write(data) })); best < 50*time.Millisecond {
			return
		}
	}
	t.Fatalf("4 KiB of %q take %v", unit, best)
}
