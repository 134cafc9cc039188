package doctor

import (
	"fmt"
	"time"

	"pi/internal/config"
	"pi/internal/run"
	"pi/internal/shell"
)

// Snapshot is what `pi run` takes from the user's rc files.
type Snapshot struct {
	State     string    `json:"state"` // used, off, none (there are no rc files), failed
	Path      string    `json:"path"`
	Made      time.Time `json:"made,omitzero"`
	Functions int       `json:"functions"`
	Aliases   int       `json:"aliases"`
	Variables int       `json:"variables"`
	LeftOut   int       `json:"leftOut"` // names of core tools, completions, secrets
	Failure   string    `json:"failure"`
}

// snapshot takes a snapshot as `pi run` does, if there is no fresh one.
func (x *examination) snapshot(set config.Shell, chosen shell.Shell) {
	snap, _ := run.TakeSnapshot(x.ctx, set, chosen, x.Environ)
	s := &x.Report.Snapshot
	*s = Snapshot{
		State: "used", Path: snap.Script, Made: snap.Made, Functions: snap.Functions, Aliases: snap.Aliases,
		Variables: len(snap.Env), LeftOut: snap.LeftOut, Failure: snap.Failure,
	}
	switch {
	case set.Snapshot == run.SnapshotOff:
		s.State = "off"
	case snap.Failure != "":
		s.State = "failed"
		x.warn("commands run without the aliases, functions and PATH of your rc files: %s", snap.Failure)
	case snap.Script == "":
		s.State = "none"
	}
}

func (s Snapshot) String() string {
	age := time.Since(s.Made).Round(time.Second)
	switch s.State {
	case "used":
		return fmt.Sprintf("%s: %d functions, %d aliases, %d variables, %d left out, %v old", s.Path, s.Functions, s.Aliases, s.Variables, s.LeftOut, age)
	case "failed":
		return fmt.Sprintf("failed %v ago: %s", age, s.Failure)
	case "off":
		return "off (shell.snapshot)"
	}
	return "none; no bash or zsh rc file found"
}
