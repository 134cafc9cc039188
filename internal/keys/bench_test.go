package keys_test

import (
	"bytes"
	"testing"

	"pi/internal/keys"
)

// benchInputs are one key of each form. bench/keys measures the same with other decoders.
var benchInputs = []struct{ name, in string }{
	{"plain", "a"},
	{"ctrl", "\x03"},
	{"legacy", "\x1b[A"},
	{"tilde", "\x1b[5~"},
	{"modified", "\x1b[1;5A"},
	{"ss3", "\x1bOP"},
	{"meta", "\x1bx"},
	{"csi-u", "\x1b[97;5u"},
	{"csi-u-full", "\x1b[1089:1057:99;5:1u"},
	{"modify-other", "\x1b[27;5;49~"},
	{"unknown", "\x1b[99z"},
}

func BenchmarkParse(b *testing.B) {
	for _, in := range benchInputs {
		b.Run(in.name, func(b *testing.B) {
			data := []byte(in.in)
			b.ReportAllocs()
			for b.Loop() {
				keys.Parse(data, false)
			}
		})
	}
}

func BenchmarkMatches(b *testing.B) {
	for _, in := range benchInputs {
		b.Run(in.name, func(b *testing.B) {
			data := []byte(in.in)
			b.ReportAllocs()
			for b.Loop() {
				keys.Matches(data, "ctrl+pageDown", false)
			}
		})
	}
}

// BenchmarkVectors is all that was recorded, so the mean over every form and every kind of garbage.
func BenchmarkVectors(b *testing.B) {
	all := vectors(b, "keys_parse")
	b.Run("Parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range all {
				keys.Parse(all[i].data, all[i].Kitty)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/key")
	})
	b.Run("ParseKitty", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range all {
				keys.ParseKitty(all[i].data)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/key")
	})
}

func BenchmarkReader(b *testing.B) {
	for _, in := range []struct{ name, unit string }{
		{"text", "The quick brown fox jumps over the lazy dog, wie auf Bäumen so über Zäune. "},
		{"sequences", "\x1b[A\x1b[1;5C\x1bOB\x1b[97;5u\x1b[3~\x1bx\x1b[<35;20;10M"},
		{"controls", "\x01\x02\x03\r\t"},
		{"paste", "\x1b[200~" + string(bytes.Repeat([]byte("pasted line\r"), 300)) + "\x1b[201~"},
	} {
		b.Run(in.name, func(b *testing.B) {
			data := bytes.Repeat([]byte(in.unit), max(1, 4096/len(in.unit)))
			r := keys.NewReader(keys.Options{})
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r.Feed(data)
				for {
					if _, ok := r.Next(); !ok {
						break
					}
				}
			}
		})
	}
}
