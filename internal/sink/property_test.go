package sink

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// memory is an artifact in memory.
type memory struct {
	bytes.Buffer
	closed bool
	fail   int // number of the write that fails, counted from 1; 0 means none
	writes int
}

var errFull = errors.New("disk full")

func (m *memory) ID() string { return "7" }
func (m *memory) Close() error {
	m.closed = true
	return nil
}
func (m *memory) Write(p []byte) (int, error) {
	m.writes++
	if m.writes == m.fail {
		return 0, errFull
	}
	return m.Buffer.Write(p)
}

// chunks splits in into pieces of the given sizes, which repeat.
func chunks(in []byte, sizes []int) [][]byte {
	var out [][]byte
	for i := 0; len(in) > 0; i++ {
		n := len(in)
		if len(sizes) > 0 {
			n = min(n, max(1, sizes[i%len(sizes)]))
		}
		out = append(out, in[:n])
		in = in[n:]
	}
	return out
}

// collect passes in through a sink with a given bound for the current line, so that short inputs can reach it.
func collect(opt Options, in []byte, sizes []int, lineBound int) (Summary, *memory) {
	var m *memory
	opt.OpenArtifact = func() (ArtifactWriter, error) {
		m = new(memory)
		return m, nil
	}
	s := New(opt)
	for i := range s.streams {
		s.streams[i].maxLine = lineBound
	}
	for _, p := range chunks(in, sizes) {
		buf := bytes.Clone(p)
		s.Write(Stdout, buf)
		clear(buf) // the sink must not retain it
		if t := &s.streams[Stdout]; len(t.pending) >= maxSequence || len(t.buf) > max(lineBound, utf8.UTFMax) || len(t.rest) > lineBound {
			panic(fmt.Sprintf("%d bytes pending, line of %d and %d", len(t.pending), len(t.buf), len(t.rest)))
		}
	}
	return s.Close(), m
}

// atoms are the pieces from which inputs are built.
var atoms = []string{
	"a", "b", "text", "some longer piece of text", "\n", "\n", "\n", "\t", "\r", "\r\n", " ", "é", "日本", "😀", "e\u0301", "\u2028",
	"\x1b", "\x1b[31m", "\x1b[0m", "\x1b[K", "\x1b[0K", "\x1b[1K", "\x1b[2K", "\x1b[38;5;196m", "\x1b[38;2;10;20;30m", "\x1b[1;2", "\x1b[?1049h", "\x1b[ q", "\x1b[1 2m",
	"\x1b]0;title\a", "\x1b]8;;http://e.x/\x1b\\", "\x1b]0;never", "\x1bPdata\amore\x1b\\", "\x1bX", "\x1b_", "\x1b^", "\a", "\x1b\\", "\x1b(B", "\x1b(", "\x1b  ", "\x1b7", "\x1b=", "\x1bOP",
	"\x00", "\b", "\x7f", "\u009b", "\u009b31m", "\u0085", "\xff", "\xc3", "\xe4\xbd", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0\x80", "\xf5", "\x9b", "\x80",
	strings.Repeat("x", 100), strings.Repeat("日", 40), strings.Repeat("word ", 300), strings.Repeat("p;", 2100), strings.Repeat("line\n", 300),
}

// input generates bytes: joined atoms, or arbitrary bytes.
func input() *rapid.Generator[[]byte] {
	pieces := rapid.Map(rapid.SliceOfN(rapid.SampledFrom(atoms), 0, 60), func(parts []string) []byte {
		return []byte(strings.Join(parts, ""))
	})
	return rapid.OneOf(pieces, pieces, rapid.SliceOf(rapid.Byte()))
}

func options() *rapid.Generator[Options] {
	return rapid.Custom(func(t *rapid.T) Options {
		opt := Options{
			MaxBytes:       rapid.SampledFrom([]int{0, 4, 5, 16, 40, 100, 1000}).Draw(t, "max"),
			CarriageReturn: CarriageReturn(rapid.IntRange(0, 2).Draw(t, "cr")),
		}
		if rapid.Bool().Draw(t, "head") {
			opt.Head = rapid.IntRange(1, 8).Draw(t, "n")
			opt.HeadEnds = rapid.Bool().Draw(t, "ends")
		}
		if rapid.Bool().Draw(t, "tail") {
			opt.Tail = rapid.SampledFrom([]int{1, 2, 3, 7, 1000000000}).Draw(t, "n")
		}
		return opt
	})
}

