package run

import (
	"testing"
	"time"
)

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
