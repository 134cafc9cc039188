package sessiond

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pi/internal/run"
)

func TestOtherBuild(t *testing.T) {
	h := newHome(t)
	h.run("true")
	h.build = "another"
	r := h.Run(context.Background(), h.call("true"))
	if r.Details.Status != run.Error || !strings.Contains(text(r), "another version of pi") || !strings.Contains(text(r), "pi session stop x") {
		t.Errorf("%+v", r)
	}
	if was, err := h.Stop("x"); !was || err != nil {
		t.Errorf("Stop: %v, %v", was, err)
	}
}

func TestLongDirectory(t *testing.T) {
	h := newHome(t)
	deep := filepath.Join(h.runtime, strings.Repeat("d", 100), strings.Repeat("e", 100))
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", deep)
	h.reopen()
	h.run("x=1")
	if got := text(h.run("echo $x")); got != "1\n" {
		t.Errorf("got %q", got)
	}
	if list, err := h.List(); len(list) != 1 || err != nil {
		t.Errorf("list %+v, %v", list, err)
	}
}

func TestDirectoryIsPrivate(t *testing.T) {
	h := newHome(t)
	if err := os.MkdirAll(h.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(h.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	h.run("true")
	if st, err := os.Stat(h.dir); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
	if st, err := os.Stat(filepath.Join(h.dir, "x.sock")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
}

func TestDirectoryIsAFile(t *testing.T) {
	h := newHome(t)
	if err := os.MkdirAll(filepath.Dir(h.dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(h.dir)
	if r := h.Run(context.Background(), h.call("true")); r.Details.Status != run.Error || !strings.Contains(text(r), "session directory") {
		t.Errorf("%+v", r)
	}
}

func TestSocketDirectory(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		env  []string
		want string
	}{
		{[]string{"XDG_RUNTIME_DIR=" + dir, "HOME=/h"}, dir + "/pi/sessions"},
		{[]string{"XDG_RUNTIME_DIR=/nowhere", "HOME=/h"}, "/h/.local/state/pi/sessions"},
		{[]string{"XDG_RUNTIME_DIR=rel", "XDG_STATE_HOME=/s", "HOME=/h"}, "/s/pi/sessions"},
		{nil, ""},
	} {
		h, err := NewClient(c.env, "")
		if err != nil && c.want != "" || err == nil && h.dir != c.want {
			t.Errorf("%q: %+v, %v", c.env, h, err)
		}
	}
}
