package cmd

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTemporaryPlace(t *testing.T) {
	root := t.TempDir()
	temporary := filepath.Join(root, "tmp")
	for name, text := range map[string]string{
		"tmp/x/file": "", "pi/.git/HEAD": "", "pi/go.mod": "module pi\n\ngo 1.26\n", "pi/bin/file": "", "other/.git/HEAD": "",
		"other/go.mod": "module pie\n", "export/go.mod": "module pi\n", "bin/file": "",
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{
		"tmp": "a temporary directory", "tmp/x": "a temporary directory", "pi": "a checkout of its sources",
		"pi/bin": "a checkout of its sources", "other": "", "export": "", "bin": "",
	} {
		if got := temporaryPlace(filepath.Join(root, filepath.FromSlash(dir)), temporary, filepath.Join(root, "none")); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
