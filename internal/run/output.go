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

// output is the artifact of a run, as its sink uses it. When background jobs still hold the pipes open, closing it hands
// the artifact to another reader instead.
type output struct {
	job   *job
	w     *artifact.Writer // nil until the sink needs it
	ended *Details         // how the run ended; nil before
	held  map[shell.Stream]*os.File
	err   error // of the handoff
}

func (o *output) open() (sink.ArtifactWriter, error) {
	w, err := o.job.store.Create(startMeta(o.job.d, o.job.began))
	if err != nil {
		return nil, err
	}
	o.w = w
	return o, o.describe()
}

func (o *output) ID() string                  { return o.w.ID() }
func (o *output) Write(p []byte) (int, error) { return o.w.Write(p) }

// Close closes the artifact, or hands it to the reader of the background jobs.
func (o *output) Close() error {
	if len(o.held) == 0 {
		return o.w.Close()
	}
	state, err := o.w.Detach()
	if err != nil {
		return errors.Join(err, o.discardHeld())
	}
	o.err = o.handOff(&state)
	return nil
}

// discardHeld has further output read and discarded.
func (o *output) discardHeld() error { return o.handOff(nil) }

// A readerHandoff takes over pipes that background jobs still hold open, and keeps reading them into the artifact of that
// state; with nil it discards what it reads. It owns the pipes, even after an error.
type readerHandoff func(held map[shell.Stream]*os.File, state *artifact.State) error

func (o *output) handOff(state *artifact.State) error {
	if o.job.handoff != nil {
		return o.job.handoff(o.held, state)
	}
	return startDrain(o.held, state)
}

// end records how the run ended, for the artifact's metadata. Call it before the sink is closed.
func (o *output) end(d Details) {
	o.ended = &d
	if o.w != nil {
		_ = o.describe() // fails only for a broken artifact, which Close reports
	}
}

func (o *output) describe() error {
	if o.ended == nil {
		return nil
	}
	return describeEnd(o.w, *o.ended)
}

// startMeta returns the metadata of a run in progress.
func startMeta(d Details, began time.Time) artifact.Meta {
	return artifact.Meta{Command: d.Command, OriginalCommand: d.OriginalCommand, Cwd: d.Cwd, StartedAt: began}
}

// describeEnd adds how the run ended to the metadata.
func describeEnd(w *artifact.Writer, d Details) error {
	return w.SetMeta(func(m *artifact.Meta) {
		m.Status, m.ExitCode, m.EndedAt = string(d.Status), d.ExitCode, time.Now()
		if d.Signal != nil {
			m.Signal = *d.Signal
		}
	})
}

// Keeper returns a function that saves the text of a finished result and returns the ID of the new artifact. It is for
// results that were not saved while they ran. With a nil store the function returns an error.
func Keeper(store *artifact.Store) func(Result) (id string, err error) {
	return func(r Result) (string, error) {
		if store == nil {
			return "", errors.New("outputs are not kept")
		}
		began := time.Now().Add(-time.Duration(r.Details.DurationMs) * time.Millisecond)
		w, err := store.Create(startMeta(r.Details, began))
		if err != nil {
			return "", err
		}
		_, err = io.WriteString(w, r.Body)
		return w.ID(), errors.Join(err, describeEnd(w, r.Details), w.Close())
	}
}
