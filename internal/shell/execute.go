package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"pi/internal/ps"
)

// Stream tells the two outputs of a split run apart; a run with one pipe is all Stdout.
type Stream uint8

// The streams of a command.
const (
	Stdout Stream = iota
	Stderr
)

// Spec is one command to run. The zero values of optional fields are usable.
type Spec struct {
	Shell   Shell
	Prefix  string        // put before the command text with a blank; may be empty
	Command string        // shell text of any length, without NUL
	Dir     string        // absolute working directory
	Env     []string      // the whole environment, KEY=VALUE
	Stdin   *os.File      // nil: /dev/null
	Timeout time.Duration // counted from the start of the shell; must be positive
	Split   bool          // standard error on a pipe of its own

	// Snapshot is a script that the shell sources first, see [Snapshot.Script]; may be empty.
	Snapshot string

	// Output takes what the command prints, in order; p is valid only during the call. It is called from one
	// goroutine a stream, and never after Execute has returned. When it gives false the stream is closed at once,
	// so that its writers get SIGPIPE, as behind a head(1) that has seen enough. Must not be nil.
	Output func(s Stream, p []byte) bool

	// Hurry, when closed, cuts the grace between TERM and KILL short. May be nil.
	Hurry <-chan struct{}
}

// End says how a command ended.
type End struct {
	ExitCode  int            // the shell's status; meaningless when TimedOut or Cancelled
	Signal    syscall.Signal // that ended the shell itself, or 0
	TimedOut  bool
	Cancelled bool
	Survivors int // members of the tree that could not be killed

	// Background are the processes that a normally ended command left running.
	Background []ps.Process
	// Held are the reading ends of pipes that background processes still hold, by stream. The caller owns them: as
	// soon as they are closed, the next write of such a process fails.
	Held map[Stream]*os.File
	// Warnings are faults that did not stop the run.
	Warnings []string
}

// Execute runs one command in a fresh shell and waits until it is done, its timeout is over or ctx ends; in the
// latter two cases the whole tree is ended before the call returns, at most endGrace plus a second later.
// An error means that nothing was run.
func Execute(ctx context.Context, spec Spec) (End, error) {
	if err := ctx.Err(); err != nil {
		return End{Cancelled: true}, nil
	}
	outs, err := openPipes(spec.Split)
	if err != nil {
		return End{}, fmt.Errorf("create output pipe: %w", err)
	}
	tree, err := start(spec, outs)
	outs.closeWriters()
	if err != nil {
		outs.closeReaders()
		return End{}, fmt.Errorf("start %s: %w", spec.Shell.Path, err)
	}
	outs.read(spec.Output)
	end := await(ctx, spec, tree, outs)
	end.Warnings = append(end.Warnings, tree.Warnings()...)
	return end, nil
}

// await lets the command run to one of its three ends and collects the rest of its output.
func await(ctx context.Context, spec Spec, tree *ps.Tree, outs pipes) End {
	timer := time.NewTimer(spec.Timeout)
	defer timer.Stop()
	select {
	case <-tree.Done():
	case <-timer.C:
		return cut(End{TimedOut: true}, spec, tree, outs)
	case <-ctx.Done():
		return cut(End{Cancelled: true}, spec, tree, outs)
	}
	// The shell is done, its status stands. The clock and the caller are still heard while the pipe drains.
	if outs.settle(ctx, timer) {
		return cut(End{Cancelled: true}, spec, tree, outs)
	}
	st := tree.State()
	end := End{ExitCode: st.ExitCode, Signal: st.Signal, Held: outs.held()}
	end.Background = tree.Background() // costs one system call when there is nobody
	if err := tree.Release(); err != nil {
		end.Warnings = append(end.Warnings, fmt.Sprintf("release the guardian: %v", err))
	}
	return end
}

// cut ends the whole tree; the readers go on meanwhile, so that what a trap prints on its way out is not lost.
func cut(end End, spec Spec, tree *ps.Tree, outs pipes) End {
	end.Survivors = tree.End(endGrace, spec.Hurry).Survivors
	<-outs.drain(endDrainIdle, endDrainCap)
	outs.closeReaders()
	return end
}

// start spawns the shell on the writing ends of the pipes.
func start(spec Spec, outs pipes) (*ps.Tree, error) {
	in, err := input(spec)
	if err != nil {
		return nil, err
	}
	defer closeAll(in.opened)
	args, env := spec.Shell.withSnapshot(in.args, spec.Env, spec.Snapshot)
	tree, err := ps.Start(ps.Command{
		Path: spec.Shell.Path, Args: args, Env: env, Dir: spec.Dir,
		Stdin: in.stdin, Stdout: outs[0].w, Stderr: outs[len(outs)-1].w, Extra: in.extra,
	})
	if err != nil && in.feeder != nil {
		in.feeder.Close()
	}
	if err == nil && in.feeder != nil {
		go feed(in.feeder, commandText(spec))
	}
	return tree, err
}

// inputs are the descriptors that a shell starts with, its outputs apart.
type inputs struct {
	args   []string
	stdin  *os.File
	extra  *os.File   // becomes descriptor 3; nil: none
	feeder *os.File   // takes the command text; nil: the text travels as an argument
	opened []*os.File // to be closed once the shell runs
}

// input decides how the command text reaches the shell. An argument holds 131,071 bytes; longer text comes through
// standard input.
func input(spec Spec) (inputs, error) {
	text := commandText(spec)
	in := inputs{args: spec.Shell.args(text), stdin: spec.Stdin}
	if in.stdin == nil {
		null, err := os.Open(os.DevNull)
		if err != nil {
			return in, err
		}
		in.stdin, in.opened = null, append(in.opened, null)
	}
	if len(text) <= maxArg {
		return in, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		closeAll(in.opened)
		return in, err
	}
	in.args = spec.Shell.argsPiped()
	in.extra, in.stdin, in.feeder = in.stdin, r, w
	in.opened = append(in.opened, r)
	return in, nil
}

func commandText(spec Spec) string {
	if spec.Prefix == "" {
		return spec.Command
	}
	return spec.Prefix + " " + spec.Command
}

// feed writes the command text; a shell that dies early ends it with EPIPE, since its reading end dies with it.
func feed(w *os.File, text string) {
	_, _ = io.WriteString(w, text)
	w.Close()
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
