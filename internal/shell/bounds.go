package shell

import "time"

const (
	// KillGrace is how long a process tree has to clean up between TERM and KILL.
	KillGrace = 2 * time.Second

	// maxArg is the longest single argument that Linux takes (MAX_ARG_STRLEN less its NUL); other systems take more.
	maxArg = 131071
)
