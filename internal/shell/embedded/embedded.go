// Package embedded is the shell for machines without any other: a bash-like interpreter (mvdan.cc/sh) that is part of pi.
//
// It runs in its own processes, so that everything that kills, limits or watches a real shell works on it too. The leader
// takes the place of a shell's process: it starts the interpreter, takes its status as soon as the foreground is done, and
// exits with it. The interpreter continues while background jobs, which are its goroutines, are running, as the jobs of a
// real shell outlive the shell.
package embedded

import "pi/internal/self"

// Name is the shell.path that selects the embedded shell.
const Name = "embedded"

// What follows the hidden verb of either process: the command text as an argument, or the word that says it comes through a
// descriptor.
const (
	textGiven = "-c"
	textPiped = "-"
)

// Path returns the program to start as the embedded shell: pi itself.
func Path() (string, error) { return self.Path() }

// Args returns the argument vector that runs a command text.
func Args(text string) []string { return []string{"sh", self.Shell, textGiven, text} }

// ArgsPiped returns the argument vector for a command text that comes through standard input; descriptor 3 is then the
// command's standard input. Not on Windows.
func ArgsPiped() []string { return []string{"sh", self.Shell, textPiped} }

// RunHidden runs this process as a part of the embedded shell if its arguments, without the program's name, say so. Call it
// first thing in main; code is the status to exit with.
func RunHidden(args []string) (handled bool, code int) {
	switch {
	case len(args) < 2:
		return false, 0
	case args[0] == self.Shell:
		return true, lead(args[1:])
	case args[0] == self.Interpreter:
		return true, interpretMain(args[1:])
	}
	return false, 0
}
