// Package console is what a person sees and types: the view of a tool call, the prompt of `pi shell` with its command
// views, and the overlay that shows a program in a pseudo-terminal.
//
// It draws and reads keys, and knows no process: it receives a run's events and results, and passes on what the person
// wants through small interfaces. Package tty owns the user's terminal. Colours are those of the
// terminal's own palette, without a background, so that light and dark themes both work. Nothing is drawn more often
// than 60 times a second, and only when something changed.
package console

import (
	"io"
	"time"
)

// Screen is where views draw: the user's terminal.
type Screen interface {
	io.Writer
	// Size returns columns and rows, both at least 1.
	Size() (cols, rows int)
	// Foreground reports whether pi may draw on the terminal: a background job must not.
	Foreground() bool
}

// frameTime is the minimum time between two frames.
const frameTime = time.Second / 60

// Synchronized output (mode 2026): terminals that support it show everything between the two at once; others ignore them.
const (
	beginFrame = "\x1b[?2026h"
	endFrame   = "\x1b[?2026l"
)
