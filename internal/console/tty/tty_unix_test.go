//go:build linux || darwin

package tty

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// Signals of job control that come together leave the process going, in whichever order they are passed on.
func TestGoOnWithin(t *testing.T) {
	const stop, goOn = syscall.SIGTSTP, syscall.SIGCONT
	for _, tt := range []struct {
		name    string
		signals []os.Signal
		over    bool
		want    bool
	}{
		{"nothing", nil, false, false},
		{"another stop", []os.Signal{stop, syscall.SIGWINCH}, false, false},
		{"go on", []os.Signal{goOn}, false, true},
		{"pairs", []os.Signal{stop, goOn, stop, goOn}, false, true},
		{"by number", []os.Signal{goOn, stop, goOn, stop}, false, true},
		{"the end", nil, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, quit := make(chan os.Signal, 8), make(chan struct{})
			for _, s := range tt.signals {
				got <- s
			}
			if tt.over {
				close(quit)
			}
			if going := (jobSignals{got, quit}).goOnWithin(beforeStop); going != tt.want || len(got) != 0 {
				t.Errorf("going on: %v, want %v; %d signals are left", going, tt.want, len(got))
			}
		})
	}
}

// The end of the watch does not wait for a SIGCONT that never comes.
func TestWaitForGoOnEnds(t *testing.T) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		(jobSignals{make(chan os.Signal), quit}).goOnWithin(-1)
		close(done)
	}()
	close(quit)
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("still waiting")
	}
}
