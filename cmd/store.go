package cmd

import (
	"pi/internal/artifact"
	"pi/internal/config"
)

// openStore gives the store that the settings name. It touches no file.
func openStore(env *Env, set config.Artifacts) *artifact.Store {
	if set.Dir == "" {
		set.Dir = artifact.DefaultDir(env.Environ)
	}
	return artifact.Open(set.Dir, artifact.Options{MaxBytes: set.MaxBytes, MaxTotalBytes: set.MaxTotalBytes})
}

// runStore is the store for the outputs of runs: nil when they are not to be kept.
func runStore(env *Env, cfg config.Config) *artifact.Store {
	if cfg.Artifacts.MaxBytes == 0 {
		return nil
	}
	return openStore(env, cfg.Artifacts)
}
