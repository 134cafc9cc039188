// Package cmd is the command line: flags, help texts and exit statuses, one file per subcommand.
// It translates arguments into calls of other packages and prints their results.
package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"

	"pi/internal/self"
)

// Exit statuses of pi itself; a command's own status passes through unchanged.
const (
	exitTimeout = 124 // the command ran into its timeout
	exitFailure = 125 // pi failed: usage, configuration, working directory, spawn
	exitBlocked = 126 // an interception rule blocked the command
)

// Env is the environment of a command: arguments, standard streams, variables. Commands use no other.
type Env struct {
	Name    string   // what the program is called; "" for self.Name()
	Args    []string // without the program name
	Stdin   *os.File
	Stdout  io.Writer
	Stderr  io.Writer
	Environ []string // KEY=VALUE, like os.Environ
}

// ExitError is an error with an exit status.
type ExitError struct {
	Code int
	Err  error  // nil: already reported
	Hint string // how to fix it, printed on its own line; may be empty
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.Code)
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// failf returns an error of pi itself, with exit status 125.
func failf(format string, args ...any) error {
	return &ExitError{Code: exitFailure, Err: fmt.Errorf(format, args...)}
}

// report prints err and its hint on standard error, and returns the exit status.
func (env *Env) report(err error) int {
	if err == nil {
		return 0
	}
	var e *ExitError
	if !errors.As(err, &e) {
		e = &ExitError{Code: exitFailure, Err: err}
	}
	if e.Err != nil {
		env.notef("%v", e.Err)
	}
	if e.Hint != "" {
		env.notef("hint: %s", Rename(e.Hint, self.Name()))
	}
	return e.Code
}

// notef prints a line to standard error, after the name of the program.
func (env *Env) notef(format string, args ...any) {
	fmt.Fprintf(env.Stderr, self.Name()+": "+format+"\n", args...)
}
