package pty

import "time"

// Every wait and every buffer of the engine has its bound here.
const (
	// drainCap: after the command is done, how long its terminal is read on while somebody else holds it. What the
	// command itself wrote is there already.
	drainCap = 300 * time.Millisecond

	// hangUpPause is what processes need to die of a hang-up.
	hangUpPause = 50 * time.Millisecond

	// endGrace: how long a tree has to clean up between TERM and KILL.
	endGrace = 2 * time.Second

	// endDrainCap bounds the reading after a tree was ended: its members are gone, so the terminal is at its end unless
	// something could not be killed.
	endDrainCap = 300 * time.Millisecond

	// readSize: one read takes at most this many bytes. Linux hands out 4 KiB at a time, seldom more.
	readSize = 64 << 10

	// relayBuffers: one that is read into, one that is worked on, one between.
	relayBuffers = 3

	// nap is how long a gatherer sleeps for more. The kernel's timers are late by 50 µs anyway, in which a program that
	// prints as fast as it can fills the 4 KiB that a terminal of Linux gives at a time.
	nap = time.Microsecond

	// flow is the pause up to which the next piece of a flood is waited for without giving other goroutines this one's
	// place, which costs more than such a pause.
	flow = time.Millisecond

	// gatherMost bounds how long what came first is kept waiting for more.
	gatherMost = 2 * time.Millisecond

	// gatherRoom is how much room there must be for another read: what a terminal of Linux gives at a time.
	gatherRoom = 4 << 10

	// kernelHolds is more than what a terminal of Linux holds, in bytes, which nobody has read yet.
	kernelHolds = 256 << 10

	// maxInput bounds the input that the command has not read yet, in bytes; a paste has room.
	maxInput = 8 << 20

	// feedSize is how much of a stream is typed at a time.
	feedSize = 16 << 10

	// maxReplies bounds the answers to terminal queries among it. A program that asks on and on without reading loses
	// answers, nothing more.
	maxReplies = 16 << 10

	// writeLimit is how long a write waits for the word that there is room before it tries all the same.
	writeLimit = 250 * time.Millisecond

	// endFirst and endLast frame the back-off between looks whether a reader has seen the end of input.
	endFirst = 5 * time.Millisecond
	endLast  = 250 * time.Millisecond
)
