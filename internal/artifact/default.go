package artifact

import (
	"path/filepath"
	"runtime"
	"strings"
)

// DefaultDir is where artifacts are kept when no setting names a directory: ${XDG_STATE_HOME:-~/.local/state}/pi/artifacts
// as environ (KEY=VALUE) says. Relative paths do not count, so that nothing is ever written below the
// working directory unasked. It is empty when there is no home.
func DefaultDir(environ []string) string {
	if state := lookup(environ, "XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "pi", "artifacts")
	}
	home := lookup(environ, "HOME")
	if home == "" && runtime.GOOS == "windows" {
		home = lookup(environ, "USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".local", "state", "pi", "artifacts")
}

func lookup(environ []string, name string) string {
	for _, entry := range environ {
		if k, v, ok := strings.Cut(entry, "="); ok && k == name {
			return v
		}
	}
	return ""
}
