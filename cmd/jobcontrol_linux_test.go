package cmd

import (
	"syscall"
	"testing"
	"time"
)

// SIGTSTP followed at once by SIGCONT leaves pi running and able to handle SIGTERM.
func TestStopThenContinue(t *testing.T) {
	for _, tt := range []struct {
		name, up string
		args     []string
	}{
		{"shell", "~ $", []string{"shell"}},
		{"overlay", "│up", []string{"pty", "--", "echo up; sleep 1000"}},
		{"view", "Ctrl-C cancels", []string{"run", "--", "echo up; sleep 1000"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sit(t, 80, 24, tt.args...)
			p.reads(tt.up)
			for i := range 60 {
				p.signal(syscall.SIGTSTP)
				time.Sleep(time.Duration(i%3) * time.Millisecond) // the order is certain, or not
				p.signal(syscall.SIGCONT)
				time.Sleep(time.Duration(i%5) * time.Millisecond)
			}
			p.signal(syscall.SIGTERM)
			p.leaves(143)
		})
	}
}
