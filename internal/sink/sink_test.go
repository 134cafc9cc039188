package sink

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestText(t *testing.T) {
	long := strings.Repeat("x", maxSequence)
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"no newline is added", "no newline", "no newline"},
		{"leading blanks are kept", "\n  x\n", "\n  x\n"},
		{"line separators are kept", "a\u2028b\u2029c", "a\u2028b\u2029c"},
		{"NUL", "left\x00right", "leftright"},
		{"backspace is removed, nothing else", "ab\bc\n", "abc\n"},
		{"invalid bytes one by one", "a\xff\xfeb\xc3(c", "a\ufffd\ufffdb\ufffd(c"},
		{"half a character at the end", "a\xe4\xbd", "a\ufffd\ufffd"},
		{"surrogates", "\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
		{"overlong", "\xc0\xaf\xe0\x80\xaf", "\ufffd\ufffd\ufffd\ufffd\ufffd"},
		{"raw C1 byte is invalid", "a\x9b31m", "a\ufffd31m"},
		{"0x9b inside a character", "\u00db\u4edb", "\u00db\u4edb"},
		{"colours", "\x1b[31mred\x1b[0m plain \x1b[1;38;5;46mgreen\x1b[m\n", "red plain green\n"},
		{"title and link", "\x1b]0;my title\aseen \x1b]8;;http://x.test/\x1b\\link\x1b]8;;\x1b\\ end\n", "seen link end\n"},
		{"save and restore cursor", "a\x1b7b\x1b8c\x1b=d\x1b>e", "abcde"},
		{"broken CSI keeps the newline", "a\x1b[31\nb", "a\nb"},
		{"broken CSI keeps the text", "a\x1b[1;\u00e9b", "a\u00e9b"},
		{"CSI at the end", "a\x1b[3", "a"},
		{"ESC at the end", "a\x1b", "a"},
		{"unterminated string removes its line only", "a\x1b]0;title\nb\nc\n", "a\nb\nc\n"},
		{"unterminated string at the end", "a\x1bPdata", "a"},
		{"unterminated string removes at most 4 KiB", "a\x1b]" + long + "bc\n", "axxbc\n"},
		{"two unterminated strings", "\x1b]a\nb\x1b_c\nd" + long, "\nb\nd" + long},
		{"endless parameters", "\x1b[" + strings.Repeat("1;", 100000) + "mEND\n", strings.Repeat("1;", 100000-2047) + "mEND\n"},

		{"CRLF", "a\r\nb\r\n", "a\nb\n"},
		{"last frame", "10%\r50%\r100%\n", "100%\n"},
		{"shorter frame", "abcdef\rXY\n", "XYcdef\n"},
		{"frame without newline", "50%\r100%", "100%"},
		{"CR at the end shows the line", "100%\r", "100%"},
		{"CR CRLF", "a\rb\r\n", "b\n"},
		{"CR CR LF", "a\r\r\n", "a\n"},
		{"columns are characters", "日本語\rab\n", "ab語\n"},
		{"wide over narrow", "abc\r日\n", "日bc\n"},
		{"erase to the end", "Downloading 100%\r\x1b[KDone\n", "Done\n"},
		{"erase to the end inside", "abcdef\rXY\x1b[0K\n", "XY\n"},
		{"erase the line, then return", "abcdef\x1b[2K\rXY\n", "XY\n"},
		{"return, then erase the line", "abcdef\r\x1b[2KXY\n", "XY\n"},
		{"erase to the left", "abcdef\rXY\x1b[1K\rZ\n", "Z  def\n"},
		{"erasing has no effect without a carriage return", "abc\x1b[2Kd\n", "abcd\n"},
		{"erase, write, then return", "abc\x1b[2Kd\rX\n", "X  d\n"},
		{"other lines are unchanged", "one\ntwo\rTWO\nthree\n", "one\nTWO\nthree\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{0, 1, 2, 3, 1000} {
				got, _ := collect(Options{MaxBytes: 1 << 20}, []byte(tt.in), []int{size}[:min(size, 1)], maxLine)
				if got.Text != tt.want {
					t.Fatalf("in pieces of %d: %s", size, cmp.Diff(tt.want, got.Text))
				}
			}
		})
	}
}

