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
	bashPath, zshPath := program("a/bash", 0o755), program("b/zsh", 0o755)
	plain, fishPath, ksh := program("plain/bash", 0o644), program("c/fish", 0o755), program("c/ksh", 0o755)
	for _, tt := range []struct {
		name, path string
		environ    []string
		want       Shell
		err        string
	}{
		{"configured path", zshPath, nil, Shell{zshPath, &zsh}, ""},
		{"configured name", "bash", []string{"PATH=" + dir + "/a"}, Shell{bashPath, &bash}, ""},
		{"configured shell of another language", fishPath, nil, Shell{fishPath, &fish}, ""},
		{"configured shell of no dialect", ksh, nil, Shell{ksh, &posix}, ""},
		{"configured but missing", "/no/such/bash", nil, Shell{}, `shell.path "/no/such/bash": no such file or directory`},
		{"configured but not executable", plain, nil, Shell{}, "is not executable"},
		{"configured but a directory", dir, nil, Shell{}, "is a directory"},
		{"configured name that is nowhere", "no_such_shell_zz", nil, Shell{}, "not found on PATH"},
		{"SHELL is zsh", "", []string{"SHELL=" + zshPath, "PATH=" + dir + "/a"}, Shell{zshPath, &zsh}, ""},
		{"SHELL is fish: bash on PATH", "", []string{"SHELL=" + fishPath, "PATH=" + dir + "/a"}, Shell{bashPath, &bash}, ""},
		{"SHELL is missing: bash on PATH", "", []string{"SHELL=/nonexistent/bash", "PATH=" + dir + "/a"}, Shell{bashPath, &bash}, ""},
		{"not executable on PATH is passed over", "", []string{"PATH=" + dir + "/plain:" + dir + "/a"}, Shell{bashPath, &bash}, ""},
		{"relative PATH entry is passed over", "", []string{"PATH=.:a:" + dir + "/a"}, Shell{bashPath, &bash}, ""},
		{"the first PATH counts", "", []string{"PATH=" + dir + "/a", "PATH=/nowhere"}, Shell{bashPath, &bash}, ""},
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

func TestWithSnapshot(t *testing.T) {
	for _, tt := range []struct {
		dialect   *Dialect
		script    string
		env       []string
		args, got string
	}{
		{&bash, "", nil, "bash --norc -c -- x", ""},
		{&bash, "/c/s", nil, "bash --norc -c -- x", "BASH_ENV=/c/s"},
		{&bash, "/c/s", []string{"BASH_ENV=/own"}, "bash --norc -c -- x", "BASH_ENV=/own"},
		{&zsh, "/c/d/.zshenv", nil, "zsh -c -- x", "ZDOTDIR=/c/d"},
		{&zsh, "/c/d/.zshenv", []string{"ZDOTDIR=/own"}, "zsh -f -c -- x", "ZDOTDIR=/own"},
		{&posix, "/c/s", nil, "sh -c -- x", ""},
		{&fish, "", nil, "fish --no-config -c x", ""},
		{&fish, "/c/it's", []string{"A=1"}, `fish --init-command builtin source '/c/it\'s' --no-config -c x`, "A=1"},
	} {
		s := Shell{"/bin/" + tt.dialect.Name, tt.dialect}
		args, env := s.withSnapshot(s.Args("x"), tt.env, tt.script)
		if strings.Join(args, " ") != tt.args || strings.Join(env, " ") != tt.got {
			t.Errorf("%v %q: %q %q", tt.dialect.Name, tt.script, args, env)
		}
	}
}
