//go:build unix

package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDirectory(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	odd := "it's \"q\" $HOME [a]*\nx"
	for _, d := range []string{"real/sub", odd} {
		if err := os.MkdirAll(filepath.Join(base, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link": "real", "dangling": "nowhere", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(base, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(base, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, dir, want, err string }{
		{"none", "", "", ""},
		{"relative", "real/sub", "real/sub", ""},
		{"absolute", filepath.Join(base, "real"), "real", ""},
		{"link", "link", "real", ""},
		{"through a link", "link/sub/..", "real", ""},
		{"odd characters", odd, odd, ""},
		{"missing", "nope", "", "Working directory does not exist: " + base + "/nope"},
		{"dangling link", "dangling", "", "Working directory does not exist: " + base + "/dangling"},
		{"link to itself", "loop", "", "Working directory cannot be used: " + base + "/loop: too many links"},
		{"file", "file", "", "Working directory is not a directory: " + base + "/file"},
		{"below a file", "file/x", "", "Working directory is not a directory: " + base + "/file/x"},
		{"NUL", "a\x00b", "", "Working directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Directory(base, tt.dir)
			if tt.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), tt.err) {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				return
			}
			if want := filepath.Join(base, tt.want); err != nil || got != want {
				t.Errorf("Directory(%q) = %q, %v; want %q", tt.dir, got, err, want)
			}
		})
	}
}
