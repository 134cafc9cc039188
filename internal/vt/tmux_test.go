package vt_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pi/internal/testmain"
	"pi/internal/vt"
)

// The recordings are what real programs wrote to a terminal of 80×24 (bench/vt/record made them). At the marks, places
// where the program had drawn a screen and waited, the screen must be that of tmux, row for row. NAME.screens has what
// tmux shows at each mark, written by
//
//	go test ./internal/vt -run TestTmux -update
var update = flag.Bool("update", false, "write the screens of tmux into testdata")

const (
	recordings = "testdata/recordings"
	recCols    = 80
	recRows    = 24
)

// tmuxDiffers are the screens (recording, mark) where we mean to differ from tmux 3.3a, with the reason.
var tmuxDiffers = map[string]string{
	"vttest 13227": lastColumn, // the border test for 132 columns, drawn into 80
	"vttest 14002": columns132,
	"vttest 14811": columns132,
	"vttest 33761": "tmux homes the cursor to the corner of the screen in origin mode, and vttest says where it should be",
	"vttest 35881": lineSet,
}

// tmuxDiffersSmall are the small screens where we do.
var tmuxDiffersSmall = map[string]string{
	"pending wrap and LF":               lastColumn,
	"pending wrap and BS":               lastColumn,
	"pending wrap and EL":               lastColumn,
	"new line mode":                     lacks,
	"CUP, huge":                         hugeNumber,
	"HPR VPA VPR":                       lacks,
	"DECSC keeps the pending wrap":      lastColumn,
	"DECSED":                            lacks,
	"DECSEL":                            lacks,
	"IL":                                lineStart,
	"DL":                                lineStart,
	"REP wraps":                         repeat,
	"REP of a wide character":           repeat,
	"DECSTBM, DL outside":               outsideRegion,
	"DECSLRM, text from the margin":     lacks,
	"DECSLRM, LF scrolls the block":     lacks,
	"DECSLRM, SD":                       lacks,
	"DECSLRM, ICH and DCH":              lacks,
	"DECSLRM, IL":                       lacks,
	"DECSLRM, CR":                       lacks,
	"DECIC DECDC":                       lacks,
	"SL SR":                             lacks,
	"DECBI DECFI":                       lacks,
	"line drawing":                      lineSet,
	"SO SI":                             lineSet,
	"SS2":                               lineSet,
	"LS3":                               lineSet,
	"UK":                                lacks,
	"wide, right half replaced":         wideHalf,
	"wide, both":                        wideHalf,
	"wide, erased in half":              wideHalf,
	"wide, EL in half":                  wideHalf,
	"wide, DCH in half":                 wideHalf,
	"wide, ICH cuts the last":           wideHalf,
	"combining after a move is dropped": combines,
	"zero width space is dropped":       zeroWidth,
	"invalid UTF-8":                     dropsInvalid,
	"surrogate":                         dropsInvalid,
	"ESC cuts a character":              dropsInvalid,
	"C1 as characters":                  noC1,
	"bare C1 bytes are not UTF-8":       dropsInvalid,
	"47 keeps the alternate screen":     clearsAlt,
	"1048":                              lacks,
	"DECSTR":                            lacks,
	"OSC with U+009C":                   noC1,
	"C1 byte within a sequence":         keepsSequence,
	"CHT CBT":                           lacks,
	"DECST8C":                           lacks,
}

