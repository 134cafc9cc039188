package console

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pi/internal/run"
	"pi/internal/sink"
	"pi/internal/vt"
)

var sizes = []struct{ cols, rows int }{{80, 24}, {120, 40}, {40, 10}, {20, 5}}

// numbered is a text of n lines.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func TestToolViewFrames(t *testing.T) {
	for _, size := range sizes {
		for _, tt := range []struct{ name, command, text string }{
			{"quiet", "make test", ""},
			{"short", "make test", numbered(3)},
			{"long", "for d in */; do\n\tmake -C $d all install clean && echo $d is done\ndone\necho one\necho two", numbered(300)},
			{"wide", "echo 漢字テスト漢字テスト漢字テスト", strings.Repeat("漢字かな\ttab 👍🏽\n", 4) + strings.Repeat("漢", 100)},
		} {
			name := fmt.Sprintf("tool/%s-%dx%d.txt", tt.name, size.cols, size.rows)
			user := newEmulator(size.cols, size.rows)
			v := NewToolView(user, ToolOptions{})
			v.call, v.began = run.Details{Command: tt.command, TimeoutSeconds: 300}, time.Now()
			v.state = sink.Snapshot{Text: tt.text, TotalLines: int64(len(lines(tt.text)))}
			v.region.draw(v.frame(size.cols, size.rows, v.began.Add(72*time.Second)), size.cols)
			golden(t, name, user.screen())
		}
	}
}

// result is a result for views.
func result(status run.Status, code int, body string, notices ...string) run.Result {
	d := run.Details{Status: status, Command: "make test", TimeoutSeconds: 300, DurationMs: 12_345}
	if status == run.OK || status == run.Failed {
		d.ExitCode = &code
	}
	d.TimedOut, d.Cancelled = status == run.TimedOut, status == run.Cancelled
	return run.Result{Body: body, Notices: notices, Details: d}
}

// results are the ways in which a run ends, for goldens.
func results() map[string]run.Result {
	id := "7"
	cut := result(run.OK, 0, numbered(30), "[Showing …]")
	cut.Details.Meta = &run.Meta{Truncation: run.Truncation{Direction: "tail", TruncatedBy: "bytes", TotalLines: 100000, ShownRange: run.Range{Start: 99971, End: 100000}, MaxBytes: 51200, ArtifactID: &id}}
	lost := result(run.OK, 0, numbered(30), "[Showing …]")
	lost.Details.Meta = &run.Meta{Truncation: run.Truncation{Direction: "tail", TruncatedBy: "lines", TotalLines: 100000, ShownRange: run.Range{Start: 99971, End: 100000}}}
	warned := result(run.OK, 0, "out\n")
	warned.Details.Warnings = []string{"background jobs still hold the output (4711 sleep 5); their output continues in artifact://7"}
	return map[string]run.Result{
		"ok": result(run.OK, 0, numbered(4)), "quiet": result(run.OK, 0, "", noOutput), "failed": result(run.Failed, 3, numbered(4), "Command exited with code 3"),
		"timeout": result(run.TimedOut, 0, numbered(4), "Command timed out after 300 seconds"), "cancelled": result(run.Cancelled, 0, "", noOutput, "Command cancelled"),
		"long": result(run.OK, 0, numbered(50)), "cut": cut, "lost": lost, "warned": warned,
		"blank": result(run.OK, 0, "top\n"+strings.Repeat(" \n", 30)), "blank-long": result(run.OK, 0, numbered(30)+strings.Repeat("\n", 30)),
		"clamped": result(run.OK, 0, strings.Repeat("x", 4500)+"\nend\n"),
	}
}

func kept(run.Result) (string, error) { return "9", nil }

func TestResults(t *testing.T) {
	for name, r := range results() {
		for _, cols := range []int{80, 40} {
			user := newEmulator(cols, 200)
			user.raw = false
			fmt.Fprint(user, ToolOptions{Keep: kept}.result(r, cols))
			golden(t, fmt.Sprintf("tool/result-%s-%d.txt", name, cols), user.screen())
			user = newEmulator(cols, 200)
			user.raw = false
			text, _ := ShellOptions{Keep: kept}.bangResult(r, cols, false)
			fmt.Fprint(user, text)
			golden(t, fmt.Sprintf("bang/result-%s-%d.txt", name, cols), user.screen())
		}
		user := newEmulator(60, 200)
		user.raw = false
		fmt.Fprint(user, Profile{}.Transcript(r, 60))
		golden(t, "overlay/transcript-"+name+".txt", user.screen())
	}
}

