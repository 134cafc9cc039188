package intercept

import (
	"strings"
	"testing"
)

func BenchmarkCheck(b *testing.B) {
	for name, command := range map[string]string{
		"allowed": "go test ./... 2>&1",
		"blocked": "cd src && grep -rn 'func main' . | head",
		"long":    strings.Repeat("echo some words > /dev/null && ", 500) + "true",
	} {
		b.Run(name, func(b *testing.B) {
			c, _ := New(nil, false)
			b.ReportAllocs()
			b.SetBytes(int64(len(command)))
			for b.Loop() {
				c.Check(command, []string{"read", "grep", "find", "edit", "write"})
			}
		})
	}
	// The cost of one pi run, which keeps nothing from an earlier command.
	b.Run("first check", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c, _ := New(nil, false)
			c.Check("cd src && grep -rn 'func main' . | head", []string{"grep"})
		}
	})
}
