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

// drainJob is what the hidden process has to know; it comes as JSON on its standard input.
type drainJob struct {
	Pipes    int             `json:"pipes"`    // descriptors 3, 4 … are read
	Artifact *artifact.State `json:"artifact"` // null: keep nothing
}

// startDrain starts a process of its own session that reads the pipes until their last writer is gone, and appends
// what it reads to the artifact. It owns the pipes from here on, also after an error.
func startDrain(held map[shell.Stream]*os.File, state *artifact.State) error {
	files := inOrder(held)
	defer closeFiles(files)
	order, err := json.Marshal(drainJob{len(files), state})
	if err == nil {
		err = ps.StartDetached([]string{self.Drain}, order, files)
	}
	if err != nil {
		return fmt.Errorf("background jobs lose their reader: %w", err)
	}
	return nil
}

// inOrder gives the pipes, standard output first.
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

// removedCheck is how often a drain looks whether its artifact is still wanted.
const removedCheck = time.Second

// Drain is the hidden process: it ends with the last writer, when the artifact is removed, or when it has reached its
// cap; a job that prints on after that meets a closed pipe.
func Drain(order io.Reader) error {
	var job drainJob
	if err := json.NewDecoder(order).Decode(&job); err != nil {
		return err
	}
	var files []*os.File
	for i := range job.Pipes {
		files = append(files, pollable(uintptr(3+i)))
	}
	return drain(files, job.Artifact)
}

// drain reads the pipes until their last writer is gone, and closes them. Without a state what it reads is forgotten.
func drain(files []*os.File, state *artifact.State) error {
	defer closeFiles(files)
	if state == nil {
		return each(files, func(f *os.File) { _, _ = io.Copy(io.Discard, f) })
	}
	w, err := artifact.Open(state.Dir, artifact.Options{}).Adopt(*state)
	if err != nil {
		return errors.Join(err, drain(files, nil)) // the writers must not suffer for it
	}
	// The bound of the shown text is nobody's concern here.
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

// each works on all files at once and waits for the last.
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
