package run

import (
	"strings"
	"testing"
	"time"
)

func TestParseTimeout(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want time.Duration
		err  string
	}{
		{"90", 90 * time.Second, ""}, {"1.5", 1500 * time.Millisecond, ""}, {"0", 0, ""}, {"2m30s", 150 * time.Second, ""},
		{"500ms", 500 * time.Millisecond, ""}, {"1e3", 1000 * time.Second, ""}, {"1e300", 1e9 * time.Second, ""}, {"Inf", 1e9 * time.Second, ""},
		{"-1", 0, "negative"}, {"-2s", 0, "negative"}, {"-Inf", 0, "negative"}, {"", 0, "neither"}, {"NaN", 0, "neither"},
		{"soon", 0, "neither"}, {"5 s", 0, "neither"}, {"1h!", 0, "neither"},
	} {
		got, err := ParseTimeout(tt.in)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) || got != tt.want {
			t.Errorf("ParseTimeout(%q) = %v, %v; want %v, %q", tt.in, got, err, tt.want, tt.err)
		}
	}
}

func TestClampTimeout(t *testing.T) {
	for _, tt := range []struct {
		in, want time.Duration
		warning  string
	}{
		{time.Second, time.Second, ""}, {time.Hour, time.Hour, ""}, {1500 * time.Millisecond, 1500 * time.Millisecond, ""},
		{0, time.Second, "timeout of 0 s clamped to 1 s (allowed: 1 to 3600 s)"},
		{2 * time.Hour, time.Hour, "timeout of 7200 s clamped to 3600 s (allowed: 1 to 3600 s)"},
	} {
		if got, w := clampTimeout(tt.in); got != tt.want || w != tt.warning {
			t.Errorf("clampTimeout(%v) = %v, %q; want %v, %q", tt.in, got, w, tt.want, tt.warning)
		}
	}
}
