package cmd

import (
	"context"
	"fmt"
	"time"

	"pi/internal/config"
	"pi/internal/run"
	"pi/internal/shell"
)

// snapshotState is what `pi run` takes from the user's rc files.
type snapshotState struct {
	State     string    `json:"state"` // used, off, none (nothing to take one of), failed
	Path      string    `json:"path"`
	Made      time.Time `json:"made,omitzero"`
	Functions int       `json:"functions"`
	Aliases   int       `json:"aliases"`
	Variables int       `json:"variables"`
	LeftOut   int       `json:"leftOut"` // names of core tools, completions, secrets
	Failure   string    `json:"failure"`
}

// examineSnapshot takes the snapshot as `pi run` does, when there is no fresh one.
func (d *diagnosis) examineSnapshot(ctx context.Context, env *Env, set config.Shell, chosen shell.Shell) {
	snap, _ := run.TakeSnapshot(ctx, set, chosen, env.Environ)
	d.Snapshot = snapshotState{
		State: "used", Path: snap.Script, Made: snap.Made, Functions: snap.Functions, Aliases: snap.Aliases,
		Variables: len(snap.Env), LeftOut: snap.LeftOut, Failure: snap.Failure,
	}
	switch {
	case set.Snapshot == run.SnapshotOff:
		d.Snapshot.State = "off"
	case snap.Failure != "":
		d.Snapshot.State = "failed"
		d.Warnings = append(d.Warnings, "commands run without the aliases, functions and PATH of the rc files: "+snap.Failure)
	case snap.Script == "":
		d.Snapshot.State = "none"
	}
}

func (s snapshotState) String() string {
	age := time.Since(s.Made).Round(time.Second)
	switch s.State {
	case "used":
		return fmt.Sprintf("%s: %d functions, %d aliases, %d variables, %d left out, %v old", s.Path, s.Functions, s.Aliases, s.Variables, s.LeftOut, age)
	case "failed":
		return fmt.Sprintf("failed %v ago: %s", age, s.Failure)
	case "off":
		return "off (shell.snapshot)"
	}
	return "none, there is no rc file of bash or zsh to take one of"
}