// Reasons for which tmux 3.3a shows a different screen.
const (
	lacks         = "tmux does not have it"
	lastColumn    = "tmux puts a pending wrap behind the last column; here, as in xterm, it is a flag of the last column"
	hugeNumber    = "tmux drops a sequence with a number that is too large; here it is clamped"
	lineStart     = "IL and DL leave the cursor at the left margin (VT510 manual, xterm)"
	outsideRegion = "IL and DL do nothing outside the scroll region (VT510 manual, xterm)"
	repeat        = "tmux repeats up to the edge, and narrow characters only"
	lineSet       = "capture-pane prints the letters of characters of the line drawing set"
	wideHalf      = "tmux leaves the other half of a wide character"
	combines      = "tmux combines with whatever is before the cursor; here with what was printed last"
	zeroWidth     = "tmux keeps characters without width; here only those that belong to a grapheme cluster"
	dropsInvalid  = "tmux drops what is not UTF-8; here it is U+FFFD"
	noC1          = "tmux ignores C1 controls"
	keepsSequence = "tmux goes on with the sequence after a byte that is not of it"
	columns132    = "tmux clears the screen for DECCOLM; here, as in xterm without mode 40, it does nothing"
	clearsAlt     = "tmux clears the alternate screen for 47 too"
)

// recording returns the bytes and marks of a recording.
func recording(t testing.TB, name string) (data []byte, marks []int) {
	t.Helper()
	f, err := os.Open(filepath.Join(recordings, name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(recordings, name+".marks"))
	if err != nil {
		t.Fatal(err)
	}
	for field := range strings.FieldsSeq(string(text)) {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		marks = append(marks, n)
	}
	return data, marks
}

func recordingNames(t testing.TB) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(recordings, "*.gz"))
	if err != nil || len(files) < 15 {
		t.Fatalf("recordings: %d, %v", len(files), err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".gz"))
	}
	return names
}

// screens are rows at marks, as written into files.
type screens map[int][]string

func readScreens(t *testing.T, name string) screens {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(recordings, name+".screens"))
	if err != nil {
		t.Fatal(err)
	}
	all, at := screens{}, 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if n, ok := strings.CutPrefix(line, "=== "); ok {
			at, _ = strconv.Atoi(n)
			continue
		}
		all[at] = append(all[at], line)
	}
	return all
}

