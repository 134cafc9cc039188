package shell

import "time"

// Every wait of the engine has its bound here.
const (
	// drainIdle: after the shell is done, how long the pipe may stay silent before the result is due. Data that the
	// foreground wrote is in the pipe already, so this only waits for writers that are still at work.
	drainIdle = 250 * time.Millisecond

	// drainCap: the longest that a chatty background job can hold the result back.
	drainCap = 2 * time.Second

	// endGrace: how long a tree has to clean up between TERM and KILL.
	endGrace = 2 * time.Second

	// endDrainIdle and endDrainCap bound the reading after a tree was ended. Its members are gone, so the pipe is
	// at its end unless something could not be killed; timeout + 3 s is the promise for the whole call.
	endDrainIdle = 50 * time.Millisecond
	endDrainCap  = 300 * time.Millisecond

	// readSize: one read takes at most this many bytes. Larger reads gain nothing once the pipe holds 1 MiB.
	readSize = 256 << 10

	// pipeSize is asked of the kernel, so that a fast producer seldom has to wait; the default limit for
	// unprivileged users (fs.pipe-max-size) is the same figure. A refusal leaves the default of 64 KiB.
	pipeSize = 1 << 20

	// maxArg is the longest single argument that Linux takes (MAX_ARG_STRLEN less its NUL); other systems take more.
	maxArg = 131071
)
