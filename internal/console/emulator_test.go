package console

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pi/internal/vt"
)

// emulator is a user's terminal for tests: what a view writes shows on a screen.
type emulator struct {
	mu    sync.Mutex
	t     *vt.Terminal
	raw   bool // newlines do not return, as after raw mode
	away  bool
	wrote int
}

func newEmulator(cols, rows int) *emulator {
	return &emulator{t: vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: 1000}), raw: true}
}

func (e *emulator) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.wrote += len(p)
	q := p
	if !e.raw {
		q = []byte(strings.ReplaceAll(strings.ReplaceAll(string(p), "\r\n", "\n"), "\n", "\r\n"))
	}
	e.t.Write(q)
	return len(p), nil
}

func (e *emulator) Size() (cols, rows int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.t.Size()
}

func (e *emulator) Foreground() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.away
}

// screen is what is seen: rows without trailing blanks, empty ones at the end left out.
func (e *emulator) screen() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.TrimRight(strings.Join(e.t.ScreenText(), "\n"), "\n") + "\n"
}

// styled is the screen with its colours, as SGR.
func (e *emulator) styled() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, rows := e.t.Size()
	var out []byte
	for y := range rows {
		last := vt.Style{}
		for _, c := range e.t.Row(y) {
			if c.Style != last {
				out = appendSGR(out, c.Style, true)
				last = c.Style
			}
			out = e.t.AppendCell(out, c)
		}
		if last != (vt.Style{}) {
			out = append(out, "\x1b[m"...)
		}
		out = append(out, '\n')
	}
	return string(out)
}

// golden compares with testdata/name; PI_UPDATE_SCRIPTS=1 writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("PI_UPDATE_SCRIPTS") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

var plainProfile = Profile{}

var colors = Profile{Color: TrueColor}
