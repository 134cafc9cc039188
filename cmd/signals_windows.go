package cmd

func notifyPipe() {} // Windows has no SIGPIPE
