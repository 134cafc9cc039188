package vt_test

import (
	"fmt"
	"strings"
	"testing"

	"pi/internal/vt"
)

// listing is like the output of ls -lR, plain or coloured.
func listing(colour bool) []byte {
	var b strings.Builder
	for d := range 20 {
		fmt.Fprintf(&b, "\r\n./internal/package%02d:\r\ntotal %d\r\n", d, 4*d+100)
		for f := range 25 {
			mode, name := "-rw-r--r--", fmt.Sprintf("some_file_name_%d.go", f*d)
			if colour {
				switch f % 5 {
				case 0:
					mode, name = "drwxr-xr-x", "\x1b[0m\x1b[01;34m"+name+"\x1b[0m"
				case 1:
					mode, name = "-rwxr-xr-x", "\x1b[01;32m"+name+"\x1b[0m"
				case 2:
					mode, name = "lrwxrwxrwx", "\x1b[01;36m"+name+"\x1b[0m -> \x1b[01;32mtarget\x1b[0m"
				}
			}
			fmt.Fprintf(&b, "%s 1 root root %8d Nov 30 12:%02d %s\r\n", mode, f*12345, f, name)
		}
	}
	return []byte(b.String())
}

func BenchmarkWrite(b *testing.B) {
	for _, in := range []struct {
		name string
		data []byte
	}{
		{"plain", listing(false)},
		{"coloured", listing(true)},
		{"lines", []byte(strings.Repeat("1234567\r\n", 4000))},
		{"endless", []byte(strings.Repeat("The quick brown fox ", 2000))},
		{"cjk", []byte(strings.Repeat("日本語の文章はこのように見えます\r\n", 600))},
		{"emoji", []byte(strings.Repeat("👍🏽 ok ❤️ fine 🇩🇪\r\n", 600))},
		{"progress", []byte(strings.Repeat("\r\x1b[K[#########>           ] 45% 12/34", 600))},
		{"screen", []byte(strings.Repeat("\x1b[H\x1b[1;33mcell\x1b[m\x1b[10;20Htext\x1b[K\x1b[5Cmore\x1b[L\x1b[2P", 600))},
	} {
		b.Run(in.name, func(b *testing.B) {
			t := vt.New(vt.Options{Cols: 120, Rows: 40, Scrollback: 10000})
			b.SetBytes(int64(len(in.data)))
			b.ReportAllocs()
			for b.Loop() {
				t.Write(in.data)
			}
		})
	}
}

// BenchmarkScrolled is the same with the transcript streamed and nothing kept.
func BenchmarkScrolled(b *testing.B) {
	data, n := listing(true), 0
	t := vt.New(vt.Options{Cols: 120, Rows: 40, Scrolled: func(line []byte) { n += len(line) }})
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		t.Write(data)
	}
}
