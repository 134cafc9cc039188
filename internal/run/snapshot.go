package run

import (
	"context"
	"path/filepath"

	"pi/internal/config"
	"pi/internal/environ"
	"pi/internal/shell"
)

// SnapshotOff is the value of shell.snapshot that leaves the rc files alone.
const SnapshotOff = "off"

// TakeSnapshot gives the rc snapshot that a run in sh uses under these settings; host is the host's environment. The
// zero Snapshot is none. The warning is one line for the result.
func TakeSnapshot(ctx context.Context, set config.Shell, sh shell.Shell, host []string) (s shell.Snapshot, warning string) {
	if set.Snapshot == SnapshotOff {
		return shell.Snapshot{}, ""
	}
	return shell.TakeSnapshot(ctx, shell.SnapshotSpec{
		Shell: sh, Env: snapshotEnv(sh, pairs(set.Env), host), Home: environ.Home(host), CacheDir: snapshotDir(host),
	})
}

// snapshotEnv is what an interactive shell of the user would start with. zsh finds its rc files by ZDOTDIR.
func snapshotEnv(sh shell.Shell, own, host []string) []string {
	env := environment(host, own, nil, nil, true)
	if d, ok := environ.Lookup(host, "ZDOTDIR"); ok && sh.Kind == shell.Zsh {
		env = append(env, "ZDOTDIR="+d)
	}
	return env
}

// snapshotDir is ${XDG_CACHE_HOME:-~/.cache}/pi/snapshots, or empty where there is no home.
func snapshotDir(host []string) string {
	if cache := environ.Get(host, "XDG_CACHE_HOME"); filepath.IsAbs(cache) {
		return filepath.Join(cache, "pi", "snapshots")
	}
	if home := environ.Home(host); home != "" {
		return filepath.Join(home, ".cache", "pi", "snapshots")
	}
	return ""
}
