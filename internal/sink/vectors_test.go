package sink

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"
)

// vector is a recorded input and output of a sanitiser.
type vector struct{ in, out string }

// loadVectors reads testdata/sanitize.jsonl.gz: complete sequences without carriage returns.
func loadVectors(t testing.TB) []vector {
	t.Helper()
	f, err := os.Open("testdata/sanitize.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	for lines := bufio.NewScanner(z); lines.Scan(); {
		var line struct {
			In  string `json:"in_hex"`
			Out string `json:"out_hex"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		in, err1 := hex.DecodeString(line.In)
		out, err2 := hex.DecodeString(line.Out)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		vectors = append(vectors, vector{string(in), string(out)})
	}
	if len(vectors) == 0 {
		t.Fatal("no vectors")
	}
	return vectors
}

func TestVectors(t *testing.T) {
	for _, v := range loadVectors(t) {
		s := New(Options{})
		s.Write(Stdout, []byte(v.in))
		if got := s.Close().Text; got != v.out {
			t.Errorf("%q: %q, want %q", v.in, got, v.out)
		}
	}
}

func TestVectorsByteByByte(t *testing.T) {
	for _, v := range loadVectors(t) {
		s := New(Options{})
		for _, b := range []byte(v.in) {
			s.Write(Stdout, []byte{b})
		}
		if got := s.Close().Text; got != v.out {
			t.Errorf("%q: %q, want %q", v.in, got, v.out)
		}
	}
}
