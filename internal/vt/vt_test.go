package vt_test

import (
	"fmt"
	"strings"
	"testing"

	"pi/internal/vt"
)

func TestTranscript(t *testing.T) {
	var scrolled []string
	term := vt.New(vt.Options{Cols: 10, Rows: 3, Scrollback: 100, Scrolled: func(line []byte) { scrolled = append(scrolled, string(line)) }})
	for i := range 5 {
		fmt.Fprintf(term, "line %d is long\r\n", i)
	}
	fmt.Fprintf(term, "\x1b[?1049hFULL\x1b[?1049l日本語e\u0301 \r\x1b[31mbar")
	want := "line 0 is long\nline 1 is long\nline 2 is long\nline 3 is long\nline 4 is long\nbar 語e\u0301\n"
	if got := term.Text(); got != want {
		t.Errorf("Text: %q, want %q", got, want)
	}
	term.Finish()
	if got := strings.Join(scrolled, "\n") + "\n"; got != want {
		t.Errorf("Scrolled: %q, want %q", got, want)
	}
	if s := term.AltSummary(); s.Uses != 1 || s.Line != "FULL" {
		t.Errorf("AltSummary: %+v", s)
	}
}
