package embedded

import "time"

const (
	// maxStack is what the recursion of parser and interpreter may use, in bytes. A level of nesting takes about 4 KiB in
	// the parser and less in the interpreter, so this is some ten thousand levels.
	maxStack = 64 << 20

	// pollFirst and pollMost are the pauses between checks for background jobs once the foreground is done; nobody waits for
	// this process any more. All pauses up to the longest take less than the drain after a run.
	pollFirst = time.Millisecond
	pollMost  = 64 * time.Millisecond

	// faultLimit is how much of the runtime's last words is read, in bytes; the first lines say what happened.
	faultLimit = 4 << 10
)
