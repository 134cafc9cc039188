package cmd

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"pi/internal/present"
)

// endSignals are the signals that cancel a run: the command's tree is killed as at a timeout.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// errSignal is the cause of a context that a signal has cancelled.
type errSignal struct{ sig syscall.Signal }

func (e errSignal) Error() string { return "killed by signal " + e.sig.String() }

// interrupts returns a context that the first end signal cancels, and a channel that the second one closes, to force
// the end. Signals that were ignored when pi was started (nohup, a script's `&`) stay ignored. SIGPIPE becomes an
// error of the write that caused it, so that the run is cleaned up when its reader has closed the pipe.
func interrupts() (ctx context.Context, force <-chan struct{}, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	got, release := takeEndSignals()
	second, done := make(chan struct{}), make(chan struct{})
	go func() {
		var once sync.Once
		for {
			select {
			case s := <-got:
				if ctx.Err() != nil {
					once.Do(func() { close(second) })
				}
				cancel(errSignal{s.(syscall.Signal)})
			case <-done:
				return
			}
		}
	}()
	return ctx, second, func() {
		release()
		close(done)
	}
}

// takeEndSignals sends end signals to got until release is called. Ignored signals stay ignored.
func takeEndSignals() (got <-chan os.Signal, release func()) {
	to := make(chan os.Signal, 4)
	for _, s := range endSignals {
		if !signal.Ignored(s) {
			signal.Notify(to, s)
		}
	}
	notifyPipe()
	signalsTaken.Add(1)
	return to, func() {
		signalsTaken.Add(-1)
		signal.Stop(to)
	}
}

// signalsTaken counts the callers of takeEndSignals that have not released yet.
var signalsTaken atomic.Int32

// quitQuietly makes SIGQUIT end pi while nobody handles it. By default the Go runtime prints every goroutine.
func quitQuietly() {
	if signal.Ignored(syscall.SIGQUIT) {
		return
	}
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGQUIT)
	go func() {
		for range got {
			if signalsTaken.Load() == 0 {
				os.Exit(128 + int(syscall.SIGQUIT))
			}
		}
	}()
}

// exitReaderGone is the exit status of a program that SIGPIPE killed.
const exitReaderGone = 128 + 13

// cancelStatus returns the exit status of a cancelled run. A presenter that cancels counts as the corresponding
// signal.
func cancelStatus(ctx context.Context) int {
	cause := context.Cause(ctx)
	var e errSignal
	switch {
	case errors.As(cause, &e):
		return 128 + int(e.sig)
	case errors.Is(cause, present.ErrOutputClosed):
		return exitReaderGone
	case errors.Is(cause, present.ErrHangup):
		return 128 + int(syscall.SIGHUP)
	case errors.Is(cause, present.ErrInterrupt):
		return 128 + int(syscall.SIGINT)
	}
	return exitFailure
}
