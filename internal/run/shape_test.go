package run

import (
	"testing"

	"pi/internal/sink"
)

func intp(n int) *int { return &n }

func TestShapeRunText(t *testing.T) {
	cut := sink.Summary{Text: "8\n9\n", TotalLines: 9, TotalBytes: 18, OutputLines: 2, OutputBytes: 4, Truncated: true,
		TruncatedBy: "lines", Direction: "tail", ShownStart: 8, ShownEnd: 9, ArtifactID: "7"}
	bytes := cut
	bytes.TruncatedBy, bytes.ArtifactID = "bytes", ""
	for _, tt := range []struct {
		name string
		d    Details
		s    sink.Summary
		want string
	}{
		{"success", Details{Status: OK, ExitCode: intp(0)}, sink.Summary{Text: "a\n", TotalBytes: 2}, "a\n"},
		{"nothing printed", Details{Status: OK, ExitCode: intp(0)}, sink.Summary{}, "(no output)"},
		{"failure", Details{Status: Failed, ExitCode: intp(3)}, sink.Summary{Text: "a\n", TotalBytes: 2}, "a\n\nCommand exited with code 3"},
		{"failure without a final newline", Details{Status: Failed, ExitCode: intp(3)}, sink.Summary{Text: "a", TotalBytes: 1}, "a\n\nCommand exited with code 3"},
		{"failure, nothing printed", Details{Status: Failed, ExitCode: intp(1)}, sink.Summary{}, "(no output)\n\nCommand exited with code 1"},
		{"no status", Details{Status: Failed}, sink.Summary{Text: "a\n", TotalBytes: 2}, "a\n\nCommand failed: missing exit status"},
		{"timeout", Details{Status: TimedOut, TimeoutSeconds: 1.5}, sink.Summary{Text: "a\n", TotalBytes: 2}, "a\n\nCommand timed out after 1.5 seconds"},
		{"cancelled", Details{Status: Cancelled}, sink.Summary{Text: "a\n", TotalBytes: 2}, "a\n\nCommand cancelled"},
		{"cut by lines", Details{Status: OK, ExitCode: intp(0)}, cut, "8\n9\n\n[Showing lines 8-9 of 9. Full output: artifact://7]"},
		{"cut by bytes, no artifact, failed", Details{Status: Failed, ExitCode: intp(2)}, bytes,
			"8\n9\n\n[Showing lines 8-9 of 9 (50 KB limit). The rest was not kept]\n\nCommand exited with code 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := shapeRun(tt.d, tt.s, 51200)
			if got := r.Content[0].Text; got != tt.want {
				t.Errorf("text %q, want %q", got, tt.want)
			}
			if r.Body != tt.s.Text || r.IsError != (tt.d.Status != OK) || r.Details.Warnings == nil {
				t.Errorf("body %q, isError %v, warnings %v", r.Body, r.IsError, r.Details.Warnings)
			}
			if (r.Details.Meta != nil) != tt.s.Truncated {
				t.Errorf("meta %+v", r.Details.Meta)
			}
		})
	}
}

func TestExitStatus(t *testing.T) {
	for _, tt := range []struct {
		d    Details
		want int
	}{
		{Details{Status: OK}, 0}, {Details{Status: Failed, ExitCode: intp(42)}, 42}, {Details{Status: Failed}, 125},
		{Details{Status: TimedOut}, 124}, {Details{Status: Blocked}, 126}, {Details{Status: Error}, 125},
	} {
		if got := (Result{Details: tt.d}).ExitStatus(); got != tt.want {
			t.Errorf("ExitStatus(%s) = %d, want %d", tt.d.Status, got, tt.want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int]string{51200: "50 KB", 1024: "1 KB", 1000: "1000 bytes"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
}
