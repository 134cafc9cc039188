package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"pi/internal/artifact"
	"pi/internal/ps"
	"pi/internal/self"
	"pi/internal/shell"
	"pi/internal/sink"
)

// drainConfig is what the hidden process needs, as JSON on its standard input.
type drainConfig struct {
	Pipes    int             `json:"pipes"`    // number of descriptors to read, from 3 on
	Artifact *artifact.State `json:"artifact"` // null: discard the output
}

// startDrain starts a detached process that reads the pipes until their last writer is gone, and appends the output to the
// artifact. It owns the pipes, even after an error.
func startDrain(held map[shell.Stream]*os.File, state *artifact.State) error {
	files := inOrder(held)
	defer closeFiles(files)
	input, err := json.Marshal(drainConfig{len(files), state})
	if err == nil {
		err = ps.StartDetached([]string{self.Drain}, input, files)
	}
	if err != nil {
		return fmt.Errorf("the output of background jobs is lost: %w", err)
	}
	return nil
}

// inOrder returns the pipes, standard output first.
func inOrder(held map[shell.Stream]*os.File) (files []*os.File) {
	for _, s := range []shell.Stream{shell.Stdout, shell.Stderr} {
		if f := held[s]; f != nil {
			files = append(files, f)
		}
	}
	return files
}

func closeFiles(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// removedCheck is the interval at which a drain checks whether its artifact was removed.
const removedCheck = time.Second

// Drain is the main function of the hidden process, whose configuration input holds as JSON. It returns when the last writer
// is gone, the artifact is removed, or the artifact has reached its size limit. A job that prints after that gets SIGPIPE.
func Drain(input io.Reader) error {
	var job drainConfig
	if err := json.NewDecoder(input).Decode(&job); err != nil {
		return err
	}
	var files []*os.File
	for i := range job.Pipes {
		files = append(files, pollable(uintptr(3+i)))
	}
	return drain(files, job.Artifact)
}

// drain reads the pipes until their last writer is gone, and closes them. Without a state it discards what it reads.
func drain(files []*os.File, state *artifact.State) error {
	defer closeFiles(files)
	if state == nil {
		return each(files, func(f *os.File) { _, _ = io.Copy(io.Discard, f) })
	}
	w, err := artifact.Open(state.Dir, artifact.Options{}).Adopt(*state)
	if err != nil {
		return errors.Join(err, drain(files, nil)) // the writers must not get SIGPIPE for it
	}
	// Nobody sees the bounded text; any limit does.
	s := sink.New(sink.Options{MaxBytes: 1024, OpenArtifact: func() (sink.ArtifactWriter, error) { return w, nil }})
	defer s.Close()
	if _, err := s.Spill(); err != nil {
		return err
	}
	return each(files, func(f *os.File) { drainInto(s, w, f) })
}

func drainInto(s *sink.Sink, w *artifact.Writer, f *os.File) {
	defer f.Close()
	buf := make([]byte, 64<<10)
	var looked time.Time
	for {
		_ = f.SetReadDeadline(time.Now().Add(removedCheck))
		n, err := f.Read(buf)
		if n > 0 {
			s.Write(sink.Stdout, buf[:n])
		}
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) || w.Capped() {
			return
		}
		if now := time.Now(); now.Sub(looked) >= removedCheck {
			looked = now
			if w.Removed() {
				return
			}
		}
	}
}

// each runs work on all files at once and waits for all.
func each(files []*os.File, work func(*os.File)) error {
	done := make(chan struct{})
	for _, f := range files {
		go func() {
			work(f)
			done <- struct{}{}
		}()
	}
	for range files {
		<-done
	}
	return nil
}
