package cmd

import "testing"

func TestBuildInfo(t *testing.T) {
	for commit, want := range map[string]string{
		"":              "pi 1.2.3 (go1.26, linux/amd64)",
		"1a2b3c4-dirty": "pi 1.2.3 (1a2b3c4-dirty, go1.26, linux/amd64)",
	} {
		if got := (buildInfo{Version: "1.2.3", Commit: commit, Go: "go1.26", Platform: "linux/amd64"}).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
