//go:build unix

package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProgramsOnPath(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, mode os.FileMode) string {
		file := filepath.Join(dir, name, "pi")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	a, b := put("a", 0o755), put("b", 0o755)
	put("data", 0o644)
	if err := os.Symlink(filepath.Join(dir, "a"), filepath.Join(dir, "again")); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, d := range []string{"data", "missing", "a", "again", "b"} {
		list = append(list, filepath.Join(dir, d))
	}
	got := programsOnPath(strings.Join(append(list, "."), string(filepath.ListSeparator)), "pi")
	if strings.Join(got, " ") != a+" "+b {
		t.Errorf("found %q, want %s and %s", got, a, b)
	}
}
