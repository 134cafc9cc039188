package session

import (
	"context"
	"os"
	"strings"

	"pi/internal/drain"
	"pi/internal/shell"
)

// Splits reports whether [Session.RunSplit] can run a command now without a visible difference: no option of the shell may act
// on, or print, the text around the command, there must be no prefix, and the system must be able to give the shell a second
// output.
func (s *Session) Splits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return canSplit && s.spec.Shell.Dialect.Language == shell.POSIX && s.spec.Prefix == "" && s.cancel == nil && (s.proc == nil || !strings.ContainsAny(s.last.flags, "envx"))
}

// RunSplit is [Session.Run] for the first command of a pipeline: it runs in a subshell, as it would in the pipeline, and its
// standard output has a pipe of its own. out receives both streams, each from its own goroutine; if it returns false the reading
// end of the stream is closed, so that its writers get SIGPIPE. Call it only if [Session.Splits] reports true.
func (s *Session) RunSplit(ctx context.Context, o Options, out func(drain.Stream, []byte) bool) (Result, error) {
	outs, err := drain.Open(false)
	if err != nil {
		return Result{}, err
	}
	outs.Read(out)
	// The newline ends a comment; the blank keeps a command that begins with a parenthesis from looking like arithmetic.
	o.Command = "( " + o.Command + "\n) >|" + splitPath(outs[0].Writer)
	r, err := s.Run(ctx, o, func(p []byte) { out(drain.Stderr, p) })
	outs.CloseWriters()
	if err != nil || r.TimedOut || r.Cancelled {
		outs.Finish()
		return r, err
	}
	outs.Settle(context.Background(), nil)
	held := outs.Held()
	if f := r.Held[drain.Stdout]; f != nil {
		if held == nil {
			held = map[drain.Stream]*os.File{}
		}
		held[drain.Stderr] = f
	}
	r.Held = held
	return r, nil
}