func writeScreens(t *testing.T, name string, marks []int, all screens) {
	t.Helper()
	var b strings.Builder
	for _, m := range marks {
		fmt.Fprintf(&b, "=== %d\n%s\n", m, strings.Join(all[m], "\n"))
	}
	if err := os.WriteFile(filepath.Join(recordings, name+".screens"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// unknownIn are the recordings with sequences that we do not know, and their number.
var unknownIn = map[string]int{
	"tmux":         2,  // mode 7727 of mintty
	"vim":          2,  // its questions whether such sequences are shown as text
	"vttest":       2,  // TBC 1 and 2, which no terminal has
	"vttest-vt102": 48, // lines of double width
}

// compare holds our screens at the marks against those of tmux.
func compare(t *testing.T, name string, data []byte, marks []int, want screens) {
	t.Helper()
	term := vt.New(vt.Options{Cols: recCols, Rows: recRows})
	at := 0
	for _, m := range marks {
		term.Write(data[at:m])
		at = m
		key := fmt.Sprintf("%s %d", name, m)
		diff := cmp.Diff(want[m], term.ScreenText())
		reason, listed := tmuxDiffers[key]
		switch {
		case diff != "" && !listed:
			t.Errorf("%q (-tmux +vt):\n%s", key, diff)
		case diff == "" && listed:
			t.Errorf("%q no longer differs (%s)", key, reason)
		}
	}
}

// TestRecordings compares with the screens that tmux showed when they were written.
func TestRecordings(t *testing.T) {
	for _, name := range recordingNames(t) {
		t.Run(name, func(t *testing.T) {
			data, marks := recording(t, name)
			compare(t, name, data, marks, readScreens(t, name))
			term := vt.New(vt.Options{Cols: recCols, Rows: recRows})
			term.Write(data)
			if got := term.Unknown(); got != unknownIn[name] {
				t.Errorf("%d unknown sequences, want %d", got, unknownIn[name])
			}
		})
	}
}

// TestTmux compares with the tmux that is installed, so that the files are what tmux really shows: the last screen of
// each recording, with PI_LONG=1 or -update all.
func TestTmux(t *testing.T) {
	tm := startTmux(t, recCols, recRows)
	for _, name := range recordingNames(t) {
		t.Run(name, func(t *testing.T) {
			data, marks := recording(t, name)
			got := screens{}
			if !*update && os.Getenv("PI_LONG") == "" {
				marks = marks[len(marks)-1:]
			}
			for _, m := range marks {
				got[m] = tm.screen(t, data[:m])
			}
			if *update {
				writeScreens(t, name, marks, got)
			}
			compare(t, name, data, marks, got)
		})
	}
}

// TestTmuxScreens runs the small screens through tmux too.
func TestTmuxScreens(t *testing.T) {
	if os.Getenv("PI_LONG") == "" {
		t.Skip("some minutes: set PI_LONG=1")
	}
	for _, cols := range []int{6, 20} {
		tm := startTmux(t, cols, 4)
		for _, tt := range screenTests {
			if max(tt.cols, 6) != cols || tt.rows != 0 {
				continue
			}
			t.Run(tt.name, func(t *testing.T) {
				got := strings.TrimRight(strings.Join(tm.screen(t, []byte(tt.in)), "|"), "|")
				reason, listed := tmuxDiffersSmall[tt.name]
				switch {
				case got != tt.want && !listed:
					t.Errorf("%q\ntmux %q\nwant %q", tt.in, got, tt.want)
				case got == tt.want && listed:
					t.Errorf("no longer differs (%s)", reason)
				}
			})
		}
	}
}

// tmux is a server of our own, with one window after another.
type tmux struct {
	socket, dir string
	cols, rows  int
	n           int
}

func startTmux(t *testing.T, cols, rows int) *tmux {
	t.Helper()
	testmain.Tool(t, "tmux")
	dir := t.TempDir()
	tm := &tmux{socket: filepath.Join(dir, "s"), dir: dir, cols: cols, rows: rows}
	t.Cleanup(func() { exec.Command("tmux", "-S", tm.socket, "kill-server").Run() })
	conf := filepath.Join(dir, "conf")
	os.WriteFile(conf, []byte("set -g status off\nset -g default-terminal screen-256color\nset -g exit-empty off\nset -g remain-on-exit on\n"), 0o600)
	tm.run(t, "-f", conf, "new-session", "-d", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows), "cat")
	return tm
}

func (tm *tmux) run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("tmux", append([]string{"-u", "-S", tm.socket}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm-256color", "SHELL=/bin/sh")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// screen returns the rows after data was written in a new window. The title, set behind it, tells when tmux has read all.
func (tm *tmux) screen(t *testing.T, data []byte) []string {
	t.Helper()
	tm.n++
	done := fmt.Sprintf("done-%d", tm.n)
	file := filepath.Join(tm.dir, "data")
	all := append(bytes.Clone(data), "\x1b]2;"+done+"\x1b\\"...)
	if err := os.WriteFile(file, all, 0o600); err != nil {
		t.Fatal(err)
	}
	pane := strings.TrimSpace(tm.run(t, "new-window", "-P", "-F", "#{pane_id}", "stty raw -echo; cat '"+file+"'; exec cat >/dev/null"))
	for deadline := time.Now().Add(60 * time.Second); ; {
		if strings.TrimSpace(tm.run(t, "display-message", "-p", "-t", pane, "#{pane_title}")) == done {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("tmux did not get to the end:\n%s", tm.run(t, "capture-pane", "-p", "-t", pane))
		}
		time.Sleep(5 * time.Millisecond) // between two looks
	}
	shown := tm.run(t, "capture-pane", "-p", "-t", pane, ";", "kill-pane", "-t", pane)
	rows := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
	for i, r := range rows {
		rows[i] = strings.TrimRight(r, " ")
	}
	for len(rows) < tm.rows {
		rows = append(rows, "")
	}
	return rows
}