func TestCarriageReturnModes(t *testing.T) {
	const in = "a\r\nb\rc\r\r\nd\r"
	tests := []struct {
		mode CarriageReturn
		want string
	}{
		{Collapse, "a\nc\nd"},
		{Newline, "a\nb\nc\n\nd\n"},
		{Strip, "a\nbc\nd"},
	}
	for _, tt := range tests {
		got, _ := collect(Options{CarriageReturn: tt.mode}, []byte(in), []int{1}, maxLine)
		if got.Text != tt.want {
			t.Errorf("mode %d: %q, want %q", tt.mode, got.Text, tt.want)
		}
	}
}

// seq is the output of seq 1 n.
func seq(n int) []byte {
	var b []byte
	for i := 1; i <= n; i++ {
		b = fmt.Appendf(b, "%d\n", i)
	}
	return b
}

func TestSummary(t *testing.T) {
	as := func(n int) []byte { return []byte(strings.Repeat("a", n)) }
	tests := []struct {
		name string
		opt  Options
		in   []byte
		want Summary
	}{
		{"nothing", Options{}, nil, Summary{}},
		{"everything", Options{}, seq(3), Summary{TotalLines: 3, TotalBytes: 6, OutputLines: 3, OutputBytes: 6, ShownStart: 1, ShownEnd: 3}},
		{"exactly the limit", Options{}, as(51200), Summary{TotalLines: 1, TotalBytes: 51200, OutputLines: 1, OutputBytes: 51200, ShownStart: 1, ShownEnd: 1}},
		{"one byte more than the limit", Options{}, as(51201), Summary{TotalLines: 1, TotalBytes: 51201, OutputLines: 1, OutputBytes: 51200, ShownStart: 1, ShownEnd: 1,
			Truncated: true, TruncatedBy: "bytes", Direction: "tail"}},
		{"a million lines", Options{}, seq(1000000), Summary{TotalLines: 1000000, TotalBytes: 6888896, OutputLines: 7314, OutputBytes: 51199, ShownStart: 992687, ShownEnd: 1000000,
			Truncated: true, TruncatedBy: "bytes", Direction: "tail"}},
		{"tail", Options{Tail: 50}, seq(100000), Summary{TotalLines: 100000, TotalBytes: 588895, OutputLines: 50, OutputBytes: 301, ShownStart: 99951, ShownEnd: 100000,
			Truncated: true, TruncatedBy: "lines", Direction: "tail"}},
		{"tail of no more lines than the limit", Options{Tail: 3}, seq(3), Summary{TotalLines: 3, TotalBytes: 6, OutputLines: 3, OutputBytes: 6, ShownStart: 1, ShownEnd: 3}},
		{"tail exceeds the byte limit", Options{Tail: 1000000000}, seq(100000), Summary{TotalLines: 100000, TotalBytes: 588895, OutputLines: 8533, OutputBytes: 51199, ShownStart: 91468, ShownEnd: 100000,
			Truncated: true, TruncatedBy: "bytes", Direction: "tail"}},
		{"head", Options{Head: 5}, seq(1000), Summary{TotalLines: 1000, TotalBytes: 3893, OutputLines: 5, OutputBytes: 10, ShownStart: 1, ShownEnd: 5,
			Truncated: true, TruncatedBy: "lines", Direction: "head"}},
		{"head ends the stream", Options{Head: 5, HeadEnds: true}, seq(1000), Summary{TotalLines: 5, TotalBytes: 10, OutputLines: 5, OutputBytes: 10, ShownStart: 1, ShownEnd: 5}},
		{"head, then tail", Options{Head: 5, Tail: 2}, seq(1000), Summary{TotalLines: 1000, TotalBytes: 3893, OutputLines: 2, OutputBytes: 4, ShownStart: 4, ShownEnd: 5,
			Truncated: true, TruncatedBy: "lines", Direction: "tail"}},
		{"head exceeds the byte limit", Options{Head: 90000}, seq(100000), Summary{TotalLines: 100000, TotalBytes: 588895, OutputLines: 8533, OutputBytes: 51198, ShownStart: 81468, ShownEnd: 90000,
			Truncated: true, TruncatedBy: "bytes", Direction: "tail"}},
		{"a giant line before the last", Options{}, append(as(60000), "\nFINAL\n"...), Summary{TotalLines: 2, TotalBytes: 60007, OutputLines: 2, OutputBytes: 51200, ShownStart: 1, ShownEnd: 2,
			Truncated: true, TruncatedBy: "bytes", Direction: "tail"}},
		{"cut between characters", Options{}, []byte(strings.Repeat("你", 30000)), Summary{TotalLines: 1, TotalBytes: 90000, OutputLines: 1, OutputBytes: 51198, ShownStart: 1, ShownEnd: 1,
			Truncated: true, TruncatedBy: "bytes", Direction: "tail"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, m := collect(tt.opt, tt.in, []int{65536}, maxLine)
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(Summary{}, "Text", "ArtifactID")); diff != "" {
				t.Fatal(diff)
			}
			if int64(len(got.Text)) != got.OutputBytes || got.Truncated != (got.ArtifactID == "7") || got.Truncated != (m != nil) {
				t.Fatalf("%d bytes, artifact %q", len(got.Text), got.ArtifactID)
			}
			if m != nil && (m.String() != string(tt.in) || !m.closed) {
				t.Fatal("the artifact is not closed or lacks text")
			}
		})
	}
}