func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, in []byte, opt Options, sizes []int, lineBound int) {
	t.Helper()
	text := reference(in, opt.CarriageReturn, lineBound)
	want := refSummary(text, opt)
	got, m := collect(opt, in, sizes, lineBound)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Summary{}, "ArtifactID", "ArtifactErr")); diff != "" {
		t.Fatalf("%q\n%s", in, diff)
	}
	if got.Truncated != (got.ArtifactID != "") || got.ArtifactErr != nil {
		t.Fatalf("truncated %v, artifact %q, %v", got.Truncated, got.ArtifactID, got.ArtifactErr)
	}
	if m != nil && !m.closed {
		t.Fatalf("the artifact was not closed")
	}
	if opt.HeadEnds {
		text = text[:want.TotalBytes]
	}
	if got.Truncated && m.String() != text {
		t.Fatalf("artifact of %d bytes differs from the text of %d", m.Len(), len(text))
	}
	checkText(t, got, opt)
}

// checkText checks the properties that hold for every result.
func checkText(t interface {
	Helper()
	Fatalf(string, ...any)
}, s Summary, opt Options) {
	t.Helper()
	bound := opt.MaxBytes
	if bound == 0 {
		bound = DefaultMaxBytes
	}
	if !utf8.ValidString(s.Text) || len(s.Text) > bound || (s.TotalBytes > 0) != (s.Text != "") {
		t.Fatalf("text %q of %d bytes", s.Text, s.TotalBytes)
	}
	for _, r := range s.Text {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			t.Fatalf("control %q in %q", r, s.Text)
		}
	}
	again, _ := collect(Options{MaxBytes: opt.MaxBytes}, []byte(s.Text), nil, maxLine)
	if again.Text != s.Text {
		t.Fatalf("sanitised once: %q, twice: %q", s.Text, again.Text)
	}
}

func TestAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := input().Draw(t, "in")
		sizes := rapid.SliceOfN(rapid.SampledFrom([]int{1, 1, 2, 3, 7, 64, 1000, 5000}), 0, 4).Draw(t, "sizes")
		lineBound := rapid.SampledFrom([]int{8, 50, maxLine}).Draw(t, "bound")
		check(t, in, options().Draw(t, "options"), sizes, lineBound)
	})
}

// TestMutatedVectors joins recorded inputs and changes some bytes, which yields many nearly valid sequences.
func TestMutatedVectors(t *testing.T) {
	vectors := loadVectors(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var in []byte
		for range 1 + rng.IntN(6) {
			in = append(in, vectors[rng.IntN(len(vectors))].in...)
		}
		for range rng.IntN(4) {
			if len(in) > 0 {
				in[rng.IntN(len(in))] = byte(rng.IntN(256))
			}
		}
		opt := Options{MaxBytes: 64, CarriageReturn: CarriageReturn(rng.IntN(3))}
		check(t, in, opt, []int{1 + rng.IntN(9), 1 + rng.IntN(40)}, 16)
	}
}

// TestLongLines mixes runs that are committed without a copy with everything that moves the cursor, with sizes around
// each limit of the current line.
func TestLongLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	small := []string{"\r", "\r", "\r", "\r\n", "\n", "ab", "é", "日本", "\x1b[m", "\x1b[K", "\x1b[1K", "\x1b[2K", "a longer piece of plain text"}
	for range 4000 {
		var in []byte
		for range 1 + rng.IntN(8) {
			switch rng.IntN(4) {
			case 0:
				in = append(in, strings.Repeat("0123456789", 130)[:900+rng.IntN(400)]...)
			case 1:
				in = append(in, strings.Repeat("日本", 250)[:3*(250+rng.IntN(250))]...)
			default:
				for range 1 + rng.IntN(4) {
					in = append(in, small[rng.IntN(len(small))]...)
				}
			}
		}
		opt := Options{MaxBytes: 1 << 20, CarriageReturn: CarriageReturn(rng.IntN(30) / 28)}
		bounds := []int{8, 50, 700, 1100, 2000, maxLine}
		check(t, in, opt, []int{1 + rng.IntN(3000)}, bounds[rng.IntN(len(bounds))])
	}
}

