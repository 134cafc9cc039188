// Command vt measures pi's terminal emulator beside charmbracelet/x/vt and hinshun/vt10x on the same bytes, in one run,
// and prints MB/s and ratios. See README.md.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	xvt "github.com/charmbracelet/x/vt"
	"github.com/hinshun/vt10x"

	"pi/internal/vt"
)

const (
	cols, rows = 120, 40
	scrollback = 10_000
	rounds     = 3 // of which the fastest counts
)

var inputs = []struct {
	name string
	data string
}{
	{"ls -lR", listing(false)},
	{"ls -lR, coloured", listing(true)},
	{"short lines", strings.Repeat("1234567\r\n", 4000)},
	{"CJK", strings.Repeat("日本語の文章はこのように見えます\r\n", 600)},
	{"progress bar", strings.Repeat("\r\x1b[K[#########>           ] 45% 12/34", 600)},
	{"cursor and editing", strings.Repeat("\x1b[H\x1b[1;33mcell\x1b[m\x1b[10;20Htext\x1b[K\x1b[5Cmore\x1b[L\x1b[2P", 600)},
}

func main() {
	fmt.Printf("%-20s %8s %8s %8s %10s %10s\n", "MB/s", "pi", "x/vt", "vt10x", "pi / x/vt", "pi / vt10x")
	slow := false
	for _, in := range inputs {
		data := []byte(in.data)
		pi := speed(vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: scrollback}), data)
		x := xvt.NewEmulator(cols, rows)
		x.SetScrollbackSize(scrollback)
		theirs := speed(x, data)
		old := speed(vt10x.New(vt10x.WithSize(cols, rows)), data) // it has no scrollback
		fmt.Printf("%-20s %8.1f %8.1f %8.1f %9.1fx %9.1fx\n", in.name, pi, theirs, old, pi/theirs, pi/old)
		slow = slow || pi < theirs || pi < old
	}
	if slow {
		fmt.Println("pi was behind")
		os.Exit(1)
	}
}

// speed returns megabytes a second of processor time, in the fastest of some rounds of about 100 ms.
func speed(w io.Writer, data []byte) float64 {
	const round = 100e6
	n := 0
	for start := busy(); busy()-start < round; n++ {
		w.Write(data)
	}
	fastest := 0.0
	for range rounds {
		start := busy()
		for range n {
			w.Write(data)
		}
		fastest = max(fastest, float64(n*len(data))*1e3/float64(busy()-start))
	}
	return fastest
}

// listing is like the output of ls -lR, plain or coloured.
func listing(colour bool) string {
	var b strings.Builder
	for d := range 20 {
		fmt.Fprintf(&b, "\r\n./internal/package%02d:\r\ntotal %d\r\n", d, 4*d+100)
		for f := range 25 {
			mode, name := "-rw-r--r--", fmt.Sprintf("some_file_name_%d.go", f*d)
			switch {
			case !colour:
			case f%5 == 0:
				mode, name = "drwxr-xr-x", "\x1b[0m\x1b[01;34m"+name+"\x1b[0m"
			case f%5 == 1:
				mode, name = "-rwxr-xr-x", "\x1b[01;32m"+name+"\x1b[0m"
			case f%5 == 2:
				mode, name = "lrwxrwxrwx", "\x1b[01;36m"+name+"\x1b[0m -> \x1b[01;32mtarget\x1b[0m"
			}
			fmt.Fprintf(&b, "%s 1 root root %8d Nov 30 12:%02d %s\r\n", mode, f*12345, f, name)
		}
	}
	return b.String()
}
