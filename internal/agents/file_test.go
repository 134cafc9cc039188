package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever has the name of a backup and is not pi's stays untouched, and pi does not write through a link.
func TestForeignBackup(t *testing.T) {
	precious := filepath.Join(t.TempDir(), "precious")
	for _, tt := range []struct {
		name, before string
		put          func(path string) error
	}{
		{"a file", `{"a":1}`, func(p string) error { return os.WriteFile(p, []byte("PRECIOUS"), 0o600) }},
		{"a file, no settings", "", func(p string) error { return os.WriteFile(p, []byte("PRECIOUS"), 0o600) }},
		{"settings", `{"a":1}`, func(p string) error { return os.WriteFile(p, []byte(`{"b":1}`), 0o600) }},
		{"a link", `{"a":1}`, func(p string) error { return os.Symlink(precious, p) }},
		{"a link to the same text", `{"a":1}`, func(p string) error { return os.Symlink(filepath.Join(filepath.Dir(p), "same"), p) }},
		{"a directory", `{"a":1}`, func(p string) error { return os.Mkdir(p, 0o700) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, file := home(t, "cursor", tt.before)
			foreign := file + backupSuffix
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(filepath.Dir(file), "same"), []byte(tt.before), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := tt.put(foreign); err != nil {
				t.Fatal(err)
			}
			was, _ := os.Lstat(foreign)
			text, _ := os.ReadFile(foreign)
			a, _ := Find("cursor")
			changes, err := a.Add(o)
			apply(t, changes, err)
			if kept := content(t, foreign+".1"); kept != tt.before || changes[0].MakesBackup() && changes[0].Backup() != foreign+".1" {
				t.Errorf("the backup %s holds %q", changes[0].Backup(), kept)
			}
			changes, err = a.Remove(o)
			apply(t, changes, err)
			if got := content(t, file); got != tt.before {
				t.Errorf("removed: %q", got)
			}
			is, err := os.Lstat(foreign)
			if err != nil || !os.SameFile(was, is) || was.Mode() != is.Mode() {
				t.Fatalf("it was %v, is %v, %v", was, is, err)
			}
			if now, _ := os.ReadFile(foreign); string(now) != string(text) {
				t.Errorf("it holds %q", now)
			}
			if _, err := os.Lstat(foreign + ".1"); err == nil {
				t.Error("pi's own backup is left")
			}
			if _, err := os.Lstat(precious); err == nil {
				t.Error("the link was followed")
			}
		})
	}
}

// A backup that differs from the file without pi stays.
func TestBackupOfChangedSettings(t *testing.T) {
	o, file := home(t, "cursor", `{"a":1}`)
	a, _ := Find("cursor")
	changes, err := a.Add(o)
	apply(t, changes, err)
	if err := os.WriteFile(file, []byte(strings.Replace(content(t, file), `"a":1`, `"a":2`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	changes, err = a.Remove(o)
	apply(t, changes, err)
	if got := content(t, file); !strings.Contains(got, `"a":2`) || strings.Contains(got, exe) || content(t, file+backupSuffix) != `{"a":1}` {
		t.Errorf("file %s, backup %s", got, content(t, file+backupSuffix))
	}
}

// The error of a loop of symbolic links names the file.
func TestLinkLoop(t *testing.T) {
	o, file := home(t, "cursor", "{}")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, file); err != nil {
		t.Fatal(err)
	}
	a, _ := Find("cursor")
	if _, err := a.Add(o); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v", err)
	}
}
