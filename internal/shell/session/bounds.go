package session

import "time"

const (
	// forkCheck is the longest time between two checks for forks that can be trusted: much less than it takes to go through
	// all process numbers once.
	forkCheck = 100 * time.Millisecond

	// spinWait is how long to wait for the end of a run without sleeping; a shell builtin takes half of it.
	spinWait = 60 * time.Microsecond

	// shortWait is how long to wait for the end of a run while blocking other goroutines' processor slot.
	shortWait = time.Millisecond

	// relayFirst and relayMost are the pauses between checks for the end of a named pipe, which not every system can poll
	// for; output itself ends a pause.
	relayFirst = time.Millisecond
	relayMost  = 100 * time.Millisecond

	// takenFirst and takenMost are the pauses between checks whether a shell has read a request from a named pipe.
	takenFirst = 20 * time.Microsecond
	takenMost  = 5 * time.Millisecond

	// staleDir is how old a directory of named pipes must be to count as that of a killed owner.
	staleDir = time.Minute

	// exitLimit is how long the killed shell of a session may take to be gone.
	exitLimit = 500 * time.Millisecond

	// pipeSize is the buffer size to request for output pipes, as for one-shot runs.
	pipeSize = 1 << 20
)
