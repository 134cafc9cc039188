package keyview

import "os"

// notifyStop does nothing, since Windows has no job control.
func notifyStop(chan<- os.Signal) {}

func stopSelf() error { return nil }