func TestHeadEndsWrite(t *testing.T) {
	s := New(Options{Head: 2, HeadEnds: true, Split: true})
	if !s.Write(Stdout, []byte("1\n")) || s.HeadReached() {
		t.Fatal("ended early")
	}
	if s.Write(Stdout, []byte("2\n3\n")) || !s.HeadReached() {
		t.Fatal("not ended")
	}
	if s.Write(Stdout, []byte("4\n")) || !s.Write(Stderr, []byte("err\n")) {
		t.Fatal("Stdout is still accepted or Stderr is not")
	}
	if got := s.Close(); got.Text != "1\n2\nerr\n" || got.Truncated {
		t.Fatalf("%+v", got)
	}
	if s.Write(Stderr, []byte("late")) {
		t.Fatal("a closed sink accepts more")
	}
}

func TestSplit(t *testing.T) {
	write := func(opt Options) Summary {
		opt.Split = true
		s := New(opt)
		s.Write(Stdout, []byte("o1\no"))
		s.Write(Stderr, []byte("e1\ne"))
		s.Write(Stdout, []byte("2\no3\n"))
		s.Write(Stderr, []byte("2\n"))
		return s.Close()
	}
	tests := []struct {
		name       string
		opt        Options
		text       string
		start, end int64
	}{
		{"no limit: arrival order by lines", Options{}, "o1\ne1\no2\no3\ne2\n", 1, 5},
		{"head", Options{Head: 2, HeadEnds: true}, "o1\ne1\no2\ne2\n", 1, 4},
		{"tail after the Stderr text", Options{Tail: 1}, "e1\ne2\no3\n", 3, 5},
		{"tail with everything", Options{Tail: 9}, "e1\ne2\no1\no2\no3\n", 1, 5},
		{"explicit head", Options{Head: 1}, "o1\ne1\ne2\n", 1, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := write(tt.opt)
			if got.Text != tt.text || got.ShownStart != tt.start || got.ShownEnd != tt.end {
				t.Fatalf("%+v", got)
			}
		})
	}
}

func TestArtifactFailures(t *testing.T) {
	closing := errors.New("quota")
	tests := []struct {
		name string
		w    ArtifactWriter
		err  error
		want error
	}{
		{"open", nil, errFull, errFull},
		{"first write", &memory{fail: 1}, nil, errFull},
		{"later write", &memory{fail: 2}, nil, errFull},
		{"close", closer{new(memory), closing}, nil, closing},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opened := 0
			s := New(Options{OpenArtifact: func() (ArtifactWriter, error) {
				opened++
				return tt.w, tt.err
			}})
			for range 4 {
				if !s.Write(Stdout, seq(20000)) {
					t.Fatal("the sink stopped accepting text")
				}
			}
			got := s.Close()
			if !errors.Is(got.ArtifactErr, tt.want) || got.ArtifactID != "" || !got.Truncated || got.TotalLines != 80000 || opened != 1 {
				t.Fatalf("opened %d times, %+v", opened, got.ArtifactErr)
			}
			if m, ok := tt.w.(*memory); ok && (!m.closed || m.writes > m.fail) {
				t.Fatalf("closed %v after %d writes", m.closed, m.writes)
			}
		})
	}
}

