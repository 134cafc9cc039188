package artifact

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newStore(t *testing.T, o Options) *Store {
	t.Helper()
	return Open(filepath.Join(t.TempDir(), "state", "artifacts"), o)
}

func create(t *testing.T, s *Store, m Meta) *Writer {
	t.Helper()
	w, err := s.Create(m)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// put creates a closed artifact with the given text.
func put(t *testing.T, s *Store, text string) *Writer {
	t.Helper()
	w := create(t, s, Meta{Command: "test"})
	write(t, w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w
}

func write(t *testing.T, w *Writer, text string) {
	t.Helper()
	if n, err := w.Write([]byte(text)); err != nil || n != len(text) {
		t.Fatalf("Write = %d, %v; want %d", n, err, len(text))
	}
}

func ref(t *testing.T, s string) Ref {
	t.Helper()
	r, err := ParseRef(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func cat(t *testing.T, s *Store, id string, sel Selection) string {
	t.Helper()
	var b bytes.Buffer
	done, err := s.Copy(&b, ref(t, id), sel)
	if err != nil {
		t.Fatal(err)
	}
	if done.Bytes != int64(b.Len()) {
		t.Fatalf("Copy says %d bytes and wrote %d", done.Bytes, b.Len())
	}
	return b.String()
}

// names returns the files in the store's directory, without the counter.
func names(t *testing.T, s *Store) string {
	t.Helper()
	entries, err := os.ReadDir(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		if e.Name() != counterName {
			list = append(list, e.Name())
		}
	}
	return strings.Join(list, " ")
}

func TestArtifactLifecycle(t *testing.T) {
	s := newStore(t, Options{})
	w := create(t, s, Meta{Command: "seq 3", Cwd: "/w", Status: "nonsense"})
	if w.ID() != "1" {
		t.Fatalf("first id = %s", w.ID())
	}
	if m, err := s.Meta(ref(t, "1")); err != nil || m.Status != StatusRunning || !m.Writing {
		t.Fatalf("while written: %+v, %v", m, err)
	}
	write(t, w, "1\n2\n")
	if got := cat(t, s, "1", Selection{}); got != "1\n2\n" {
		t.Fatalf("while written: %q", got)
	}
	write(t, w, "3")
	code := 3
	if err := w.SetMeta(func(m *Meta) { m.Status, m.ExitCode, m.ID = "failed", &code, "99" }); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := s.Meta(ref(t, "last"))
	if err != nil {
		t.Fatal(err)
	}
	if m.ID != "1" || m.Status != "failed" || *m.ExitCode != 3 || m.TotalBytes != 5 || m.StoredBytes != 5 || m.Lines != 3 || m.Writing || m.Capped || m.EndedAt.IsZero() {
		t.Errorf("closed: %+v", m)
	}
	if err := w.SetMeta(func(m *Meta) { m.Status = "timeout" }); err != nil {
		t.Fatal(err)
	}
	if m, _ := s.Meta(ref(t, "1")); m.Status != "timeout" || m.TotalBytes != 5 {
		t.Errorf("changed after Close: %+v", m)
	}
	if _, err := w.Write([]byte("x")); err == nil {
		t.Error("Write after Close succeeded")
	}
	if err := w.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	if got := names(t, s); got != "1.bash.json 1.bash.log" {
		t.Errorf("files: %s", got)
	}
}

func TestIDsAreNeverReused(t *testing.T) {
	s := newStore(t, Options{})
	for range 3 {
		put(t, s, "x")
	}
	if _, err := s.Remove(ref(t, "last")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Prune(Policy{Keep: 0, MaxTotal: -1}); err != nil {
		t.Fatal(err)
	}
	if got := names(t, s); got != "" {
		t.Fatalf("left after prune: %s", got)
	}
	if w := put(t, s, "y"); w.ID() != "4" {
		t.Errorf("id after removal = %s, want 4", w.ID())
	}
}

func TestStateSurvivesJSON(t *testing.T) {
	for _, first := range []int{0, 10, 511, 512, 513, 900, 1024, 1025, 5000} {
		s := newStore(t, Options{MaxBytes: 1024})
		text := numbered(6000)
		w := create(t, s, Meta{Command: "c"})
		write(t, w, text[:first])
		st, err := w.Detach()
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatalf("Close after Detach: %v", err)
		}
		data, err := json.Marshal(st)
		if err != nil {
			t.Fatal(err)
		}
		var back State
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		w, err = Open("/elsewhere", Options{}).Adopt(back)
		if err != nil {
			t.Fatalf("after %d bytes: %v", first, err)
		}
		write(t, w, text[first:])
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		checkCapped(t, s, w.ID(), text, 1024)
	}
}

func TestAdoptErrors(t *testing.T) {
	s := newStore(t, Options{})
	w := create(t, s, Meta{})
	write(t, w, "abc")
	st, err := w.Detach()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Detach(); err == nil {
		t.Error("detached twice")
	}
	if _, err := w.Write([]byte("x")); err == nil {
		t.Error("Write after Detach succeeded")
	}
	wrong := map[string]func(*State){
		"id":     func(st *State) { st.ID = "../1" },
		"absent": func(st *State) { st.ID = "99" },
		"length": func(st *State) { st.Total++ },
		"dir":    func(st *State) { st.Dir = "" },
	}
	for name, change := range wrong {
		bad := st
		change(&bad)
		if _, err := s.Adopt(bad); err == nil {
			t.Errorf("%s: adopted", name)
		}
	}
	w, err = s.Adopt(st)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Adopt(st); err == nil {
		t.Error("adopted twice")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := cat(t, s, "1", Selection{}); got != "abc" {
		t.Errorf("content %q", got)
	}
}

// numbered returns n bytes of distinguishable lines.
func numbered(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("é", i%7))
		b.WriteString(" line ")
		b.WriteString(string(rune('a' + i%26)))
		b.WriteString("\n")
	}
	return b.String()[:n]
}
