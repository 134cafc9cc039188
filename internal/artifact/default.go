package artifact

import (
	"path/filepath"

	"pi/internal/environ"
)

// DefaultDir returns the directory for artifacts when none is configured:
// ${XDG_STATE_HOME:-~/.local/state}/pi/artifacts, with the variables taken from env (NAME=VALUE). It ignores relative
// paths, so that nothing is written below the working directory by accident. Without a home directory it returns "".
func DefaultDir(env []string) string {
	if state := environ.Get(env, "XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "pi", "artifacts")
	}
	home := environ.Home(env)
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".local", "state", "pi", "artifacts")
}
