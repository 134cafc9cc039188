//go:build unix

package keyview

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyStop has requests to stop, as a shell's job control makes them, sent to c.
func notifyStop(c chan<- os.Signal) { signal.Notify(c, syscall.SIGTSTP) }

// stopSelf stops the process until it is told to go on.
func stopSelf() error {
	goOn := make(chan os.Signal, 1)
	signal.Notify(goOn, syscall.SIGCONT)
	defer signal.Stop(goOn)
	if err := syscall.Kill(os.Getpid(), syscall.SIGSTOP); err != nil {
		return err
	}
	<-goOn // the stop may reach this thread late
	return nil
}
