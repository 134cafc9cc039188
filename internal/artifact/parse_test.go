package artifact

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

var refs = []struct {
	text string
	want string // empty: an error
}{
	{"7", "7"}, {"artifact://7", "7"}, {"last", "last"}, {"10", "10"}, {"123456789012345678", "123456789012345678"},
	{"", ""}, {"0", ""}, {"01", ""}, {"-1", ""}, {"+1", ""}, {"1e3", ""}, {"../1", ""}, {"1/../2", ""}, {" 7", ""}, {"7 ", ""}, {"7\n", ""},
	{"٧", ""}, {"７", ""}, {"1234567890123456789", ""}, {strings.Repeat("9", 400), ""}, {"0x10", ""}, {"1_0", ""}, {"7.bash.log", ""},
	{"artifact://", ""}, {"artifact://last", ""}, {"artifact://../x", ""}, {"artifact://artifact://7", ""}, {"artifact:7", ""},
	{"ARTIFACT://7", ""}, {"Last", ""}, {"7\x00", ""}, {"\xff", ""}, {"/etc/passwd", ""},
}

func TestParseRef(t *testing.T) {
	for _, c := range refs {
		r, err := ParseRef(c.text)
		switch {
		case c.want != "" && (err != nil || r.String() != c.want):
			t.Errorf("ParseRef(%q) = %v, %v; want %s", c.text, r, err, c.want)
		case c.want == "" && err == nil:
			t.Errorf("ParseRef(%q) = %v, want an error", c.text, r)
		case err != nil && (!strings.Contains(err.Error(), "7, artifact://7 or last") || !strings.Contains(err.Error(), quoteShort(c.text))):
			t.Errorf("ParseRef(%q): %v lacks the text or the valid forms", c.text, err)
		}
	}
}

func FuzzParseRef(f *testing.F) {
	for _, c := range refs {
		f.Add(c.text)
	}
	known := regexp.MustCompile(`\A(artifact://)?[1-9][0-9]{0,17}\z|\Alast\z`)
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRef(s)
		if ok := known.MatchString(s); ok != (err == nil) {
			t.Fatalf("ParseRef(%q) = %v, %v; valid form: %v", s, r, err, ok)
		}
		if err != nil {
			if msg := err.Error(); strings.ContainsAny(msg, "\n\x1b\x00") || !utf8.ValidString(msg) || len(msg) > 500 {
				t.Fatalf("message %q", msg)
			}
			return
		}
		if r.String() != strings.TrimPrefix(s, "artifact://") {
			t.Fatalf("ParseRef(%q).String() = %q", s, r)
		}
	})
}

const openEnd = math.MaxInt64

var spans = []struct {
	text     string
	from, to int64 // 0: an error
}{
	{"1-5", 1, 5}, {"3-", 3, openEnd}, {"-4", 1, 4}, {"7", 7, 7}, {"2-2", 2, 2}, {"007-8", 7, 8}, {"9223372036854775807", openEnd, openEnd},
	{"", 0, 0}, {"-", 0, 0}, {"0", 0, 0}, {"0-3", 0, 0}, {"-0", 0, 0}, {"5-1", 0, 0}, {"1-2-3", 0, 0}, {"--1", 0, 0}, {"a-b", 0, 0}, {"1,5", 0, 0},
	{"1-x", 0, 0}, {" 1-2", 0, 0}, {"1 - 2", 0, 0}, {"+1-2", 0, 0}, {"1e3", 0, 0}, {"9223372036854775808", 0, 0}, {"٣-٤", 0, 0},
	{strings.Repeat("1", 300) + "-", 0, 0},
}

func TestParseSpan(t *testing.T) {
	for _, c := range spans {
		got, err := ParseSpan(c.text)
		if c.from == 0 {
			if err == nil {
				t.Errorf("ParseSpan(%q) = %v, want an error", c.text, got)
			}
			continue
		}
		if err != nil || got != (Span{c.from, c.to}) {
			t.Errorf("ParseSpan(%q) = %v, %v; want %d-%d", c.text, got, err, c.from, c.to)
		}
	}
}

func FuzzParseSpan(f *testing.F) {
	for _, c := range spans {
		f.Add(c.text)
	}
	known := regexp.MustCompile(`\A([0-9]+|[0-9]+-[0-9]*|-[0-9]+)\z`)
	f.Fuzz(func(t *testing.T, s string) {
		span, err := ParseSpan(s)
		if err != nil {
			return
		}
		if !known.MatchString(s) || span.From < 1 || span.To < span.From {
			t.Fatalf("ParseSpan(%q) = %+v", s, span)
		}
		back := strconv.FormatInt(span.From, 10) + "-" + strconv.FormatInt(span.To, 10)
		if again, err := ParseSpan(back); err != nil || again != span {
			t.Fatalf("ParseSpan(%q) = %+v, %v; want %+v", back, again, err, span)
		}
	})
}

// FuzzSplitName checks that no name refers to a file outside the store or to a foreign file.
func FuzzSplitName(f *testing.F) {
	for _, s := range []string{"7.bash.log", "7.bash.json", "01.bash.log", ".counter", "7.bash.log.x", "../7.bash.log", "7.", "7.bash.ring"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if id, suffix, ok := splitName(s); ok && fileName(id, suffix) != s {
			t.Fatalf("splitName(%q) = %d %q", s, id, suffix)
		}
	})
}
