package cmd

import (
	"os"

	"pi/internal/ps"
	"pi/internal/run"
	"pi/internal/self"
	"pi/internal/sessiond"
	"pi/internal/shell/embedded"
)

// runHidden runs this process under a hidden verb of package self. It comes before any flag is parsed: these processes
// must be small and start fast. None of them prints, except for the embedded shell.
func runHidden(args []string) (code int, done bool) {
	if len(args) == 0 {
		return 0, false
	}
	switch args[0] {
	case self.Drain:
		self.SetProcessName(self.Name())
		return hiddenStatus(run.Drain(os.Stdin)), true
	case self.SessionHost:
		self.SetProcessName(self.Name())
		return hiddenStatus(sessiond.Serve(os.Stdin, newBuildInfo().String())), true
	}
	if done, code = embedded.RunHidden(args); done {
		return code, true
	}
	done, code = ps.RunHidden(args)
	return code, done
}

func hiddenStatus(err error) int {
	if err != nil {
		return exitFailure
	}
	return 0
}
