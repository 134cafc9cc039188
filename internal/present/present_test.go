package present

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"

	"pi/internal/run"
	"pi/internal/sink"
)

func id(s string) *string { return &s }

// What each presenter of text and JSON writes for the same results.
func TestFinish(t *testing.T) {
	ok := run.Result{Body: "out\n", Details: run.Details{Status: run.OK, Warnings: []string{"odd"}}}
	failed := run.Result{Body: "out", Notices: []string{"Command exited with code 3"}, Details: run.Details{Status: run.Failed}}
	empty := run.Result{Notices: []string{"(no output)"}, Details: run.Details{Status: run.OK}}
	fault := run.Result{Notices: []string{"no shell"}, Details: run.Details{Status: run.Error}}
	cut := run.Result{Body: "b\n", Notices: []string{"[Showing lines 2-2 of 2]"}, Details: run.Details{Status: run.OK,
		Meta: &run.Meta{Truncation: run.Truncation{TotalLines: 2, ArtifactID: id("7")}}}}
	for _, tt := range []struct {
		name     string
		plan     Plan
		colors   Colors
		result   run.Result
		out, err string
	}{
		{"text", Plan{View: Text}, false, ok, "out\n", "pi: warning: odd\n"},
		{"text, coloured", Plan{View: Text}, true, ok, "out\n", "\x1b[33mpi: warning:\x1b[0m odd\n"},
		{"text, failed", Plan{View: Text}, false, failed, "out", "Command exited with code 3\n"},
		{"text, failed, coloured", Plan{View: Text}, true, failed, "out", "\x1b[31mCommand exited with code 3\x1b[0m\n"},
		{"text, no output", Plan{View: Text}, true, empty, "", "\x1b[2m(no output)\x1b[0m\n"},
		{"text, pi's own failure", Plan{View: Text}, false, fault, "", "pi: no shell\n"},
		{"text, truncated", Plan{View: Text}, false, cut, "b\n", "[Showing lines 2-2 of 2]\n"},
		{"stream, truncated", Plan{View: Stream}, false, cut, "", "[2 lines. Full output: artifact://7]\n"},
		{"stream, the last line ends on a terminal", Plan{View: Stream, InPlace: true}, false, failed, "\n", "Command exited with code 3\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			p := New(tt.plan, Output{Out: &out, Err: &errs, Colors: tt.colors})
			p.Prepare(new(run.Request))
			if err := p.Finish(tt.result); err != nil {
				t.Fatal(err)
			}
			if out.String() != tt.out || errs.String() != tt.err {
				t.Errorf("wrote %q and %q, want %q and %q", out.String(), errs.String(), tt.out, tt.err)
			}
		})
	}
}

func TestJSONAndEvents(t *testing.T) {
	var one, many bytes.Buffer
	r := run.Result{Details: run.Details{Status: run.OK, Command: "a<b"}}
	if err := New(Plan{View: JSON}, Output{Out: &one}).Finish(r); err != nil {
		t.Fatal(err)
	}
	if s := one.String(); !strings.HasPrefix(s, `{"content":`) || !strings.Contains(s, `"command":"a<b"`) || strings.Count(s, "\n") != 1 {
		t.Errorf("the object is %s", s)
	}
	p := New(Plan{View: Events}, Output{Out: &many})
	var q run.Request
	p.Prepare(&q)
	q.Live.Start(run.Details{Command: "make", Cwd: "/", TimeoutSeconds: 300})
	q.Live.Update(sink.Snapshot{Text: "x", TotalLines: 1, TotalBytes: 1})
	if err := p.Finish(r); err != nil {
		t.Fatal(err)
	}
	want := `{"type":"start","command":"make","cwd":"/","timeoutSeconds":300}
{"type":"update","text":"x","totalLines":1,"totalBytes":1}
{"type":"result",` + one.String()[1:]
	if many.String() != want {
		t.Errorf("the events are\n%swant\n%s", many.String(), want)
	}
}

// A line that grows is printed once; a line that is overwritten is redrawn on a terminal, and follows on a new line elsewhere.
func TestStreamLines(t *testing.T) {
	long := strings.Repeat("x", maxUnfinished+1)
	for _, tt := range []struct {
		name                  string
		events                []string // "~" begins an unfinished line, anything else is committed text
		want, wantOnATerminal string
	}{
		{"whole lines", []string{"a\nb\n", "c\n"}, "a\nb\nc\n", "a\nb\nc\n"},
		{"a prompt", []string{"~name? ", "name? me\n"}, "name? me\n", "name? me\n"},
		{"a line that grows", []string{"~1", "~12", "12\n"}, "12\n", "12\n"},
		{"a line that is overwritten", []string{"~10%", "~20%", "done\n"}, "10%\ndone\n", "10%\r\x1b[K20%\r\x1b[Kdone\n"},
		{"a long line waits for its end", []string{"~" + long, long + "\n"}, long + "\n", long + "\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, inPlace := range []bool{false, true} {
				var out bytes.Buffer
				var q run.Request
				p := New(Plan{View: Stream, InPlace: inPlace}, Output{Out: &out, Err: &out})
				p.Prepare(&q)
				for _, e := range tt.events {
					if line, unfinished := strings.CutPrefix(e, "~"); unfinished {
						q.Live.Partial([]byte(line))
					} else {
						q.Live.Text([]byte(e))
					}
				}
				want := tt.want
				if inPlace {
					want = tt.wantOnATerminal
				}
				if out.String() != want || !q.NoNormalize {
					t.Errorf("in place %v: wrote %q, want %q; NoNormalize %v", inPlace, out.String(), want, q.NoNormalize)
				}
			}
		})
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// A reader that closes the pipe ends the run, and is not an error.
func TestClosedOutputCancels(t *testing.T) {
	for _, view := range []View{Stream, Events} {
		ctx, cancel := context.WithCancelCause(context.Background())
		var errs bytes.Buffer
		var q run.Request
		p := New(Plan{View: view}, Output{Out: closedPipe{}, Err: &errs, Cancel: cancel})
		p.Prepare(&q)
		if view == Stream {
			q.Live.Text([]byte("x\n"))
		} else {
			q.Live.Start(run.Details{})
		}
		if !errors.Is(context.Cause(ctx), ErrOutputClosed) {
			t.Errorf("view %d: the cause is %v", view, context.Cause(ctx))
		}
		if err := p.Finish(run.Result{}); err != nil {
			t.Errorf("view %d: %v", view, err)
		}
	}
}

func TestNewColors(t *testing.T) {
	for _, tt := range []struct {
		mode, env string
		terminal  bool
		want      Colors
	}{
		{"auto", "TERM=xterm", true, true},
		{"auto", "TERM=xterm", false, false},
		{"auto", "TERM=dumb", true, false},
		{"auto", "NO_COLOR=1", true, false},
		{"auto", "NO_COLOR=", true, true},
		{"always", "NO_COLOR=1", false, true},
		{"never", "TERM=xterm", true, false},
	} {
		if got := NewColors(tt.mode, []string{tt.env}, tt.terminal); got != tt.want {
			t.Errorf("%+v: got %v", tt, got)
		}
	}
}
