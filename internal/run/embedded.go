package run

import (
	"pi/internal/config"
	"pi/internal/shell/embedded"
)

// Values of Details.Backend.
const (
	backend         = "shell"    // a shell of this machine
	embeddedBackend = "embedded" // the shell that is part of pi
)

// noteEmbedded records in the result that the embedded shell runs the command, and why.
func (j *job) noteEmbedded() {
	j.d.Backend = embeddedBackend
	j.warn(whyEmbedded(j.cfg.Shell) + ": the embedded shell runs the command")
}

func whyEmbedded(set config.Shell) string {
	if set.Path == embedded.Name {
		return "shell.path is " + embedded.Name
	}
	return "no bash, zsh or sh was found"
}
