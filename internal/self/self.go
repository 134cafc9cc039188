// Package self finds pi's own program and lists the hidden verbs that it runs itself under.
//
// Some of pi's work needs a process of its own: a guardian, a reader for the output of background jobs, a session
// host, the embedded shell. Each is this program again, started with one of the verbs below as its first argument and,
// often, with private data on a pipe. Both sides must be the same build, so pi must be started from the running
// program and not from whatever its file name stands for by now.
package self

// The hidden verbs: the first argument of a process that pi starts for itself. They are no part of the command line
// and may change in any release.
const (
	Guardian    = "__guardian"        // ends the processes of a pi that was killed (package ps)
	Drain       = "__drain"           // reads the output of background jobs after their command has ended (package run)
	SessionHost = "__host"            // keeps a session alive between calls (package sessiond)
	Shell       = "__shell"           // leads the embedded shell (package shell)
	Interpreter = "__shell-interpret" // interprets the text of an embedded shell (package shell)
)