type closer struct {
	*memory
	err error
}

func (c closer) Close() error { return c.err }

func TestSpill(t *testing.T) {
	m := new(memory)
	s := New(Options{OpenArtifact: func() (ArtifactWriter, error) { return m, nil }})
	s.Write(Stdout, []byte("one\ntwo"))
	if id, err := s.Spill(); id != "7" || err != nil || m.String() != "one\n" {
		t.Fatalf("%q, %v, %q", id, err, m.String())
	}
	s.Write(Stdout, []byte("\nthree"))
	if id, err := s.Spill(); id != "7" || err != nil || m.String() != "one\ntwo\n" {
		t.Fatalf("%q, %v, %q", id, err, m.String())
	}
	if got := s.Close(); got.ArtifactID != "7" || got.Truncated || m.String() != "one\ntwo\nthree" || !m.closed {
		t.Fatalf("%+v, %q", got, m.String())
	}
	if _, err := New(Options{}).Spill(); err == nil {
		t.Fatal("no error without artifacts")
	}
}

// TestSpillFirst continues an artifact that another process began.
func TestSpillFirst(t *testing.T) {
	m := new(memory)
	m.WriteString("before\n")
	s := New(Options{OpenArtifact: func() (ArtifactWriter, error) { return m, nil }})
	if _, err := s.Spill(); err != nil {
		t.Fatal(err)
	}
	s.Write(Stdout, []byte("after\n"))
	if m.String() != "before\nafter\n" {
		t.Fatalf("%q: text is still buffered", m.String())
	}
	if got := s.Close(); got.ArtifactID != "7" || !m.closed {
		t.Fatalf("%+v", got)
	}
}

func TestPartial(t *testing.T) {
	s := New(Options{})
	s.Write(Stdout, []byte("done\nPassword: \x1b[0"))
	if got := s.Partial(Stdout); string(got) != "Password: " {
		t.Fatalf("%q", got)
	}
	s.Write(Stdout, []byte("mX\rAB"))
	if got := s.Partial(Stdout); string(got) != "ABssword: X" {
		t.Fatalf("%q", got)
	}
	if got := s.Partial(Stderr); len(got) != 0 {
		t.Fatalf("%q", got)
	}
	s.Close()
	if got := s.Partial(Stdout); len(got) != 0 {
		t.Fatalf("%q", got)
	}
}

func TestOnText(t *testing.T) {
	tests := []struct {
		name string
		opt  Options
		want string
	}{
		{"everything, unbounded", Options{MaxBytes: 4}, "1\n2\n3\n4\n5\n"},
		{"head", Options{Head: 2}, "1\n2\n"},
		{"tail", Options{Tail: 2}, "4\n5\n"},
		{"tail of the head", Options{Head: 4, Tail: 1}, "4\n"},
		{"split tail", Options{Tail: 1, Split: true}, "err\n5\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got strings.Builder
			tt.opt.OnText = func(p []byte) { got.Write(p) }
			s := New(tt.opt)
			s.Write(Stdout, seq(5))
			if tt.opt.Split {
				s.Write(Stderr, []byte("err\n"))
			}
			s.Close()
			if got.String() != tt.want {
				t.Fatalf("%q", got.String())
			}
		})
	}
}

func TestConcurrentWrites(t *testing.T) {
	s := New(Options{OnUpdate: func(Snapshot) {}})
	var wg sync.WaitGroup
	for st := range Stream(2) {
		wg.Go(func() {
			for range 2000 {
				s.Write(st, []byte("one line of text\n"))
				s.Partial(st)
			}
		})
	}
	wg.Wait()
	if got := s.Close(); got.TotalLines != 4000 || strings.ReplaceAll(got.Text, "one line of text\n", "") != "" {
		t.Fatalf("%d lines", got.TotalLines)
	}
}
