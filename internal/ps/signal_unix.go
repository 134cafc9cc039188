//go:build unix

package ps

import (
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	sigCont = syscall.SIGCONT
	sigStop = syscall.SIGSTOP
)

// defaultSignals makes sure that nothing is ignored in a child forked before undo is called. That a signal is ignored
// survives exec, a handler does not: so every ignored signal gets a handler that does nothing, for the moment, and pi
// itself goes on ignoring it. nohup ignores SIGHUP, a script's `&` SIGINT, a Python parent SIGPIPE.
func defaultSignals() (undo func()) {
	var list []os.Signal
	for n := syscall.Signal(1); n <= lastSignal; n++ {
		if ignored(n) {
			list = append(list, n)
		}
	}
	if list == nil {
		return func() {}
	}
	drop := make(chan os.Signal, 1)
	signal.Notify(drop, list...)
	return func() {
		signal.Ignore(list...)
		signal.Stop(drop)
	}
}

// signalName gives a signal's name without SIG, or "" for numbers that have none.
func signalName(n int) string {
	return strings.TrimPrefix(unix.SignalName(syscall.Signal(n)), "SIG")
}
