package artifact

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// lines splits a text into lines; a final newline ends the last line.
func lines(text string) []string {
	l := strings.SplitAfter(text, "\n")
	if l[len(l)-1] == "" {
		l = l[:len(l)-1]
	}
	return l
}

// slowSelect is a simple reference implementation of selections.
func slowSelect(text string, sel Selection) string {
	l, first := lines(text), 1
	switch {
	case sel.Lines != nil:
		from := min(sel.Lines.From-1, int64(len(l)))
		l, first = l[from:min(sel.Lines.To, int64(len(l)))], int(sel.Lines.From)
	case sel.Bytes != nil:
		from := min(sel.Bytes.From-1, int64(len(text)))
		return text[from:min(sel.Bytes.To, int64(len(text)))]
	case sel.Head != nil && sel.Grep == nil:
		l = l[:min(*sel.Head, int64(len(l)))]
	case sel.Tail != nil:
		l = l[max(int64(len(l))-*sel.Tail, 0):]
	}
	if sel.Grep == nil {
		return strings.Join(l, "")
	}
	var b strings.Builder
	n := int64(0)
	for i, line := range l {
		line = strings.TrimSuffix(line, "\n")
		if sel.Head != nil && n == *sel.Head || !sel.Grep.MatchString(line) {
			continue
		}
		n++
		if sel.Number {
			fmt.Fprintf(&b, "%d:", first+i)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func selections() *rapid.Generator[Selection] {
	return rapid.Custom(func(t *rapid.T) Selection {
		pos := rapid.OneOf(rapid.Int64Range(1, 40), rapid.Int64Range(1, 5000), rapid.Just[int64](math.MaxInt64))
		span := func() *Span {
			from := pos.Draw(t, "from")
			return &Span{From: from, To: max(from, pos.Draw(t, "to"))}
		}
		count := func() *int64 {
			n := rapid.OneOf(rapid.Int64Range(0, 40), rapid.Just[int64](math.MaxInt64)).Draw(t, "count")
			return &n
		}
		var sel Selection
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 1:
			sel.Lines = span()
		case 2:
			sel.Bytes = span()
		case 3:
			sel.Head = count()
		case 4:
			sel.Tail = count()
		case 5:
			sel.Lines = span()
			fallthrough
		case 6:
			re := rapid.SampledFrom([]string{"a", "ab", "^a", "b$", "^$", "[ab]{3}", "x", "", "€", "^a.*b$"}).Draw(t, "re")
			sel.Grep, sel.Number = regexp.MustCompile(re), rapid.Bool().Draw(t, "number")
		case 7:
			sel.Head, sel.Grep = count(), regexp.MustCompile("a")
		}
		return sel
	})
}

func TestSelectMatchesReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(0, 400).Draw(t, "size")
		text := someText(size, rapid.SampledFrom([]int{1, 3, 50, 1 << 20}).Draw(t, "line"), rapid.Uint64().Draw(t, "seed"))
		v := &view{block: int64(rapid.IntRange(1, 60).Draw(t, "block"))}
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "part")
			v.add(strings.NewReader("-"+rest[:n]), nil, 1, int64(n))
			rest = rest[n:]
		}
		sel := selections().Draw(t, "selection")
		var b strings.Builder
		done, err := v.send(&b, sel)
		checkSelected(t, text, sel, b.String(), done, err)
	})
}

func TestCopyMatchesReference(t *testing.T) {
	s := newStore(t, Options{})
	for i, size := range []int{0, 1, copyBlock - 1, copyBlock, copyBlock + 1, 2*copyBlock + 3} {
		text := someText(size, 2000, uint64(i))
		w := put(t, s, text)
		for seed := range 30 {
			sel := selections().Example(seed)
			var b strings.Builder
			done, err := s.Copy(&b, Ref{id: w.id}, sel)
			checkSelected(t, text, sel, b.String(), done, err)
		}
	}
}

func checkSelected(t rapid.TB, text string, sel Selection, got string, done Copied, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if want := slowSelect(text, sel); got != want {
		t.Fatalf("got %d bytes %.80q, want %d bytes %.80q", len(got), got, len(want), want)
	}
	if done.Bytes != int64(len(got)) || done.Size != int64(len(text)) {
		t.Fatalf("Copied = %+v for %d of %d bytes", done, len(got), len(text))
	}
	if sel.Lines != nil && done.PastEnd && done.Lines != int64(len(lines(text))) {
		t.Fatalf("says %d lines, has %d", done.Lines, len(lines(text)))
	}
}

// someText returns text of the letters a and b, with lines of about the given length.
func someText(size, line int, seed uint64) string {
	var b strings.Builder
	for b.Len() < size {
		seed = seed*6364136223846793005 + 1442695040888963407
		r := seed >> 33
		switch {
		case r%uint64(line+1) == 0:
			b.WriteByte('\n')
		default:
			b.WriteByte('a' + byte(r>>20&1))
		}
	}
	return b.String()
}

func TestGrepLongLine(t *testing.T) {
	s := newStore(t, Options{})
	long := strings.Repeat("x", 3*copyBlock) + "needle" + strings.Repeat("y", copyBlock)
	put(t, s, "first\n"+long+"\nneedle last")
	for _, c := range []struct{ re, want string }{
		{"needle", "2:" + long + "\n3:needle last\n"},
		{"needle.*needle", ""},
		{"^x+needley+$", "2:" + long + "\n"},
		{"[n]eedle l", "3:needle last\n"},
		{"^first$", "1:first\n"},
	} {
		got := cat(t, s, "1", Selection{Grep: regexp.MustCompile(c.re), Number: true})
		if got != c.want {
			t.Errorf("%s: got %d bytes, want %d", c.re, len(got), len(c.want))
		}
	}
}

func TestSelectionValidate(t *testing.T) {
	n, neg, re, span := int64(1), int64(-1), regexp.MustCompile("x"), &Span{1, 2}
	good := []Selection{{}, {Lines: span}, {Bytes: span}, {Head: &n}, {Tail: &n}, {Grep: re}, {Grep: re, Lines: span}, {Grep: re, Head: &n, Number: true}}
	bad := []Selection{{Lines: span, Bytes: span}, {Head: &n, Tail: &n}, {Lines: span, Head: &n, Grep: re}, {Grep: re, Tail: &n},
		{Grep: re, Bytes: span}, {Number: true}, {Head: &neg}, {Tail: &neg}}
	for _, sel := range good {
		if err := sel.Validate(); err != nil {
			t.Errorf("%+v: %v", sel, err)
		}
	}
	for _, sel := range bad {
		if err := sel.Validate(); err == nil {
			t.Errorf("%+v is valid", sel)
		}
	}
}
