package embedded

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

// interpret runs a command text and returns its status, and a function that waits for the background jobs which are still
// running. Of a text that does not parse nothing runs, and the status is 2.
func interpret(text string, stdin, stdout, stderr *os.File) (code int, waitJobs func()) {
	waitJobs = func() {}
	// Parser and interpreter recurse without a bound of their own. A stack overflow cannot be recovered from, but the leader
	// turns it into a plain message.
	debug.SetMaxStack(maxStack)
	debug.SetTraceback("none")
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "sh")
	if err != nil {
		fmt.Fprintln(stderr, syntaxMessage(err))
		return 2, waitJobs
	}
	plainClobber(file)
	incrementSHLVL()
	calls := newCalls()
	r, err := interp.New(interp.StdIO(stdin, stdout, stderr), interp.CallHandler(calls.call),
		interp.ExecHandlers(calls.exec), interp.OpenHandler(open))
	if err != nil {
		fmt.Fprintf(stderr, "sh: %v\n", err)
		return 126, waitJobs
	}
	return status(r.Run(context.Background(), file), stderr), calls.wait
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

// incrementSHLVL counts this shell in SHLVL.
func incrementSHLVL() {
	n, _ := strconv.Atoi(os.Getenv("SHLVL"))
	_ = os.Setenv("SHLVL", strconv.Itoa(max(n, 0)+1))
}

// plainClobber turns `>|` into `>`: the interpreter knows neither it nor the option that it overrides.
func plainClobber(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if rd, ok := n.(*syntax.Redirect); ok && rd.Op == syntax.RdrClob {
			rd.Op = syntax.RdrOut
		}
		return true
	})
}

// wait waits until this goroutine is the only one. Background jobs, those of subshells too, and the writers of here-documents
// and process substitutions are goroutines; there is no other list of them all. Pipes that nobody has opened for a while are
// released, before a caller takes their writer for a background job.
func (c *calls) wait() {
	for pause := pollFirst; runtime.NumGoroutine() > 1; pause = min(2*pause, pollMost) {
		time.Sleep(pause)
		if pause == pollMost {
			c.releaseAll()
		}
	}
}
