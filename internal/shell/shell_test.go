//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	dir := t.TempDir()
	program := func(path string, mode os.FileMode) string {
		p := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
		return p
	}
	bash, zsh := program("a/bash", 0o755), program("b/zsh", 0o755)
	plain, fish := program("plain/bash", 0o644), program("c/fish", 0o755)
	for _, tt := range []struct {
		name, path string
		environ    []string
		want       Shell
		err        string
	}{
		{"configured path", zsh, nil, Shell{zsh, Zsh}, ""},
		{"configured name", "bash", []string{"PATH=" + dir + "/a"}, Shell{bash, Bash}, ""},
		{"configured shell of another family", fish, nil, Shell{fish, Sh}, ""},
		{"configured but missing", "/no/such/bash", nil, Shell{}, `shell.path "/no/such/bash": no such file or directory`},
		{"configured but not executable", plain, nil, Shell{}, "is not executable"},
		{"configured but a directory", dir, nil, Shell{}, "is a directory"},
		{"configured name that is nowhere", "no_such_shell_zz", nil, Shell{}, "not found on PATH"},
		{"SHELL is zsh", "", []string{"SHELL=" + zsh, "PATH=" + dir + "/a"}, Shell{zsh, Zsh}, ""},
		{"SHELL is fish: bash on PATH", "", []string{"SHELL=" + fish, "PATH=" + dir + "/a"}, Shell{bash, Bash}, ""},
		{"SHELL is missing: bash on PATH", "", []string{"SHELL=/nonexistent/bash", "PATH=" + dir + "/a"}, Shell{bash, Bash}, ""},
		{"not executable on PATH is passed over", "", []string{"PATH=" + dir + "/plain:" + dir + "/a"}, Shell{bash, Bash}, ""},
		{"relative PATH entry is passed over", "", []string{"PATH=.:a:" + dir + "/a"}, Shell{bash, Bash}, ""},
		{"the first PATH counts", "", []string{"PATH=" + dir + "/a", "PATH=/nowhere"}, Shell{bash, Bash}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Choose(tt.path, tt.environ)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("Choose = %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

func TestChooseWithoutPath(t *testing.T) {
	got, err := Choose("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !filepath.IsAbs(got.Path) {
		t.Errorf("shell %v is not absolute", got)
	}
}
