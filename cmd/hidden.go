package cmd

import (
	"os"

	"pi/internal/ps"
	"pi/internal/run"
	"pi/internal/sessiond"
	"pi/internal/shell"
)

// runHidden is the way in for the processes that pi starts of itself. It comes before any flag is looked at: they
// must be small and quick. None of them prints, the embedded shell apart.
func runHidden(args []string) (code int, done bool) {
	if len(args) == 0 {
		return 0, false
	}
	switch args[0] {
	case run.DrainArg:
		return hiddenStatus(run.Drain(os.Stdin)), true
	case sessiond.Arg:
		return hiddenStatus(sessiond.Serve(os.Stdin, newBuildInfo().String())), true
	}
	if done, code = shell.RunHidden(args); done {
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
