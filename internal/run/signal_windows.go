package run

import "syscall"

func signalName(s syscall.Signal) string { return s.String() }
