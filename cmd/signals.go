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

// endSignals are the signals that end a run, in the way the command's tree is ended at a timeout.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// errSignal is the cause of a context that a signal has ended.
type errSignal struct{ sig syscall.Signal }

func (e errSignal) Error() string { return "ended by signal " + e.sig.String() }

// interrupts gives a context that the first end signal cancels, and a channel that the second closes: the way to say
// "now". Signals that were ignored when pi was started (nohup, a script's `&`) stay ignored. SIGPIPE becomes an
// error of the write that met it, so that a run whose reader has gone away is still ended in order.
func interrupts() (ctx context.Context, hurry <-chan struct{}, stop func()) {
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

// takeEndSignals has the end signals that are not ignored sent to got, until release is called.
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

// signalsTaken is how many takers the end signals have.
var signalsTaken atomic.Int32

// quitQuietly has SIGQUIT end pi while nobody takes it: left to the runtime, it prints every goroutine.
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

// exitReaderGone is what SIGPIPE would have made of pi.
const exitReaderGone = 128 + 13

// cancelStatus returns the exit status of a cancelled run: that of the signal which ended it, or of the one that the
// presenter's reason is like.
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
