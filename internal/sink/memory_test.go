package sink

import (
	"runtime"
	"strings"
	"testing"
)

// TestMemory limits what a sink allocates for the kinds of output that need the most memory.
func TestMemory(t *testing.T) {
	tests := []struct{ name, piece string }{
		{"lines", "a line of text\n"},
		{"no newline", "text without a newline "},
		{"frames", "\r  50% [####      ]"},
		{"growing frames", strings.Repeat("x", 999) + "\rä"},
		{"unterminated strings", "\x1b]never ended\n"},
		{"endless parameters", "\x1b[" + strings.Repeat("1;", 100000)},
		{"invalid bytes", "\xff\xfe"},
		{"wide characters", "日本語"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{4 << 10, 64 << 10, 1 << 20} {
				chunk := []byte(strings.Repeat(tt.piece, size/len(tt.piece)+1))
				s := New(Options{OpenArtifact: func() (ArtifactWriter, error) { return discard{}, nil }})
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for range (8 << 20) / size {
					s.Write(Stdout, chunk)
				}
				runtime.ReadMemStats(&after)
				if n := after.TotalAlloc - before.TotalAlloc; n > 2<<20 {
					t.Errorf("%d KiB allocated for 8 MiB in pieces of %d KiB", n>>10, size>>10)
				}
				steady := testing.AllocsPerRun(4, func() { s.Write(Stdout, chunk) })
				if steady != 0 {
					t.Errorf("%v allocations for a write of %d KiB", steady, size>>10)
				}
				s.Close()
			}
		})
	}
}

// TestPlainTextIsNotCopied checks the address of the committed text: nearly all of a plain chunk is passed on in place.
func TestPlainTextIsNotCopied(t *testing.T) {
	chunk := repeat(64<<10, plainLine)
	seen, direct := 0, 0
	s := New(Options{OnText: func(p []byte) {
		if &p[0] == &chunk[seen] {
			direct += len(p)
		}
		seen += len(p)
	}})
	s.Write(Stdout, chunk)
	s.Close()
	if seen != len(chunk) || direct < len(chunk)-directMin {
		t.Fatalf("%d of %d bytes were passed on without a copy", direct, seen)
	}
}
