//go:build !linux

package vt_test

import (
	"testing"
	"time"
)

// cpuTime returns the time that f takes.
func cpuTime(_ testing.TB, f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
