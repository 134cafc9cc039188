//go:build !linux

package ps

import "time"

// An exitMonitor would wait for the death of a few processes; without pidfds it only passes the time.
type exitMonitor struct{}

func newExitMonitor([]proc) *exitMonitor { return new(exitMonitor) }

func (*exitMonitor) over(limit time.Duration) bool {
	time.Sleep(limit)
	return false
}

func (*exitMonitor) close() {}
