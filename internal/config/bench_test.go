package config

import "testing"

// The cost of every start: nothing is set, in a typical environment.
func BenchmarkLoadNothing(b *testing.B) {
	environ := append(make([]string, 0, 61), "HOME="+b.TempDir())
	for range 60 {
		environ = append(environ, "SOME_OTHER_VARIABLE_OF_THE_HOST=with some value")
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(LoadOptions{Environ: environ}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadEnvironment(b *testing.B) {
	environ := []string{"PI_ARTIFACTS_DIR=/tmp/a"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(LoadOptions{Environ: environ}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadExample(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(LoadOptions{File: "../../config.example.yaml"}); err != nil {
			b.Fatal(err)
		}
	}
}
