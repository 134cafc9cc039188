package normalize

import (
	"strings"
	"testing"
)

func BenchmarkCommand(b *testing.B) {
	for name, text := range map[string]string{
		"no pipe":   "go test ./... -run TestX",
		"other end": "git log --oneline | grep fix | wc -l",
		"rewritten": "make -j4 all 2>&1 | tail -n 20",
		"long":      strings.Repeat("echo some words here && ", 600) + "true | head -n 5",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Command(text)
			}
		})
	}
}
