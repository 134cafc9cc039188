package jsonl

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

const small = 40 // line limit of these tests, in bytes

var streams = []struct {
	name, in string
	want     []string // "!" is a line that was too long
}{
	{"nothing", "", nil},
	{"one line", "abc\n", []string{"abc"}},
	{"carriage return", "abc\r\n", []string{"abc"}},
	{"only one carriage return belongs to the line end", "abc\r\r\n", []string{"abc\r"}},
	{"no line feed", "abc", []string{"abc"}},
	{"empty lines", "\n\r\n\na\n\n", []string{"a"}},
	{"of the maximum length", strings.Repeat("x", small) + "\nb\n", []string{strings.Repeat("x", small), "b"}},
	{"a byte too long", strings.Repeat("x", small+1) + "\nb\n", []string{"!", "b"}},
	{"far too long", strings.Repeat("x", 200<<10) + "\nb\n", []string{"!", "b"}},
	{"too long without a line feed", strings.Repeat("x", 50), []string{"!"}},
	{"zeroes", "\x00\n", []string{"\x00"}},
	{"Unicode line separators do not end a line", "a\u2028b\u2029\u0085\n", []string{"a\u2028b\u2029\u0085"}},
}

func readAll(t *testing.T, r io.Reader, limit int) (got []string) {
	t.Helper()
	f := NewReader(r, limit)
	for {
		line, err := f.Next()
		switch {
		case errors.Is(err, ErrTooLong):
			got = append(got, "!")
		case err == io.EOF:
			return got
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, string(line))
		}
	}
}

func TestReader(t *testing.T) {
	for _, c := range streams {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
				if got := readAll(t, r, small); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}
		})
	}
}

// TestLongLines: a line much longer than the reader's buffer is complete, and its memory is freed.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("0123456789", 300_000)
	f := NewReader(strings.NewReader(long+"\nshort\n"), MaxFrame)
	if line, err := f.Next(); err != nil || string(line) != long {
		t.Fatalf("%d bytes, %v", len(line), err)
	}
	if line, err := f.Next(); err != nil || string(line) != "short" || cap(f.buf) > 1<<20 {
		t.Fatalf("%q, %v, room for %d", line, err, cap(f.buf))
	}
}

func TestEncodedLines(t *testing.T) {
	line, err := Encode(map[string]string{"text": "a\nb\u2028c\u2029<&>\xff\x00\x1b"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"text":"a\nb\u2028c\u2029<&>\ufffd\u0000\u001b"}` + "\n"
	if string(line) != want {
		t.Errorf("got %q, want %q", line, want)
	}
}

// FuzzReader compares the reader with splitting the whole input at once, however the input is cut into reads.
func FuzzReader(f *testing.F) {
	for _, c := range streams {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var want []string
		for _, line := range strings.Split(string(in), "\n") {
			whole := line
			line = strings.TrimSuffix(line, "\r")
			switch {
			case len(whole) > small:
				want = append(want, "!")
			case line != "":
				want = append(want, line)
			}
		}
		for _, r := range []io.Reader{bytes.NewReader(in), iotest.OneByteReader(bytes.NewReader(in)), iotest.DataErrReader(bytes.NewReader(in))} {
			if got := readAll(t, r, small); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}
