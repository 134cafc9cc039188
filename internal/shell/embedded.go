package shell

import "pi/internal/self"

// The embedded shell is for machines without any other: a bash-like interpreter (mvdan.cc/sh) that is part of pi.
//
// It runs in processes of its own, so that everything that ends, limits or watches a real shell does the same to it.
// The leader stands where a shell's process would stand: it starts the interpreter, takes its status as soon as the
// foreground is done, and ends with that. The interpreter stays while background jobs, which are goroutines of it,
// are at work, as the jobs of a real shell outlive the shell.

// EmbeddedName is the shell.path that asks for the embedded shell.
const EmbeddedName = "embedded"

// Embedded is the shell that is part of pi; its Path is pi's own program.
const Embedded Kind = "embedded"

// What follows the hidden verb of either process: the command text as an argument, or the word that it comes through a descriptor.
const (
	textGiven = "-c"
	textPiped = "-"
)

func embedded() (Shell, error) {
	path, err := self.Path()
	return Shell{path, Embedded}, err
}

// RunHidden runs this process as a part of the embedded shell when its arguments, without the program's name, say so.
// It must be called first thing in main; code is the status to exit with.
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
