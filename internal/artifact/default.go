package artifact

import (
	"path/filepath"

	"pi/internal/environ"
)

// DefaultDir is where artifacts are kept when no setting names a directory: ${XDG_STATE_HOME:-~/.local/state}/pi/artifacts
// as env (NAME=VALUE) says. Relative paths do not count, so that nothing is ever written below the
// working directory unasked. It is empty when there is no home.
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
