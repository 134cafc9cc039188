package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReadingCreatesNothing(t *testing.T) {
	s := newStore(t, Options{})
	if list, all, err := s.List(0); len(list) != 0 || all != 0 || err != nil {
		t.Errorf("List: %v %d %v", list, all, err)
	}
	if _, err := s.Prune(Policy{Keep: 0}); err != nil {
		t.Errorf("Prune: %v", err)
	}
	for _, r := range []string{"9", "last"} {
		_, err := s.Copy(io.Discard, ref(t, r), Selection{})
		var none *NotFoundError
		if !errors.As(err, &none) || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Copy %s: %v", r, err)
		}
	}
	if _, err := s.Path(ref(t, "9")); err == nil || err.Error() != "no artifact 9 in "+s.Dir() {
		t.Errorf("Path: %v", err)
	}
	if _, err := s.Remove(ref(t, "last")); err == nil || err.Error() != "no artifacts in "+s.Dir() {
		t.Errorf("Remove: %v", err)
	}
	if _, err := os.Stat(s.Dir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory was created: %v", err)
	}
	if _, err := Open("", Options{}).Create(Meta{}); err == nil {
		t.Error("a store without a directory created an artifact")
	}
}

func TestCounterIsRebuilt(t *testing.T) {
	for name, content := range map[string]string{
		"missing": "", "empty": "", "torn": "0000000000000", "nonsense": strings.Repeat("x", counterSize),
		"negative": fmt.Sprintf("%019d %019d\n", -5, 0), "huge": fmt.Sprintf("%019d %019d\n", int64(9e18), 0),
	} {
		s := newStore(t, Options{})
		for range 3 {
			put(t, s, "x")
		}
		path := filepath.Join(s.Dir(), counterName)
		if name == "missing" {
			os.Remove(path)
		} else if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := cat(t, s, "last", Selection{}); got != "x" {
			t.Errorf("%s: last = %q", name, got)
		}
		if w := put(t, s, "y"); w.ID() != "4" {
			t.Errorf("%s: next id = %s", name, w.ID())
		}
	}
}

func TestStoreCap(t *testing.T) {
	s := newStore(t, Options{MaxTotalBytes: 100 << 10})
	for i := range 60 {
		put(t, s, strings.Repeat("x", 5000)) // 12 KiB on disk each
		list, _, err := s.List(0)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) > 8 || len(list) == 0 || list[0].ID != fmt.Sprint(i+1) {
			t.Fatalf("after %d artifacts: %d kept", i+1, len(list))
		}
	}
	put(t, s, strings.Repeat("x", 200<<10))
	if got := names(t, s); got != "61.bash.json 61.bash.log" {
		t.Errorf("the newest is larger than the cap, files: %s", got)
	}
}

func TestPrune(t *testing.T) {
	fill := func() *Store {
		s := newStore(t, Options{})
		for i := range 5 {
			put(t, s, "x")
			old := time.Now().Add(-time.Duration(5-i) * time.Hour)
			if err := os.Chtimes(filepath.Join(s.Dir(), fileName(int64(i+1), logSuffix)), old, old); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	for _, c := range []struct {
		policy Policy
		want   string
	}{
		{Policy{Keep: -1, MaxTotal: -1}, "[]"},
		{Policy{Keep: 2, MaxTotal: -1}, "[1 2 3]"},
		{Policy{Keep: 9, MaxTotal: -1}, "[]"},
		{Policy{Keep: -1, MaxTotal: -1, OlderThan: 150 * time.Minute}, "[1 2 3]"},
		{Policy{Keep: -1, MaxTotal: 17000}, "[1 2 3]"},
		{Policy{Keep: 4, MaxTotal: -1, OlderThan: 200 * time.Minute}, "[1 2]"},
		{Policy{Keep: 0, MaxTotal: 0}, "[1 2 3 4 5]"},
	} {
		for _, dry := range []bool{true, false} {
			s := fill()
			c.policy.DryRun = dry
			done, err := s.Prune(c.policy)
			if err != nil || fmt.Sprint(done.IDs) != c.want || done.Bytes != int64(8192*len(done.IDs)) {
				t.Errorf("%+v: %+v, %v; want %s", c.policy, done, err, c.want)
			}
			_, all, _ := s.List(0)
			if want := 5 - len(done.IDs); !dry && all != want || dry && all != 5 {
				t.Errorf("%+v: %d left", c.policy, all)
			}
		}
	}
}

func TestPruneRemovesLeftoverFiles(t *testing.T) {
	s := newStore(t, Options{})
	put(t, s, "x")
	for _, name := range []string{"7.bash.json", "8.bash.ring", "9.bash.json.tmp", "notes.txt", "7.bash.log.bak"} {
		os.WriteFile(filepath.Join(s.Dir(), name), []byte("x"), 0o600)
	}
	if _, err := s.Prune(Policy{Keep: 5, MaxTotal: -1}); err != nil {
		t.Fatal(err)
	}
	if got := names(t, s); got != "1.bash.json 1.bash.log 7.bash.log.bak notes.txt" {
		t.Errorf("left: %s", got)
	}
}

func TestListIncludesDamagedArtifacts(t *testing.T) {
	s := newStore(t, Options{})
	put(t, s, "one")
	put(t, s, "two")
	put(t, s, "three")
	os.Remove(filepath.Join(s.Dir(), "1.bash.json"))
	os.WriteFile(filepath.Join(s.Dir(), "2.bash.json"), []byte("{broken"), 0o600)
	list, all, err := s.List(2)
	if err != nil || all != 3 || len(list) != 2 || list[0].ID != "3" || list[1].Status != StatusLost || list[1].StoredBytes != 3 {
		t.Errorf("%+v, %d, %v", list, all, err)
	}
	if m, err := s.Meta(ref(t, "1")); err != nil || m.ID != "1" || m.Status != StatusLost {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestLongCommandIsTruncated(t *testing.T) {
	s := newStore(t, Options{})
	w := create(t, s, Meta{Command: strings.Repeat("é", 100000)})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := s.Meta(ref(t, "1"))
	if err != nil || len(m.Command) != maxMetaText+len("…") || strings.Contains(m.Command, "\uFFFD") {
		t.Errorf("%d bytes, %v", len(m.Command), err)
	}
}

func TestDefaultDir(t *testing.T) {
	home, state := t.TempDir(), t.TempDir()
	for _, c := range []struct {
		environ []string
		want    string
	}{
		{[]string{"HOME=" + home}, filepath.Join(home, ".local", "state", "pi", "artifacts")},
		{[]string{"HOME=" + home, "XDG_STATE_HOME=" + state}, filepath.Join(state, "pi", "artifacts")},
		{[]string{"HOME=" + home, "XDG_STATE_HOME=relative"}, filepath.Join(home, ".local", "state", "pi", "artifacts")},
		{[]string{"HOME=relative"}, ""},
		{nil, ""},
	} {
		if got := DefaultDir(c.environ); got != c.want {
			t.Errorf("DefaultDir(%q) = %q, want %q", c.environ, got, c.want)
		}
	}
}
