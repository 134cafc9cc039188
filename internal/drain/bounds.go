package drain

import "time"

const (
	// settleIdle is how long the pipe must be silent after the shell has exited. Data that the foreground wrote is in the
	// pipe already, so this only waits for writers that are still active.
	settleIdle = 250 * time.Millisecond

	// settleCap is the longest that a chatty background job can delay the result.
	settleCap = 2 * time.Second

	// killedIdle and killedCap bound the drain after the process tree was killed. Its members are gone, so the pipe is at
	// end of file unless a process could not be killed. The promise for the whole call is timeout + 3 s.
	killedIdle = 50 * time.Millisecond
	killedCap  = 300 * time.Millisecond

	// ReadSize is the most that one read takes, in bytes. Larger reads gain nothing once the pipe holds 1 MiB.
	ReadSize = 256 << 10

	// pipeSize is the buffer size to request, so that a fast producer seldom waits. It equals the default limit for
	// unprivileged users (fs.pipe-max-size). If the kernel refuses, the buffer keeps its default of 64 KiB.
	pipeSize = 1 << 20
)
