package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// flagError returns the error for invalid flags, without the internals of the strconv package.
func flagError(c *cobra.Command, err error) error {
	text := err.Error()
	if before, after, ok := strings.Cut(text, "strconv."); ok {
		_, reason, _ := strings.Cut(after, "\": ")
		text = before + reason
	}
	return &ExitError{Code: exitFailure, Err: fmt.Errorf("%s", text), Hint: c.CommandPath() + " --help lists the flags"}
}

// atMost accepts up to n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) <= n:
			return nil
		case n == 0:
			return failf("%s takes no argument, got %q", c.CommandPath(), args[0])
		}
		return failf("%s takes at most %d argument, got %d", c.CommandPath(), n, len(args))
	}
}
