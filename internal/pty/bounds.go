package pty

import "time"

// The limits of every wait and every buffer of the engine.
const (
	// drainCap is how long to read on after the command is done while another process holds the terminal. The
	// command's own output is already there.
	drainCap = 300 * time.Millisecond

	// hangUpPause is the time that processes need to die of SIGHUP.
	hangUpPause = 50 * time.Millisecond

	// endGrace is the grace period between SIGTERM and SIGKILL.
	endGrace = 2 * time.Second

	// endDrainCap bounds the reading after a tree was killed: its members are gone, so the terminal is at end of file unless
	// a process could not be killed.
	endDrainCap = 300 * time.Millisecond

	// readSize is the size of a read buffer, in bytes. Linux returns 4 KiB at a time, rarely more.
	readSize = 64 << 10

	// relayBuffers is the number of buffers: one being read into, one being processed, one in between.
	relayBuffers = 3

	// nap is how long gather sleeps for more output. Kernel timers are late by 50 µs anyway, in which a program that
	// prints at full speed fills the 4 KiB that a Linux terminal returns at a time.
	nap = time.Microsecond

	// flow is the longest pause in a flood of output that is spent waiting without yielding to other goroutines,
	// which would cost more than the pause.
	flow = time.Millisecond

	// gatherMost bounds how long the first bytes wait for more.
	gatherMost = 2 * time.Millisecond

	// gatherRoom is the space required for another read: what a Linux terminal returns at a time.
	gatherRoom = 4 << 10

	// kernelHolds is larger than the kernel's buffer of unread terminal output, in bytes.
	kernelHolds = 256 << 10

	// maxInput bounds the input not yet read by the command, in bytes. It has room for a paste.
	maxInput = 8 << 20

	// feedSize is how much of a stream is written at a time, in bytes.
	feedSize = 16 << 10

	// maxReplies bounds the replies to terminal queries in it. A program that keeps querying without reading loses
	// replies, nothing more.
	maxReplies = 16 << 10

	// writeLimit is how long a write waits for the terminal to become writable before it tries anyway.
	writeLimit = 250 * time.Millisecond

	// endFirst and endLast bound the back-off between checks whether a reader has seen the end of input.
	endFirst = 5 * time.Millisecond
	endLast  = 250 * time.Millisecond
)
