// Package ps knows which processes belong together, starts a command so that its whole tree can be ended later,
// and ends trees. It is the only place in pi that sends signals.
//
// A tree is a process and everything it started, including what changed its session or process group, was
// re-parented, was forked by a thread or ignores polite signals. Two promises hold: after [Tree.End] nothing of the
// tree is left, unless the report says so, and nothing outside the tree is ever signalled. A pid alone proves
// nothing, since the kernel hands numbers out again: every signal goes to a process whose start time was checked,
// and on Linux through a pidfd, so no number can change hands in between.
//
// On Linux pi is a child subreaper: orphans of a command come back to pi and cannot hide. A guardian process, started
// once a command has lived for a while, ends what is left when pi itself is killed. On Windows a job object gives
// both. On other systems there is no subreaper; docs/internals/ending-trees.md names what that leaves open.
package ps

import (
	"os"
	"syscall"
)

// MarkerName is the environment variable that every started command carries. Its value is a comma-separated list of
// run ids, the innermost last: a pi inside a pi adds its own.
const MarkerName = "PI_RUN"

// Command says what to start. The environment is taken as it is, apart from [MarkerName].
type Command struct {
	Path string   // program file; no PATH search
	Args []string // whole argument vector, Args[0] included
	Env  []string // KEY=VALUE; nil means an empty environment
	Dir  string   // working directory; empty means pi's own

	// Descriptors 0, 1 and 2 of the command; nil means the null device. Start does not close them.
	Stdin, Stdout, Stderr *os.File

	// Guard puts the tree under the guardian before Start returns, instead of after a while: for commands that live long,
	// and whose children must not outlive a pi that is killed at any moment.
	Guard bool

	// Extra becomes descriptor 3; nil means that the command gets none. Not on Windows.
	Extra *os.File

	// Terminal says that Stdin is a terminal that is nobody's yet: it becomes the controlling terminal of the command's
	// session. [Tree.End] then tells the tree, too, that it is hung up, since interactive shells do not heed SIGTERM. Not
	// on Windows.
	Terminal bool

	// Console is the pseudo-console (HPCON) that the command gets instead of the descriptors; 0 is none. Windows only.
	Console uintptr
}

// State is how a leader ended.
type State struct {
	ExitCode int            // exit status; -1 when a signal ended it
	Signal   syscall.Signal // the signal that ended it, or 0
}

// Report is what ending a tree came to.
type Report struct {
	Signalled int // processes that got at least one signal
	Survivors int // processes still alive when the bounds ran out; 0 means that nothing is left
}

// Process describes one process of a tree.
type Process struct {
	PID     int
	PPID    int
	Depth   int    // steps below the root of the listing, the root being 0
	Command string // command line with blanks between arguments, or the program's name in brackets
}
