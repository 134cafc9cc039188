package artifact

import (
	"fmt"
	"strings"
	"testing"
)

// TestReadWhileWriting reads an artifact repeatedly while it grows past its cap and is closed. Each result must be a
// consistent state, or the error that the writer was too fast.
func TestReadWhileWriting(t *testing.T) {
	for range 5 {
		s := newStore(t, Options{MaxBytes: 4096})
		w := create(t, s, Meta{})
		done := make(chan error)
		go func() {
			for i := range 3000 {
				if _, err := fmt.Fprintf(w, "%07d\n", i); err != nil {
					done <- err
					return
				}
			}
			done <- w.Close()
		}()
		for reading := true; reading; {
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
				reading = false
			default:
			}
			var b strings.Builder
			if _, err := s.Copy(&b, Ref{id: 1}, Selection{}); err != nil {
				if !strings.Contains(err.Error(), "faster than it can be read") && !strings.Contains(err.Error(), errChanged.Error()) {
					t.Fatal(err)
				}
				continue
			}
			checkNumbered(t, b.String())
		}
		checkCapped(t, s, "1", numberedLines(3000), 4096)
	}
}

// checkNumbered checks a text of numbered lines of 8 bytes, the middle of which may be left out.
func checkNumbered(t *testing.T, text string) {
	t.Helper()
	next := 0
	for _, line := range lines(text) {
		var left, newlines int
		if n, _ := fmt.Sscanf(line, "[… %d bytes (%d lines)", &left, &newlines); n == 2 {
			if left != 8*newlines {
				t.Fatalf("notice: %q", line)
			}
			next += newlines
			continue
		}
		if want := fmt.Sprintf("%07d\n", next); line != want {
			t.Fatalf("line %q, want %q", line, want)
		}
		next++
	}
}