func FuzzSink(f *testing.F) {
	for _, v := range loadVectors(f) {
		if len(v.in) > 12 {
			f.Add([]byte(v.in), uint16(len(v.in)), uint8(len(v.out)))
		}
	}
	for i, a := range atoms {
		f.Add([]byte(a+"z\r"+a+"\n"+a), uint16(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, in []byte, bits uint16, size uint8) {
		opt := Options{
			MaxBytes:       4 + int(bits&0xff),
			Head:           int(bits >> 8 & 3),
			HeadEnds:       bits>>10&1 == 1,
			Tail:           int(bits >> 11 & 3),
			CarriageReturn: CarriageReturn(bits >> 13 % 3),
		}
		check(t, in, opt, []int{1 + int(size)}, 8+int(bits>>15)*maxLine)
	})
}

// TestSplitInterleaving splits two streams into pieces and interleaves them at random. In any order, each stream's lines
// must equal those of the reference, complete and in order, and the totals must be exact.
func TestSplitInterleaving(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opt := options().Draw(t, "options")
		opt.Split, opt.MaxBytes, opt.CarriageReturn = true, 1<<20, Collapse
		line := rapid.SampledFrom([]string{"a", "\x1b[1mb\x1b[0m", "日本", "x\r", "\x1b]0;t\a", "", "\xff"})
		draw := func(name, prefix string) (raw []byte, lines []string) {
			for _, l := range rapid.SliceOfN(line, 0, 20).Draw(t, name) {
				l = prefix + l + "\n"
				raw = append(raw, l...)
				lines = append(lines, reference([]byte(l), Collapse, maxLine))
			}
			return raw, lines
		}
		rawOut, out := draw("out", "o")
		rawErr, errs := draw("err", "\te")
		total := len(out) + len(errs)

		s := New(opt)
		for len(rawOut)+len(rawErr) > 0 {
			st, raw := Stdout, &rawOut
			if len(*raw) == 0 || len(rawErr) > 0 && rapid.Bool().Draw(t, "stderr") {
				st, raw = Stderr, &rawErr
			}
			n := rapid.IntRange(1, min(len(*raw), 9)).Draw(t, "n")
			s.Write(st, (*raw)[:n])
			*raw = (*raw)[n:]
		}
		got := s.Close()

		if opt.Head > 0 && len(out) > opt.Head {
			if out = out[:opt.Head]; opt.HeadEnds {
				total = len(out) + len(errs)
			}
		}
		if opt.Tail > 0 && len(out) > opt.Tail {
			out = out[len(out)-opt.Tail:]
		}
		var gotOut, gotErr []string
		for l := range strings.Lines(got.Text) {
			if strings.HasPrefix(l, "\t") {
				gotErr = append(gotErr, l)
			} else {
				gotOut = append(gotOut, l)
			}
		}
		if diff := cmp.Diff([][]string{out, errs}, [][]string{gotOut, gotErr}, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		if opt.Tail > 0 && got.Text != strings.Join(errs, "")+strings.Join(out, "") {
			t.Fatalf("the tail of Stdout does not come last: %q", got.Text)
		}
		if got.TotalLines != int64(total) || got.OutputLines != int64(len(out)+len(errs)) || got.Truncated != (got.OutputLines < got.TotalLines) {
			t.Fatalf("%d of %d lines, want %d of %d", got.OutputLines, got.TotalLines, len(out)+len(errs), total)
		}
	})
}

// TestScannersAgree compares the word-wise scanners with simple byte-wise ones.
func TestScannersAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := input().Draw(t, "in")
		n := 0
		for n < len(in) {
			r, k := utf8.DecodeRune(in[n:])
			if r == utf8.RuneError && k == 1 || r < 0x20 && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0 {
				break
			}
			n += k
		}
		if got := plain(in); got != n {
			t.Fatalf("plain %d, want %d", got, n)
		}
		seq := append([]byte("\x1b["), in...)
		if got := csi(seq); got != 0 && got != refEscape(seq) {
			t.Fatalf("csi %d, want %d", got, refEscape(seq))
		}
	})
	for c := range 256 { // every byte value at every position of a word
		for i := range 8 {
			w := uint64(0x2020202020202020)&^(0xff<<(8*i)) | uint64(c)<<(8*i)
			if bad := special(w) != 0; bad == isPlainASCII(byte(c)) {
				t.Fatalf("byte %#x at %d: special %v", c, i, bad)
			}
		}
	}
}
