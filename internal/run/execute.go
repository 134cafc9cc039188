package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pi/internal/ps"
	"pi/internal/shell"
	"pi/internal/sink"
)

// execute runs the job in a new shell.
func (j *job) execute(ctx context.Context, spec shell.Spec) Result {
	return j.collect(ctx, func(out func(shell.Stream, []byte) bool) (shell.End, error) {
		spec.Output = out
		return shell.Execute(ctx, spec)
	})
}

// collect runs an engine, sends its output to a sink and builds the result. The engine calls out as [shell.Spec] documents
// for Output.
func (j *job) collect(ctx context.Context, engine func(out func(shell.Stream, []byte) bool) (shell.End, error)) Result {
	art := &output{job: j}
	live := &dispatcher{live: j.q.Live, over: ctx}
	if j.q.Live.wantsOutput() {
		var stop context.CancelFunc
		live.over, stop = context.WithTimeout(ctx, j.timeout)
		defer stop()
	}
	s := sink.New(j.sinkOptions(art, live))
	out := func(st shell.Stream, p []byte) bool {
		more := s.Write(sink.Stream(st), p)
		if j.q.Live.Partial != nil {
			live.partial(s.Partial(sink.Stream(st)))
		}
		return more
	}
	if j.q.Live.Start != nil {
		j.q.Live.Start(j.d)
	}
	end, err := engine(out)
	if err != nil {
		s.Close()
		return j.fail(err)
	}
	j.settleEnd(end, s.HeadReached())
	art.end(j.d)
	j.keepReading(end, s, art)
	sum := s.Close()
	if sum.ArtifactErr != nil {
		j.warn(fmt.Sprintf("the full output could not be kept: %v", sum.ArtifactErr))
	}
	if art.err != nil {
		j.warn(art.err.Error())
	}
	if live.dropped() {
		j.warn("standard output blocked; the rest of the output was not written")
	}
	return j.done(shapeRun(j.d, sum, j.max))
}

func (j *job) sinkOptions(art *output, live *dispatcher) sink.Options {
	o := sink.Options{
		MaxBytes: j.max, Head: j.limits.Head, Tail: j.limits.Tail, HeadEnds: j.headEnd, Split: j.split,
		CarriageReturn: carriageReturn(j.cfg.Output.CarriageReturn),
		OnText:         live.text(), OnUpdate: live.update(),
	}
	if j.q.PTY != nil {
		o.CarriageReturn = sink.Newline
	}
	if j.store != nil {
		o.OpenArtifact = art.open
	}
	return o
}

func carriageReturn(name string) sink.CarriageReturn {
	switch name {
	case "newline":
		return sink.Newline
	case "strip":
		return sink.Strip
	}
	return sink.Collapse
}

// settleEnd records in the details how the command ended.
func (j *job) settleEnd(end shell.End, headReached bool) {
	j.d.Survivors = end.Survivors
	j.d.BackgroundJobs = jobs(end.Background)
	j.d.Warnings = append(j.d.Warnings, end.Warnings...)
	if end.Survivors > 0 {
		j.warn(fmt.Sprintf("%d processes of the command could not be killed", end.Survivors))
	}
	switch {
	case j.noStatus:
		j.d.Status = Failed
		return
	case end.TimedOut:
		j.d.Status, j.d.TimedOut = TimedOut, true
		return
	case end.Cancelled:
		j.d.Status, j.d.Cancelled = Cancelled, true
		return
	case headReached:
		// The command was stopped as head(1) would have stopped it; the pipeline's status is that of head.
		end.ExitCode, end.Signal = 0, 0
	}
	code := end.ExitCode
	if end.Signal != 0 {
		code = 128 + int(end.Signal)
		name := signalName(end.Signal)
		j.d.Signal = &name
	}
	j.d.ExitCode = &code
	j.d.Status = Failed
	if code == 0 {
		j.d.Status = OK
	}
}

// keepReading hands pipes that background jobs still hold open to another reader, so that the next write does not kill
// such a job and its output is not lost.
func (j *job) keepReading(end shell.End, s *sink.Sink, art *output) {
	if len(end.Held) == 0 {
		return
	}
	art.held = end.Held
	who := "background jobs still hold the output"
	if names := describe(ps.PipeHolders(end.Background, slices.Collect(maps.Values(end.Held))...)); names != "" {
		who += " (" + names + ")"
	}
	if id, err := s.Spill(); err == nil && id != "" {
		j.warn(who + "; their output continues in artifact://" + id)
		return
	}
	j.warn(who + "; their further output is not kept")
	art.err = art.discardHeld()
}

// describe returns at most three processes as "pid command".
func describe(list []ps.Process) string {
	var names []string
	for i, p := range list {
		if i == 3 {
			names = append(names, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		names = append(names, fmt.Sprintf("%d %s", p.PID, Clip(p.Command, 40)))
	}
	return strings.Join(names, ", ")
}

// Clip shortens s to at most n runes, the last of which is then an ellipsis.
func Clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
