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

// unlimited stands for no timeout: a century.
const unlimited = 100 * 365 * 24 * time.Hour

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
