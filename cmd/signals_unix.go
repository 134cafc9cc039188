//go:build unix

package cmd

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyPipe takes SIGPIPE away from the runtime, which would end pi at a write to a closed standard output.
func notifyPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
