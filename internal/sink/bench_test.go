package sink

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// discard is an artifact that discards everything written to it.
type discard struct{}

func (discard) ID() string                  { return "1" }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// repeat returns n bytes of the lines that line returns.
func repeat(n int, line func(i int) string) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		b.WriteString(line(i))
	}
	return b.Bytes()[:n]
}

func plainLine(i int) string {
	return fmt.Sprintf("-rw-r--r-- 1 user group %7d Jan %2d 12:%02d some-file-%d.go\n", i*7919%1000000, i%31+1, i%60, i)
}

func colouredLine(i int) string {
	return fmt.Sprintf("\x1b[0m\x1b[01;34mdir-%d\x1b[0m  src/main.go:%d:%d: \x1b[1;31merror:\x1b[0m undefined name \x1b[38;5;%dmfoo%d\x1b[0m here\n", i%1000, i%900, i%80, i%256, i%100)
}

func frame(i int) string {
	return fmt.Sprintf("\r%3d%% [%s%s] %d/1000 MB", i%101, strings.Repeat("#", i%40), strings.Repeat(" ", 40-i%40), i)
}

func BenchmarkSink(b *testing.B) {
	noise := rand.New(rand.NewPCG(3, 4))
	inputs := []struct {
		name string
		line func(i int) string
	}{
		{"plain", plainLine},
		{"coloured", colouredLine},
		{"lscolor", func(i int) string {
			return fmt.Sprintf("-rw-r--r-- 1 user group %7d Jan %2d 12:%02d \x1b[0m\x1b[01;32msome-file-%d.go\x1b[0m\n", i*7919%1000000, i%31+1, i%60, i)
		}},
		{"cjk", func(i int) string {
			return fmt.Sprintf("第%d行:日本語の文章と中文字符在这里混合😀\n", i)
		}},
		{"latin", func(i int) string {
			return fmt.Sprintf("%d: café déjà vu, naïve façade — “quoted” text\n", i)
		}},
		{"crlf", func(i int) string { return strings.TrimSuffix(plainLine(i), "\n") + "\r\n" }},
		{"frames", frame},
		{"oneline", func(i int) string { return strings.TrimSuffix(plainLine(i), "\n") }},
		{"short", func(i int) string { return "y\n" }},
		{"binary", func(int) string { return string(binary.LittleEndian.AppendUint64(nil, noise.Uint64())) }},
		{"unterminated", func(i int) string { return "\x1b]\n" }},
		{"links", func(i int) string {
			return fmt.Sprintf("\x1b]8;;file://host/path/to/file-%d\x1b\\name-%d\x1b]8;;\x1b\\\n", i, i)
		}},
	}
	for _, in := range inputs {
		for _, size := range []int{64 << 10, 1 << 20} {
			for _, artifact := range []bool{false, true} {
				name := fmt.Sprintf("%s/%dK", in.name, size>>10)
				var opt Options
				if artifact {
					name += "/artifact"
					opt.OpenArtifact = func() (ArtifactWriter, error) { return discard{}, nil }
				}
				b.Run(name, func(b *testing.B) {
					chunk := repeat(size, in.line)
					s := New(opt)
					s.Write(Stdout, chunk)
					b.SetBytes(int64(size))
					b.ReportAllocs()
					for b.Loop() {
						s.Write(Stdout, chunk)
					}
					s.Close()
				})
			}
		}
	}
}

func BenchmarkOneByteWrites(b *testing.B) {
	text := repeat(1<<16, plainLine)
	s := New(Options{})
	b.SetBytes(1)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		s.Write(Stdout, text[i:i+1])
		i = (i + 1) & (1<<16 - 1)
	}
	s.Close()
}

// BenchmarkSmall measures the cost of a sink for a command that prints one line.
func BenchmarkSmall(b *testing.B) {
	line := []byte("hello\n")
	b.ReportAllocs()
	for b.Loop() {
		s := New(Options{})
		s.Write(Stdout, line)
		s.Close()
	}
}

func BenchmarkPlainPrefix(b *testing.B) {
	text := repeat(64<<10, plainLine)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		plain(text)
	}
}
