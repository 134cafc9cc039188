package run

import (
	"pi/internal/artifact"
	"pi/internal/config"
)

// OpenStore returns the artifact store that the settings name, or the default one of the user with these environment
// variables. It touches no file.
func OpenStore(set config.Artifacts, environ []string) *artifact.Store {
	if set.Dir == "" {
		set.Dir = artifact.DefaultDir(environ)
	}
	return artifact.Open(set.Dir, artifact.Options{MaxBytes: set.MaxBytes, MaxTotalBytes: set.MaxTotalBytes})
}
