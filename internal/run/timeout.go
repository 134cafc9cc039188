package run

import (
	"fmt"
	"strconv"
	"time"
)

// The range of a command's timeout. Values outside are clamped, with a warning.
const (
	MinTimeout     = time.Second
	MaxTimeout     = time.Hour
	DefaultTimeout = 300 * time.Second
)

// unlimited means no timeout: a century.
const unlimited = 100 * 365 * 24 * time.Hour

// TimeoutOf returns the timeout of a request, given the configured one, clamped to the allowed range.
func TimeoutOf(q Request, usual time.Duration) time.Duration {
	d, _ := clampTimeout(q.timeout(usual))
	return d
}

// timeout returns the timeout of the request, or else the usual one.
func (q Request) timeout(usual time.Duration) time.Duration {
	if q.timed() {
		return q.Timeout
	}
	return usual
}

// timed reports whether the request names a timeout.
func (q Request) timed() bool { return q.Timeout != 0 || q.TimeoutSet }

// clampTimeout clamps d to the allowed range. The warning is empty if d was within it.
func clampTimeout(d time.Duration) (time.Duration, string) {
	c := min(max(d, MinTimeout), MaxTimeout)
	if c == d {
		return d, ""
	}
	return c, fmt.Sprintf("timeout of %s s clamped to %s s (allowed: %s to %s s)",
		seconds(d), seconds(c), seconds(MinTimeout), seconds(MaxTimeout))
}

// seconds formats d in seconds, without trailing zeros.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}
