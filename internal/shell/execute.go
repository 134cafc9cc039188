package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"pi/internal/drain"
	"pi/internal/ps"
)

// Stream identifies an output of a run; a run with one pipe writes everything to Stdout.
type Stream = drain.Stream

// The streams of a command.
const (
	Stdout = drain.Stdout
	Stderr = drain.Stderr
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
	Split   bool          // standard error gets a pipe of its own

	// Snapshot is the script of an rc snapshot that the shell sources first; may be empty.
	Snapshot string

	// Output receives what the command prints, in order; p is valid only during the call. It is called from one goroutine
	// per stream, and never after Execute has returned. If it returns false the stream is closed at once, so that its
	// writers get SIGPIPE, as behind head(1). Must not be nil.
	Output func(s Stream, p []byte) bool

	// Force, when closed, ends the grace period between TERM and KILL. May be nil.
	Force <-chan struct{}
}

// End says how a command ended.
type End struct {
	ExitCode  int            // the shell's status; meaningless if TimedOut or Cancelled
	Signal    syscall.Signal // that killed the shell itself, or 0
	TimedOut  bool
	Cancelled bool
	Survivors int // members of the tree that could not be killed

	// Background are the processes that a command left running when it ended by itself.
	Background []ps.Process
	// Held are the reading ends of pipes that background processes still hold, by stream. The caller owns them: once one is
	// closed, the next write of such a process fails.
	Held map[Stream]*os.File
	// Warnings are problems that did not stop the run.
	Warnings []string
}

// Execute runs one command in a fresh shell and waits until it has ended, its timeout is over or ctx is done. In the latter two
// cases it kills the whole process tree before it returns, at most KillGrace plus a second later. An error means that nothing
// was run.
func Execute(ctx context.Context, spec Spec) (End, error) {
	if err := ctx.Err(); err != nil {
		return End{Cancelled: true}, nil
	}
	outs, err := drain.Open(spec.Split)
	if err != nil {
		return End{}, fmt.Errorf("create output pipe: %w", err)
	}
	tree, err := start(spec, outs)
	outs.CloseWriters()
	if err != nil {
		outs.CloseReaders()
		return End{}, fmt.Errorf("start %s: %w", spec.Shell.Path, err)
	}
	outs.Read(spec.Output)
	end := await(ctx, spec, tree, outs)
	end.Warnings = append(end.Warnings, tree.Warnings()...)
	return end, nil
}

// await waits for one of the three ends of the command and collects the rest of its output.
func await(ctx context.Context, spec Spec, tree *ps.Tree, outs drain.Outputs) End {
	timer := time.NewTimer(spec.Timeout)
	defer timer.Stop()
	select {
	case <-tree.Done():
	case <-timer.C:
		return cut(End{TimedOut: true}, spec, tree, outs)
	case <-ctx.Done():
		return cut(End{Cancelled: true}, spec, tree, outs)
	}
	// The shell has exited and its status is final. Timeout and cancellation still apply while the pipe drains.
	if outs.Settle(ctx, timer.C) {
		return cut(End{Cancelled: true}, spec, tree, outs)
	}
	st := tree.State()
	end := End{ExitCode: st.ExitCode, Signal: st.Signal, Held: outs.Held()}
	end.Background = tree.Background() // one system call if there are none
	if err := tree.Release(); err != nil {
		end.Warnings = append(end.Warnings, fmt.Sprintf("release the guardian: %v", err))
	}
	return end
}

// cut kills the whole tree; the readers continue meanwhile, so that what a trap prints is not lost.
func cut(end End, spec Spec, tree *ps.Tree, outs drain.Outputs) End {
	end.Survivors = tree.End(KillGrace, spec.Force).Survivors
	outs.Finish()
	return end
}

// start starts the shell with the writing ends of the pipes as its outputs.
func start(spec Spec, outs drain.Outputs) (*ps.Tree, error) {
	in, err := input(spec)
	if err != nil {
		return nil, err
	}
	defer closeAll(in.opened)
	args, env := spec.Shell.withSnapshot(in.args, spec.Env, spec.Snapshot)
	tree, err := ps.Start(ps.Command{
		Path: spec.Shell.Path, Args: args, Env: env, Dir: spec.Dir,
		Stdin: in.stdin, Stdout: outs[0].Writer, Stderr: outs[len(outs)-1].Writer, Extra: in.extra,
	})
	if err != nil && in.feeder != nil {
		in.feeder.Close()
	}
	if err == nil && in.feeder != nil {
		go feed(in.feeder, commandText(spec))
	}
	return tree, err
}

// inputs are what a shell starts with, apart from its outputs.
type inputs struct {
	args   []string
	stdin  *os.File
	extra  *os.File   // becomes descriptor 3; nil: none
	feeder *os.File   // receives the command text; nil: the text is an argument
	opened []*os.File // to be closed once the shell runs
}

// input decides how the command text reaches the shell: as an argument up to maxArg, through standard input above.
func input(spec Spec) (inputs, error) {
	text := commandText(spec)
	in := inputs{args: spec.Shell.Args(text), stdin: spec.Stdin}
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

// feed writes the command text. If the shell dies early the write fails with EPIPE, since the reading end is gone.
func feed(w *os.File, text string) {
	_, _ = io.WriteString(w, text)
	w.Close()
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
