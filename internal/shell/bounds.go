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

	// shortRun is how far two looks at what was born may be apart: much less than it takes to go through all process
	// numbers once.
	shortRun = 100 * time.Millisecond

	// spinWait is how long the end of a run is looked for before anybody goes to sleep over it; a command that is built
	// into the shell takes half of it.
	spinWait = 60 * time.Microsecond

	// shortWait is how long the end of a run is waited for without regard to other goroutines.
	shortWait = time.Millisecond

	// relayFirst and relayMost are the pauses between looks whether a named pipe is at its end, which no system call waits
	// for everywhere; output itself ends a pause.
	relayFirst = time.Millisecond
	relayMost  = 100 * time.Millisecond

	// takeFirst and takeMost are the pauses between looks whether a shell has taken a request from a named pipe.
	takeFirst = 20 * time.Microsecond
	takeMost  = 5 * time.Millisecond

	// fifoYoung is how old a directory of named pipes has to be to be taken for a killed owner's.
	fifoYoung = time.Minute

	// leaveLimit is how long the killed shell of a session may take to be gone.
	leaveLimit = 500 * time.Millisecond

	// readSize: one read takes at most this many bytes. Larger reads gain nothing once the pipe holds 1 MiB.
	readSize = 256 << 10

	// pipeSize is asked of the kernel, so that a fast producer seldom has to wait; the default limit for
	// unprivileged users (fs.pipe-max-size) is the same figure. A refusal leaves the default of 64 KiB.
	pipeSize = 1 << 20

	// maxArg is the longest single argument that Linux takes (MAX_ARG_STRLEN less its NUL); other systems take more.
	maxArg = 131071

	// embeddedStack is what the embedded shell's recursion may use. A level of nesting takes about 4 KiB in the parser
	// and less in the interpreter, so this is some ten thousand levels.
	embeddedStack = 64 << 20

	// lingerFirst and lingerMost are the pauses of the embedded shell between looks at its background jobs; nobody
	// waits for it any more. All pauses up to the longest take less than drainIdle.
	lingerFirst = time.Millisecond
	lingerMost  = 64 * time.Millisecond

	// makeLimit is what the rc files have to get a shell ready; people would not wait longer for a prompt either.
	makeLimit = 2 * time.Second

	// checkLimit bounds all syntax checks of a new snapshot; a file of 5,000 functions takes some 50 ms.
	checkLimit = time.Second

	// lockLimit is how long others wait for the process that takes a snapshot: as long as that may need.
	lockLimit = makeLimit + checkLimit + time.Second

	// keepFor: rc files source others, which nobody watches, so a snapshot is taken anew once a day.
	keepFor = 24 * time.Hour

	// retryAfter is how long rc files that failed are left alone, unless they change.
	retryAfter = 5 * time.Minute

	// dumpLimit is the most that a snapshot may be told; maxVariable, the most that one variable may hold, leaves room
	// below the kernel's 128 KiB; maxSources bounds the files that are looked at before each use.
	dumpLimit   = 16 << 20
	maxVariable = 64 << 10
	maxSources  = 32
)
