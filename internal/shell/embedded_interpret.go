package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// interpret runs a command text and gives its status, and what waits for the background jobs that are still at work.
// A text that does not parse runs not at all and gives 2.
func interpret(text string, stdin, stdout, stderr *os.File) (code int, linger func()) {
	linger = func() {}
	// Parser and interpreter recurse without a bound of their own. Running out of stack cannot be recovered, but the
	// leader makes a plain message of it.
	debug.SetMaxStack(embeddedStack)
	debug.SetTraceback("none")
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "sh")
	if err != nil {
		fmt.Fprintln(stderr, syntaxMessage(err))
		return 2, linger
	}
	forceClobber(file)
	deepenLevel()
	calls := newCalls()
	r, err := interp.New(interp.StdIO(stdin, stdout, stderr), interp.CallHandler(calls.call),
		interp.ExecHandlers(calls.exec), interp.OpenHandler(open))
	if err != nil {
		fmt.Fprintf(stderr, "sh: %v\n", err)
		return 126, linger
	}
	return status(r.Run(context.Background(), file), stderr), calls.linger
}

func syntaxMessage(err error) string {
	var at syntax.ParseError
	if errors.As(err, &at) {
		return fmt.Sprintf("sh: line %d: syntax error: %s", at.Pos.Line(), at.Text)
	}
	return strings.Replace(err.Error(), "sh:", "sh: line ", 1)
}

func status(err error, stderr *os.File) int {
	var code interp.ExitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintf(stderr, "sh: %v\n", err)
	return 1
}

// deepenLevel counts this shell in SHLVL, which only speaks of nested shells.
func deepenLevel() {
	n, _ := strconv.Atoi(os.Getenv("SHLVL"))
	_ = os.Setenv("SHLVL", strconv.Itoa(max(n, 0)+1))
}

// forceClobber makes `>|` a plain `>`: the interpreter does not know it, nor the option that it overrides.
func forceClobber(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if rd, ok := n.(*syntax.Redirect); ok && rd.Op == syntax.RdrClob {
			rd.Op = syntax.RdrOut
		}
		return true
	})
}

// linger waits until nothing but the caller is at work. Background jobs, also those of subshells, and what feeds here-
// documents and process substitutions are goroutines; there is no other list of them all. What nobody has opened by
// and by is released, before a caller would take it for a job that goes on.
func (c *calls) linger() {
	for pause := lingerFirst; runtime.NumGoroutine() > 1; pause = min(2*pause, lingerMost) {
		time.Sleep(pause)
		if pause == lingerMost {
			c.releaseAll()
		}
	}
}
