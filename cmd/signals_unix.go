//go:build unix

package cmd

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyPipe takes SIGPIPE from the Go runtime, which would end pi when it writes to a closed standard output.
func notifyPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
