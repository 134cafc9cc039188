package snapshot

import "time"

const (
	// makeLimit is how long the rc files may take; people would not wait longer for a prompt either.
	makeLimit = 2 * time.Second

	// checkLimit bounds all syntax checks of a new snapshot; a file of 5,000 functions takes some 50 ms.
	checkLimit = time.Second

	// lockLimit is how long others wait for the process that takes a snapshot: as long as that may need.
	lockLimit = makeLimit + checkLimit + time.Second

	// keepFor: rc files source others, which the cache does not watch, so a snapshot is taken again once a day.
	keepFor = 24 * time.Hour

	// retryAfter is how long rc files that failed are not tried again, unless they change.
	retryAfter = 5 * time.Minute

	// dumpLimit is the most that a shell may print of itself, in bytes. maxVariable, the most that one variable may hold in
	// bytes, stays below the kernel's 128 KiB. maxSources bounds the files that are checked before each use.
	dumpLimit   = 16 << 20
	maxVariable = 64 << 10
	maxSources  = 32
)
