package run

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// The range of a command's timeout. Values outside are clamped, with a warning.
const (
	MinTimeout     = time.Second
	MaxTimeout     = time.Hour
	DefaultTimeout = 300 * time.Second
)

// unlimited stands for no timeout: a century.
const unlimited = 100 * 365 * 24 * time.Hour

// ParseTimeout reads seconds ("90", "1.5") or a Go duration ("2m30s"). Negative and unreadable values are errors; the
// range is not checked here.
func ParseTimeout(s string) (time.Duration, error) {
	if f, err := strconv.ParseFloat(s, 64); err == nil && !math.IsNaN(f) {
		if f < 0 {
			return 0, fmt.Errorf("timeout %q is negative", s)
		}
		// Beyond the range of a Duration every value is the same to the clamp.
		return time.Duration(min(f, 1e9) * float64(time.Second)), nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("timeout %q is neither seconds (90, 1.5) nor a duration (2m30s)", s)
	}
	if d < 0 {
		return 0, fmt.Errorf("timeout %q is negative", s)
	}
	return d, nil
}

// TimeoutOf is the timeout that a request has where the configured one is usual.
func TimeoutOf(q Request, usual time.Duration) time.Duration {
	d, _ := clampTimeout(q.timeout(usual))
	return d
}

// timeout is what the request asks for, or else what is usual.
func (q Request) timeout(usual time.Duration) time.Duration {
	if q.timed() {
		return q.Timeout
	}
	return usual
}

// timed tells whether the request names a timeout.
func (q Request) timed() bool { return q.Timeout != 0 || q.TimeoutSet }

// clampTimeout brings d into the range; the warning is empty when it was inside.
func clampTimeout(d time.Duration) (time.Duration, string) {
	c := min(max(d, MinTimeout), MaxTimeout)
	if c == d {
		return d, ""
	}
	return c, fmt.Sprintf("timeout of %s s clamped to %s s (allowed: %s to %s s)",
		seconds(d), seconds(c), seconds(MinTimeout), seconds(MaxTimeout))
}

// seconds writes d in seconds, without needless digits.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}
