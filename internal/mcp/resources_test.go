package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pi/internal/artifact"
)

// keep saves an artifact.
func keep(t testing.TB, s *artifact.Store, command, text string) string {
	t.Helper()
	w, err := s.Create(artifact.Meta{Command: command, Cwd: "/w"})
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.ID()
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strconv.Itoa(i+1) + "\n")
	}
	return b.String()
}

func read(id, uri string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"resources/read","params":{"uri":` + quoted(uri) + `}}`
}

func TestRead(t *testing.T) {
	store := artifact.Open(t.TempDir(), artifact.Options{})
	hundred := keep(t, store, "seq 100", numbers(100))
	long := numbers(100_000)
	many := keep(t, store, "seq 100000", long)
	oneLine := keep(t, store, "one line", strings.Repeat("é", 200_000))
	c := open(t, Options{Engine: engine(t, store), Store: store}, "2025-11-25")

	clip := long[:strings.LastIndexByte(long[:maxResource], '\n')+1]
	from2 := long[2 : strings.LastIndexByte(long[:maxResource+2], '\n')+1]
	last := strings.Count(from2, "\n") + 1
	for _, x := range []struct{ uri, want string }{
		{"artifact://" + hundred, numbers(100)},
		{"artifact://" + hundred + "?lines=10-12", "10\n11\n12\n"},
		{"artifact://" + hundred + "?lines=99-", "99\n100\n"},
		{"artifact://" + hundred + "?lines=300-", "[artifact " + hundred + " has 100 lines]"},
		{"artifact://" + hundred + "?bytes=3-6", "2\n3\n"},
		{"artifact://" + hundred + "?bytes=300-", "[artifact " + hundred + " has 292 bytes]"},
		{"artifact://" + hundred + "?head=2", "1\n2\n"},
		{"artifact://" + hundred + "?tail=2", "99\n100\n"},
		{"artifact://" + hundred + "?grep=%5E9.%24&lines=95-97", "95:95\n96:96\n97:97\n"},
		{"artifact://" + hundred + "?grep=x", "[no line matches]"},
		{"artifact://" + many, clip + fmt.Sprintf("\n[%d bytes shown. Go on with artifact://%s?bytes=%d-]", len(clip), many, len(clip)+1)},
		{"artifact://" + many + "?lines=2-", from2 + fmt.Sprintf("\n[Lines 2-%d shown. Go on with artifact://%s?lines=%d-]", last, many, last+1)},
		{"artifact://last", strings.Repeat("é", maxResource/2) + fmt.Sprintf("\n[%d bytes shown. Go on with artifact://%s?bytes=%d-]", maxResource, oneLine, maxResource+1)},
		{"artifact://" + oneLine + "?bytes=2-", "\ufffd" + strings.Repeat("é", maxResource/2-1) + fmt.Sprintf("\n[%d bytes shown. Go on with artifact://%s?bytes=%d-]", maxResource-1, oneLine, maxResource+1)},
		{"artifact://" + oneLine + "?lines=1", strings.Repeat("é", maxResource/2) + fmt.Sprintf("\n[The first %d bytes of line 1 shown. The rest of it can be read by bytes]", maxResource)},
	} {
		c.write(read(`1`, x.uri))
		a := c.answer()
		if a.Error != nil || len(a.Result.Contents) != 1 {
			t.Errorf("%s: %+v", x.uri, a)
			continue
		}
		got := a.Result.Contents[0]
		if got.URI != x.uri || got.MimeType != "text/plain" || got.Text != x.want {
			t.Errorf("%s: %d bytes, …%q\nwant %d bytes, …%q", x.uri, len(got.Text), tail(got.Text), len(x.want), tail(x.want))
		}
	}
}

func tail(s string) string { return s[max(0, len(s)-150):] }

// TestContinue: the last line of a part leads to the next part, until everything was read.
func TestContinue(t *testing.T) {
	store := artifact.Open(t.TempDir(), artifact.Options{})
	text := strings.Repeat("grün ist die Heide\n", 50_000) + strings.Repeat("ü", 300_000)
	uri := "artifact://" + keep(t, store, "x", text)
	c := open(t, Options{Engine: engine(t, store), Store: store}, "2025-11-25")
	var got strings.Builder
	for uri != "" {
		c.write(read(`1`, uri))
		part := c.answer().Result.Contents[0].Text
		uri = ""
		if i := strings.LastIndex(part, "\n["); i >= 0 {
			_, uri, _ = strings.Cut(strings.TrimSuffix(part[i:], "]"), "Go on with ")
			part = part[:i]
		}
		got.WriteString(part)
	}
	if got.String() != text {
		t.Errorf("%d bytes, want %d", got.Len(), len(text))
	}
}

// TestPages: the pages of the list hold every artifact once, even if more are created meanwhile.
func TestPages(t *testing.T) {
	store := artifact.Open(t.TempDir(), artifact.Options{})
	const n = 2*pageSize + 7
	for i := range n {
		keep(t, store, fmt.Sprintf("make  -j\n%d", i), "x\n")
	}
	c := open(t, Options{Engine: engine(t, store), Store: store}, "2025-11-25")
	cursor, next := "", n
	for page := 0; ; page++ {
		c.write(`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{` + cursor + `}}`)
		a := c.answer()
		for _, r := range a.Result.Resources {
			if r.URI != fmt.Sprintf("artifact://%d", next) || r.Name != strconv.Itoa(next) || r.Title != fmt.Sprintf("make -j %d", next-1) || r.Size != 2 || r.MimeType != "text/plain" {
				t.Errorf("want artifact %d, got %+v", next, r)
			}
			next--
		}
		if a.Result.NextCursor == "" {
			break
		}
		cursor = `"cursor":` + quoted(a.Result.NextCursor)
		keep(t, store, "meanwhile", "y\n")
		if page > 5 {
			t.Fatal("the list does not end")
		}
	}
	if next != 0 {
		t.Errorf("%d artifacts were not listed", next)
	}
}
