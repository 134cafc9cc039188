package artifact

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func BenchmarkCreateClose(b *testing.B) {
	s := Open(filepath.Join(b.TempDir(), "store"), Options{})
	line := []byte(strings.Repeat("x", 60<<10))
	b.ReportAllocs()
	for b.Loop() {
		w, err := s.Create(Meta{Command: "seq 1 100000", Cwd: "/w"})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := w.Write(line); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlainFile is the baseline for BenchmarkCreateClose: the same bytes in two plain files without a store.
func BenchmarkPlainFile(b *testing.B) {
	dir := b.TempDir()
	line := []byte(strings.Repeat("x", 60<<10))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for name, text := range map[string][]byte{"log": line, "json": line[:400]} {
			if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)+name), text, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func benchmarkWrite(b *testing.B, chunk int, limit int64) {
	s := Open(filepath.Join(b.TempDir(), "store"), Options{MaxBytes: limit})
	p := bytes.Repeat([]byte("a line of an ordinary length, as programs print them\n"), chunk/53+1)[:chunk]
	w, err := s.Create(Meta{})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	b.SetBytes(int64(chunk))
	b.ReportAllocs()
	for b.Loop() {
		if w.Size() > 1<<30 && limit > 1<<30 { // without a cap the file must not fill the disk
			b.StopTimer()
			s.Remove(Ref{id: w.id})
			w.Close()
			if w, err = s.Create(Meta{}); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		if _, err := w.Write(p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWritePlain64K(b *testing.B)  { benchmarkWrite(b, 64<<10, 2<<30) }
func BenchmarkWriteCapped64K(b *testing.B) { benchmarkWrite(b, 64<<10, 64<<20) }
func BenchmarkWriteCapped100(b *testing.B) { benchmarkWrite(b, 100, 64<<20) }

// BenchmarkStream1GiB writes and closes an artifact of 1 GiB with the default cap.
func BenchmarkStream1GiB(b *testing.B) {
	s := Open(filepath.Join(b.TempDir(), "store"), Options{})
	p := bytes.Repeat([]byte("a line of an ordinary length, as programs print it \n"), 1<<20/52+1)[:1<<20]
	b.SetBytes(1 << 30)
	for b.Loop() {
		w, err := s.Create(Meta{})
		if err != nil {
			b.Fatal(err)
		}
		for range 1 << 14 {
			if _, err := w.Write(p[:64<<10]); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Remove(Ref{id: w.id}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkCopy(b *testing.B, sel Selection) {
	s := Open(filepath.Join(b.TempDir(), "store"), Options{})
	w, err := s.Create(Meta{})
	if err != nil {
		b.Fatal(err)
	}
	p := bytes.Repeat([]byte("a line of an ordinary length, as programs print it \n"), 20164)
	for range 64 {
		w.Write(p)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(w.Size())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Copy(io.Discard, Ref{id: 1}, sel); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTail(b *testing.B) {
	n := int64(20)
	benchmarkCopy(b, Selection{Tail: &n})
}

func BenchmarkLinesFarIn(b *testing.B) {
	benchmarkCopy(b, Selection{Lines: &Span{From: 1200000, To: 1200010}})
}

func BenchmarkGrepLiteral(b *testing.B) {
	benchmarkCopy(b, Selection{Grep: regexp.MustCompile(`needle`)})
}

func BenchmarkGrepClass(b *testing.B) {
	benchmarkCopy(b, Selection{Grep: regexp.MustCompile(`[0-9]+ errors?`)})
}
