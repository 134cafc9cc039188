package cmd

import (
	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/run"
)

// openStore returns the artifact store of the settings. It accesses no file.
func openStore(env *Env, set config.Artifacts) *artifact.Store {
	return run.OpenStore(set, env.Environ)
}

// runStore returns the store for the output of runs, nil if output is not to be saved.
func runStore(env *Env, cfg config.Config) *artifact.Store {
	if cfg.Artifacts.MaxBytes == 0 {
		return nil
	}
	return openStore(env, cfg.Artifacts)
}
