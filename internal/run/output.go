package run

import (
	"errors"
	"io"
	"os"
	"time"

	"pi/internal/artifact"
	"pi/internal/shell"
	"pi/internal/sink"
)

// output is a run's artifact as its sink sees it. When background jobs still hold the pipes, closing it hands the
// artifact to a detached drain instead.
type output struct {
	job   *job
	w     *artifact.Writer // nil until the sink needs it
	ended *Details         // how the run ended, once that is known
	held  map[shell.Stream]*os.File
	err   error // of the hand-over
}

func (o *output) open() (sink.ArtifactWriter, error) {
	w, err := o.job.store.Create(beginning(o.job.d, o.job.began))
	if err != nil {
		return nil, err
	}
	o.w = w
	return o, o.describe()
}

func (o *output) ID() string                  { return o.w.ID() }
func (o *output) Write(p []byte) (int, error) { return o.w.Write(p) }

// Close ends the artifact, or hands it over.
func (o *output) Close() error {
	if len(o.held) == 0 {
		return o.w.Close()
	}
	state, err := o.w.Detach()
	if err != nil {
		return errors.Join(err, o.discardHeld())
	}
	o.err = o.handOver(&state)
	return nil
}

// discardHeld sees to it that what is printed from now on is read, though not kept.
func (o *output) discardHeld() error { return o.handOver(nil) }

// A handOver takes pipes that background jobs still hold, and goes on reading them into the artifact of that state; nil
// keeps nothing. It owns the pipes, also after an error.
type handOver func(held map[shell.Stream]*os.File, state *artifact.State) error

func (o *output) handOver(state *artifact.State) error {
	if o.job.hand != nil {
		return o.job.hand(o.held, state)
	}
	return startDrain(o.held, state)
}

// end takes down how the run ended, for the artifact's description. It comes before the sink is closed.
func (o *output) end(d Details) {
	o.ended = &d
	if o.w != nil {
		_ = o.describe() // fails only for an artifact that is broken already, which closing it will tell
	}
}

func (o *output) describe() error {
	if o.ended == nil {
		return nil
	}
	return describeEnd(o.w, *o.ended)
}

// beginning describes an artifact of a run that is still going on.
func beginning(d Details, began time.Time) artifact.Meta {
	return artifact.Meta{Command: d.Command, OriginalCommand: d.OriginalCommand, Cwd: d.Cwd, StartedAt: began}
}

// describeEnd adds how the run ended.
func describeEnd(w *artifact.Writer, d Details) error {
	return w.SetMeta(func(m *artifact.Meta) {
		m.Status, m.ExitCode, m.EndedAt = string(d.Status), d.ExitCode, time.Now()
		if d.Signal != nil {
			m.Signal = *d.Signal
		}
	})
}

// Keeper gives what saves the text of results that are over and were not saved while they ran; it answers with the id
// of the artifact. A nil store keeps nothing.
func Keeper(store *artifact.Store) func(Result) (id string, err error) {
	return func(r Result) (string, error) {
		if store == nil {
			return "", errors.New("outputs are not kept")
		}
		began := time.Now().Add(-time.Duration(r.Details.DurationMs) * time.Millisecond)
		w, err := store.Create(beginning(r.Details, began))
		if err != nil {
			return "", err
		}
		_, err = io.WriteString(w, r.Body)
		return w.ID(), errors.Join(err, describeEnd(w, r.Details), w.Close())
	}
}
