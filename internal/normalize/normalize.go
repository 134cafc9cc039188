// Package normalize turns a command's trailing `| head -n N` or `| tail -n N` into a line limit
// that pi applies itself, and takes away the white space around the command.
//
// The guarantee: running the resulting command and applying the limits to its standard output
// gives the bytes that the shell would have given for the original. Where that cannot be shown
// from the parsed text the command stays as it is, and the shell's own head or tail does the work.
// Nothing is ever printed back from a syntax tree: the result is a slice of the input.
package normalize

import (
	"strings"

	"pi/internal/shelltext"
)

// Limits are line limits taken from a command. Zero means none; at most one of them is set.
type Limits struct {
	Head int // keep the first Head lines of standard output, then end the producer
	Tail int // keep the last Tail lines of standard output
}

// Result is a normalised command.
type Result struct {
	// Command is the text to run: a slice of the input without outer white space and, when
	// Rewritten, without the pipeline's last stage.
	Command string
	// Limits holds what the removed stage did; zero unless Rewritten.
	Limits Limits
	// Rewritten tells that a stage was taken off.
	Rewritten bool
}

// Command normalises one command text. It never fails: text that it does not understand only
// loses its outer white space. Safe for concurrent use.
func Command(text string) Result {
	text = trim(text)
	pipe := strings.LastIndexByte(text, '|')
	if pipe < 0 {
		return Result{Command: text}
	}
	limits, ok := stage(text[pipe+1:])
	if !ok {
		return Result{Command: text}
	}
	// The cheap look at the end says yes; only now is a parser worth its cost.
	if file, ok := shelltext.Parse(text); !ok || !separable(text, file, pipe) {
		return Result{Command: text}
	}
	return Result{Command: trimRight(text[:pipe]), Limits: limits, Rewritten: true}
}
