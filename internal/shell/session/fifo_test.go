//go:build unix

package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFifoPlace: a session over named pipes works below a directory of any name, background jobs included, and leaves
// nothing there.
func TestFifoPlace(t *testing.T) {
	tmp := filepath.Join(t.TempDir(), "it's $a `b`")
	if err := os.Mkdir(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", tmp)
	for _, sh := range tableShells {
		t.Run(sh, func(t *testing.T) {
			s := testSession(t, sh, "/")
			s.transport = func() (transport, error) { return newFifoTransport() }
			wantOutput(t, s, Options{Command: "cd /usr; x=1"}, "")
			res := wantOutput(t, s, Options{Command: "sleep 300 & echo $x; pwd"}, "1\n/usr\n")
			if len(res.Background) == 0 {
				t.Errorf("no background job: %+v", res)
			}
			wantOutput(t, s, Options{Command: "eval 'echo $x >&2'"}, "1\n")
			s.Close()
			if left, _ := os.ReadDir(tmp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestSweepPlaces: what a killed owner left goes, what has an owner or may get one stays.
func TestSweepPlaces(t *testing.T) {
	base := t.TempDir()
	t.Setenv("TMPDIR", base)
	live, err := newFifoTransport()
	if err != nil {
		t.Fatal(err)
	}
	defer live.close()
	for _, name := range []string{dirPrefix + "dead", "pi-sessions"} {
		if err := os.Mkdir(filepath.Join(base, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	sweepDirs(base, time.Now().Add(-time.Hour))
	if !exists(filepath.Join(base, dirPrefix+"dead")) {
		t.Error("a young one went")
	}
	sweepDirs(base, time.Now().Add(time.Hour))
	if exists(filepath.Join(base, dirPrefix+"dead")) {
		t.Error("a dead one stays")
	}
	if !exists(live.dir) || !exists(filepath.Join(base, "pi-sessions")) {
		t.Error("somebody else's went")
	}
}
