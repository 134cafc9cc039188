// Package cmd is the command line: flags, help texts and exit statuses, one file a subcommand.
// It translates words into calls of the packages below and prints what they answer.
package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Exit statuses of pi itself; a command's own status passes through unchanged.
const (
	exitTimeout = 124 // the command ran into its timeout
	exitFailure = 125 // pi's own failure: usage, configuration, working directory, spawn
	exitBlocked = 126 // an interception rule blocked the command
)

// Env is the outside world of a command. Commands touch nothing else.
type Env struct {
	Args    []string // without the program's name
	Stdin   *os.File
	Stdout  io.Writer
	Stderr  io.Writer
	Environ []string // KEY=VALUE, as os.Environ gives it
}

// ExitError is an error with the exit status that goes with it.
type ExitError struct {
	Code int
	Err  error  // nil: already reported
	Hint string // way out, printed on its own line; may be empty
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.Code)
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// failf is pi's own failure, exit status 125.
func failf(format string, args ...any) error {
	return &ExitError{Code: exitFailure, Err: fmt.Errorf(format, args...)}
}

// report prints err the way users see every error, and gives its exit status.
func (env *Env) report(err error) int {
	if err == nil {
		return 0
	}
	var e *ExitError
	if !errors.As(err, &e) {
		e = &ExitError{Code: exitFailure, Err: err}
	}
	if e.Err != nil {
		fmt.Fprintf(env.Stderr, "pi: %v\n", e.Err)
	}
	if e.Hint != "" {
		fmt.Fprintf(env.Stderr, "pi: hint: %s\n", e.Hint)
	}
	return e.Code
}
