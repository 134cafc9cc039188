package cmd

import (
	"errors"
	"os/exec"
	"strconv"
)

// exitCode returns the exit status in err as text: "0" for nil, "?" if the program never ran.
func exitCode(err error) string {
	var e *exec.ExitError
	switch {
	case err == nil:
		return "0"
	case errors.As(err, &e):
		return strconv.Itoa(e.ExitCode())
	}
	return "?"
}
