package artifact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// checkCapped compares an artifact with the stream that was written: it must be complete if it fits, else consist of a
// correct head, notice and tail within the cap.
func checkCapped(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *Store, id, stream string, limit int) {
	t.Helper()
	r, err := ParseRef(id)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var b strings.Builder
	if _, err := s.Copy(&b, r, Selection{}); err != nil {
		t.Fatalf("%v", err)
	}
	got := b.String()
	m, err := s.Meta(r)
	if err != nil {
		t.Fatalf("%v", err)
	}
	half := limit - limit/2
	open := m.Writing || m.Status == StatusLost
	if open && got != stream && len(stream) > limit-min(half/8, 64<<10) {
		// A reader concurrent with the writer avoids bytes that may be overwritten at this moment.
	} else if len(stream) <= limit {
		if got != stream || !open && (m.Capped || m.LeftOut != nil) {
			t.Fatalf("stream of %d bytes came back as %d bytes, %+v", len(stream), len(got), m)
		}
		return
	}
	if len(got) > limit {
		t.Fatalf("%d bytes stored, cap is %d", len(got), limit)
	}
	head, tail, out := split(t, got)
	if out.Bytes != int64(len(stream)-len(head)-len(tail)) { // the newline that belongs to the notice, see notice
		head = strings.TrimSuffix(head, "\n")
	}
	out.Offset = int64(len(head))
	if !strings.HasPrefix(stream, head) || !strings.HasSuffix(stream, tail) {
		t.Fatalf("head or tail is not the stream's")
	}
	left := stream[len(head) : len(stream)-len(tail)]
	if out.Bytes != int64(len(left)) || out.Lines != int64(strings.Count(left, "\n")) || len(left) < 1 {
		t.Fatalf("notice says %+v, left out are %d bytes with %d newlines", out, len(left), strings.Count(left, "\n"))
	}
	if utf8.ValidString(stream) && (!utf8.ValidString(head) || !utf8.ValidString(tail)) {
		t.Fatalf("a character was cut")
	}
	if len(head) < half-half/8-utf8.UTFMax || len(tail) < half-noticeMax-2*(half/8)-utf8.UTFMax {
		t.Fatalf("only %d + %d bytes of %d kept", len(head), len(tail), limit)
	}
	if !open && (!m.Capped || *m.LeftOut != out || m.TotalBytes != int64(len(stream))) {
		t.Fatalf("description says %+v", m)
	}
}

// split splits a capped text at its notice.
func split(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string) (head, tail string, out LeftOut) {
	t.Helper()
	at := strings.Index(text, "[… ")
	if at < 0 {
		t.Fatalf("no notice in %d bytes", len(text))
	}
	if _, err := fmt.Sscanf(text[at:], "[… %d bytes (%d lines) left out here …]\n", &out.Bytes, &out.Lines); err != nil {
		t.Fatalf("notice: %v", err)
	}
	head = text[:at]
	tail = text[at+strings.Index(text[at:], "…]\n")+len("…]\n"):]
	return head, tail, out
}

func TestCapBoundaries(t *testing.T) {
	for _, limit := range []int{1024, 1025, 4096} {
		for _, size := range []int{0, 1, limit/2 - 1, limit / 2, limit/2 + 1, limit - 1, limit, limit + 1, limit + 95,
			limit + 96, limit + 97, limit + limit/2 - 1, limit + limit/2, limit + limit/2 + 1, 2 * limit, 10*limit + 3} {
			stream := numbered(size)
			s := newStore(t, Options{MaxBytes: int64(limit)})
			w := put(t, s, stream)
			t.Run(fmt.Sprintf("%d of %d", size, limit), func(t *testing.T) { checkCapped(t, s, w.ID(), stream, limit) })
		}
	}
}

func TestCapProperties(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1024, 5000).Draw(t, "limit")
		near := rapid.SampledFrom([]int{0, limit / 2, limit, limit + limit/2, 2 * limit, 3 * limit}).Draw(t, "near")
		size := max(near+rapid.IntRange(-100, 100).Draw(t, "offset"), 0)
		stream := randomText(size, rapid.SampledFrom([]int{0, 1, 20, 3000}).Draw(t, "line"), rapid.Uint64().Draw(t, "seed"))
		s := Open(dir, Options{MaxBytes: int64(limit)})
		w, err := s.Create(Meta{})
		if err != nil {
			t.Fatal(err)
		}
		for rest := stream; rest != ""; {
			n := rapid.IntRange(1, max(len(rest), 1)).Draw(t, "chunk")
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		checkCapped(t, s, w.ID(), stream, limit) // before Close …
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		checkCapped(t, s, w.ID(), stream, limit) // … and after
	})
}

// randomText returns size bytes in lines of about the given length; 0 means no newline at all.
func randomText(size, line int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for b.Len() < size {
		switch {
		case line > 0 && r.IntN(line) == 0:
			b.WriteByte('\n')
		case r.IntN(4) == 0:
			b.WriteString("€")
		default:
			b.WriteByte('a' + byte(r.IntN(26)))
		}
	}
	return b.String()[:size]
}
