package run

import (
	"context"
	"path/filepath"

	"pi/internal/config"
	"pi/internal/environ"
	"pi/internal/shell"
	"pi/internal/shell/snapshot"
)

// SnapshotOff is the value of shell.snapshot that disables snapshots of the rc files.
const SnapshotOff = "off"

// TakeSnapshot gives the rc snapshot that a run in sh uses under these settings; host is the host's environment. The
// zero Snapshot is none. The warning is one line for the result.
func TakeSnapshot(ctx context.Context, set config.Shell, sh shell.Shell, host []string) (s snapshot.Snapshot, warning string) {
	if set.Snapshot == SnapshotOff {
		return snapshot.Snapshot{}, ""
	}
	return snapshot.Take(ctx, snapshot.Spec{
		Shell: sh, Env: snapshotEnv(sh, pairs(set.Env), host), Home: environ.Home(host), CacheDir: snapshotDir(host),
	})
}

// snapshotEnv is what an interactive shell of the user would start with, including the variables that say where its rc files are.
func snapshotEnv(sh shell.Shell, own, host []string) []string {
	env := environment(host, own, nil, nil, true)
	if sh.Embedded() {
		return env
	}
	for _, name := range sh.Dialect.RCVariables {
		if v, ok := environ.Lookup(host, name); ok {
			env = append(env, name+"="+v)
		}
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
