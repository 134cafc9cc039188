package present

import (
	"strings"
	"testing"
)

func TestNewPlan(t *testing.T) {
	pipe := Streams{}
	terminal := Streams{In: true, Out: true, Err: true}
	dumb := Streams{In: true, Out: true, Err: true, Dumb: true}
	stdinPiped := Streams{Out: true, Err: true}
	stdoutPiped := Streams{In: true, Err: true}
	stderrPiped := Streams{In: true, Out: true}
	for _, tt := range []struct {
		name    string
		options Options
		streams Streams
		want    Plan
		warning string // part of the plan's
	}{
		{"pipe", Options{}, pipe, Plan{View: Text}, ""},
		{"terminal", Options{}, terminal, Plan{View: ToolView}, ""},
		{"terminal with standard error elsewhere", Options{}, stderrPiped, Plan{View: ToolView}, ""},
		{"dumb terminal", Options{}, dumb, Plan{View: Stream}, ""},
		{"dumb terminal, limited", Options{Limited: true}, dumb, Plan{View: Text}, ""},
		{"standard input piped to the command", Options{Stdin: true}, stdinPiped, Plan{View: ToolView}, ""},
		{"terminal shared with the command", Options{Stdin: true}, terminal, Plan{View: Stream, InPlace: true}, ""},
		{"terminal shared with the command, limited", Options{Stdin: true, Limited: true}, terminal, Plan{View: Text}, ""},
		{"dumb but standard output is piped", Options{}, Streams{In: true, Dumb: true}, Plan{View: Text}, ""},

		{"stream to a pipe", Options{Stream: true}, pipe, Plan{View: Stream}, ""},
		{"stream to a terminal", Options{Stream: true}, terminal, Plan{View: Stream, InPlace: true}, ""},
		{"stream to a dumb terminal", Options{Stream: true}, dumb, Plan{View: Stream}, ""},

		{"json", Options{Format: FormatJSON}, terminal, Plan{View: JSON}, ""},
		{"events", Options{Format: FormatEvents}, terminal, Plan{View: Events}, ""},

		{"pty on a terminal", Options{PTY: true}, terminal, Plan{View: Overlay, PTY: true}, ""},
		{"pty on a terminal, standard input forwarded anyway", Options{PTY: true, Stdin: true}, terminal, Plan{View: Overlay, PTY: true}, ""},
		{"pty on a dumb terminal", Options{PTY: true}, dumb, Plan{View: Lines, PTY: true}, ""},
		{"pty without a terminal", Options{PTY: true}, pipe, Plan{View: Text}, "standard input is not a terminal"},
		{"pty with standard output piped", Options{PTY: true}, stdoutPiped, Plan{View: Text}, "standard output is not a terminal"},
		{"pty, json, on a terminal", Options{PTY: true, Format: FormatJSON}, terminal, Plan{View: JSON, PTY: true}, ""},
		{"pty, json, without a terminal", Options{PTY: true, Format: FormatJSON}, pipe, Plan{View: JSON}, "standard input is not a terminal"},
		{"pty, streamed, on a terminal", Options{PTY: true, Stream: true}, terminal, Plan{View: Stream, PTY: true, InPlace: true}, ""},
		{"pty forbidden by the environment", Options{PTY: true, BanPTY: true}, terminal, Plan{View: ToolView}, "PI_NO_PTY is 1"},
		{"headless pty forbidden by the environment", Options{PTY: true, Headless: true, BanPTY: true}, pipe, Plan{View: Text}, "PI_NO_PTY is 1"},

		{"headless", Options{PTY: true, Headless: true}, pipe, Plan{View: Text, PTY: true}, ""},
		{"headless on a terminal", Options{PTY: true, Headless: true}, terminal, Plan{View: Text, PTY: true}, ""},
		{"headless with input", Options{PTY: true, Headless: true, Stdin: true}, pipe, Plan{View: Text, PTY: true, FeedInput: true}, ""},
		{"headless, json, with input", Options{PTY: true, Headless: true, Stdin: true, Format: FormatJSON}, pipe, Plan{View: JSON, PTY: true, FeedInput: true}, ""},
		{"headless, streamed", Options{PTY: true, Headless: true, Stream: true}, pipe, Plan{View: Stream, PTY: true}, ""},

		{"setting, on a terminal", Options{PreferPTY: true}, terminal, Plan{View: Overlay, PTY: true}, ""},
		{"setting, without a terminal", Options{PreferPTY: true}, pipe, Plan{View: Text}, ""},
		{"setting, forbidden by the environment", Options{PreferPTY: true, BanPTY: true}, terminal, Plan{View: ToolView}, ""},
		{"setting, json", Options{PreferPTY: true, Format: FormatJSON}, terminal, Plan{View: JSON}, ""},
		{"setting, streamed", Options{PreferPTY: true, Stream: true}, terminal, Plan{View: Stream, InPlace: true}, ""},
		{"setting, with input", Options{PreferPTY: true, Stdin: true}, terminal, Plan{View: Stream, InPlace: true}, ""},
		{"setting, refused in the call", Options{PreferPTY: true, NoPTY: true}, terminal, Plan{View: ToolView}, ""},
		{"setting, in a session", Options{PreferPTY: true, Session: true}, terminal, Plan{View: ToolView}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.options.Format == "" {
				tt.options.Format = FormatText
			}
			got, err := NewPlan(tt.options, tt.streams)
			if err != nil {
				t.Fatal(err)
			}
			if got.RepeatNotices == tt.streams.Err {
				t.Errorf("RepeatNotices is %v", got.RepeatNotices)
			}
			if (got.Warning != "") != (tt.warning != "") || !strings.Contains(got.Warning, tt.warning) {
				t.Errorf("warning %q, want %q", got.Warning, tt.warning)
			}
			got.RepeatNotices, got.Warning = false, ""
			if got != tt.want {
				t.Errorf("plan %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestNewPlanRefuses(t *testing.T) {
	for _, tt := range []struct {
		options Options
		want    string
	}{
		{Options{Format: "xml"}, `--output "xml": must be text, json or stream-json`},
		{Options{PTY: true, NoPTY: true}, "--pty and --no-pty cannot be used together"},
		{Options{PTY: true, Session: true}, "--pty cannot be used with --session: a session has no terminal"},
		{Options{Stream: true, Limited: true}, "--stream cannot be used with --head or --tail"},
		{Options{Stream: true, Format: FormatJSON}, "--stream prints text; for events use --output stream-json without --stream"},
	} {
		if tt.options.Format == "" {
			tt.options.Format = FormatText
		}
		if _, err := NewPlan(tt.options, Streams{}); err == nil || err.Error() != tt.want {
			t.Errorf("%+v: error %v, want %s", tt.options, err, tt.want)
		}
	}
}
