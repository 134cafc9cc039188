package pty

import "time"

// Every wait and every buffer of the engine has its bound here.
const (
	// drainCap: after the command is done, how long its terminal is read on while somebody else holds it. What the
	// command itself wrote is there already.
	drainCap = 300 * time.Millisecond

	// endGrace: how long a tree has to clean up between TERM and KILL.
	endGrace = 2 * time.Second

	// endDrainCap bounds the reading after a tree was ended: its members are gone, so the terminal is at its end unless
	// something could not be killed.
	endDrainCap = 300 * time.Millisecond

	// readSize: one read takes at most this many bytes. Linux hands out 4 KiB at a time, seldom more.
	readSize = 64 << 10

	// maxInput bounds the input that the command has not read yet, in bytes; a paste has room.
	maxInput = 8 << 20

	// feedSize is how much of a stream is typed at a time.
	feedSize = 16 << 10

	// maxReplies bounds the answers to terminal queries among it. A program that asks on and on without reading loses
	// answers, nothing more.
	maxReplies = 16 << 10

	// writeLimit is how long one write may wait before the writer looks whether it is wanted any more.
	writeLimit = 250 * time.Millisecond

	// endFirst and endLast frame the back-off between looks whether a reader has seen the end of input.
	endFirst = 5 * time.Millisecond
	endLast  = 250 * time.Millisecond
)