// What a view hides is in an artifact; what cannot be kept is not hidden.
func TestNothingIsHiddenThatIsNotKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := result(run.OK, 0, anyText(true).Draw(t, "body"))
		cols := rapid.IntRange(20, 100).Draw(t, "cols")
		whole := strings.TrimSuffix(r.Body, "\n")
		broken := func(run.Result) (string, error) { return "", errors.New("the disk is full") }
		bang, _ := ShellOptions{Keep: broken}.bangResult(r, cols, false)
		for _, text := range []string{ToolOptions{}.result(r, cols), ToolOptions{Keep: broken}.result(r, cols), bang} {
			if !strings.Contains(text, whole) {
				t.Fatalf("%q lacks %q", text, whole)
			}
		}
		bang, cut := ShellOptions{Keep: kept}.bangResult(r, cols, false)
		if !strings.Contains(bang, whole) != cut || cut != strings.Contains(bang, "artifact://9") {
			t.Fatalf("cut is %v: %q", cut, bang)
		}
		if text := (ToolOptions{Keep: kept}).result(r, cols); !strings.Contains(text, whole) && !strings.Contains(text, "artifact://9") {
			t.Fatalf("something of %q is hidden: %q", r.Body, text)
		}
	})
}

func TestBangFrames(t *testing.T) {
	for _, size := range sizes {
		for _, state := range []string{"running", "expanded", "ending"} {
			user := newEmulator(size.cols, size.rows)
			v := newBangView(user, Profile{}, nil, time.Now())
			v.state = sink.Snapshot{Text: numbered(30), TotalLines: 30}
			v.expanded, v.ending = state == "expanded", state == "ending"
			v.region.draw(v.frame(size.cols, size.rows, v.began.Add(5*time.Second)), size.cols)
			golden(t, fmt.Sprintf("bang/%s-%dx%d.txt", state, size.cols, size.rows), user.screen())
		}
	}
}

// A region that is drawn again and again leaves what is above it alone, and nothing of itself behind.
func TestRegionIsDrawnInPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, height := rapid.IntRange(10, 40).Draw(t, "cols"), rapid.IntRange(6, 20).Draw(t, "height")
		user := newEmulator(cols, height)
		fmt.Fprint(user, "above\r\n")
		g := region{out: user}
		var rows []row
		for range rapid.IntRange(1, 8).Draw(t, "frames") {
			rows = nil
			for range rapid.IntRange(0, height-2).Draw(t, "rows") {
				text := strings.ReplaceAll(anyText(false).Draw(t, "row"), "\u200b", "")
				rows = append(rows, plainRow(wrap(text, cols)[0]))
			}
			g.draw(rows, cols)
		}
		want := "above\n"
		for _, r := range rows {
			want += strings.TrimRight(r.text, " ") + "\n"
		}
		if got := user.screen(); strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
			t.Fatalf("got %q, want %q", got, want)
		}
		g.clear(cols)
		if got := user.screen(); got != "above\n" {
			t.Fatalf("after clear: %q", got)
		}
	})
}

// A frame in which nothing has changed costs a few bytes.
func TestUnchangedRowsAreNotDrawn(t *testing.T) {
	user := newEmulator(80, 24)
	g := region{out: user}
	rows := []row{plainRow("one"), plainRow("two"), plainRow("three")}
	g.draw(rows, 80)
	user.wrote = 0
	g.draw([]row{rows[0], rows[1], plainRow("four")}, 80)
	if user.wrote > 50 {
		t.Errorf("%d bytes for one row", user.wrote)
	}
}

// What turns the direction of text on a terminal is shown, wherever output is.
func TestViewsShowMarksOfDirection(t *testing.T) {
	const text = "a\u202e\u2066b\u2069\u202c\n"
	r := result(run.OK, 0, text)
	bang, _ := ShellOptions{}.bangResult(r, 80, false)
	expanded, _ := ShellOptions{}.bangResult(r, 80, true)
	tool := NewToolView(newEmulator(80, 24), ToolOptions{})
	tool.state = sink.Snapshot{Text: text}
	atPrompt := newBangView(newEmulator(80, 24), Profile{}, nil, time.Now())
	atPrompt.state = tool.state
	prog := vt.New(vt.Options{Cols: 78, Rows: 22})
	fmt.Fprint(prog, text)
	box := string((&painter{}).frame(prog, frame{cols: 80, rows: 24, anew: true}))
	for name, shown := range map[string]string{
		"tool": ToolOptions{}.result(r, 80), "tool, running": fmt.Sprint(tool.frame(80, 24, time.Now())),
		"bang": bang, "bang, expanded": expanded, "bang, running": fmt.Sprint(atPrompt.frame(80, 24, time.Now())),
		"transcript": Profile{}.Transcript(r, 80), "overlay": box,
	} {
		if strings.ContainsAny(shown, "\u202c\u202e\u2066\u2069") {
			t.Errorf("%s: %q", name, shown)
		}
		if name != "overlay" && !strings.Contains(shown, "a\uFFFD\uFFFDb\uFFFD\uFFFD") {
			t.Errorf("%s: %q shows no marks", name, shown)
		}
	}
}
