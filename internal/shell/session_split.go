package shell

import (
	"context"
	"os"
	"strings"
)

// Splits tells whether [Session.RunSplit] can run a command now so that nobody sees a difference: the shell must not
// have options on that act on, or print, the text around the command, no words are put before it, and the system must
// have a way to give the shell a second output.
func (s *Session) Splits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return canSplit && s.spec.Prefix == "" && s.cancel == nil && (s.live == nil || !strings.ContainsAny(s.last.flags, "envx"))
}

// RunSplit is [Session.Run] for a command that is a pipeline's beginning: it runs in a subshell, as it would in the
// pipeline, and its standard output is a pipe of its own. out takes both streams, from a goroutine each; when it gives
// false for one the stream's reading end is closed, so that its writers get SIGPIPE. Ask [Session.Splits] before.
func (s *Session) RunSplit(ctx context.Context, o RunOptions, out func(Stream, []byte) bool) (RunResult, error) {
	outs, err := openPipes(false)
	if err != nil {
		return RunResult{}, err
	}
	outs.read(out)
	// The newline ends a comment; the blank keeps a command that begins with a parenthesis from looking like arithmetic.
	o.Command = "( " + o.Command + "\n) >|" + splitPath(outs[0].w)
	r, err := s.Run(ctx, o, func(p []byte) { out(Stderr, p) })
	outs.closeWriters()
	if err != nil || r.TimedOut || r.Cancelled {
		<-outs.drain(endDrainIdle, endDrainCap)
		outs.closeReaders()
		return r, err
	}
	<-outs.drain(drainIdle, drainCap)
	held := outs.held()
	if f := r.Held[Stdout]; f != nil {
		if held == nil {
			held = map[Stream]*os.File{}
		}
		held[Stderr] = f
	}
	r.Held = held
	return r, nil
}
