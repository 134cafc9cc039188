package cmd

import (
	"os"

	"pi/internal/ps"
	"pi/internal/run"
	"pi/internal/shell"
)

// runHidden is the way in for the processes that pi starts of itself. It comes before any flag is looked at: they
// must be small and quick. None of them prints, the embedded shell apart.
func runHidden(args []string) (code int, done bool) {
	if len(args) == 0 {
		return 0, false
	}
	if args[0] == run.DrainArg {
		if err := run.Drain(os.Stdin); err != nil {
			return exitFailure, true
		}
		return 0, true
	}
	if done, code = shell.RunHidden(args); done {
		return code, true
	}
	done, code = ps.RunHidden(args)
	return code, done
}
