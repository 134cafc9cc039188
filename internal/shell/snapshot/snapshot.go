// Package snapshot makes the user's rc files available to shells that do not read them.
//
// It lets the shell read its rc files once, as an interactive one, and has it print what they left: functions, aliases, options
// and exported variables. What must not or need not be kept is filtered out: secrets, and names that shadow core tools. The
// rest becomes a script that the same shell has checked, in a private cache that is invalid as soon as a file or a variable it
// depends on changes.
package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"pi/internal/environ"
	"pi/internal/shell"
)

// Spec says whose rc files to take a snapshot of.
type Spec struct {
	Shell    shell.Shell
	Env      []string // the shell's environment, NAME=VALUE, without the variables that keep programs from prompting
	Home     string   // the user's home, absolute; empty: no snapshot
	CacheDir string   // where snapshots are kept, absolute; created 0700 if missing; empty: no snapshot

	limit time.Duration // zero: makeLimit; tests on a busy machine set more
}

func (s Spec) bound() time.Duration {
	if s.limit > 0 {
		return s.limit
	}
	return makeLimit
}

// Snapshot is what the user's rc files define in an interactive shell: a script with functions, aliases and options, and the
// variables that they export. The zero Snapshot is none.
type Snapshot struct {
	// Script is the file for [shell.Spec.Snapshot]. It prints nothing, starts nothing and changes no directory, so that a shell
	// of the same dialect can source it at any time. Empty: there is none.
	Script string
	// Env are the variables that the rc files added or changed, NAME=VALUE, sorted, without those that look like secrets and
	// those that belong to the shell itself. They are not in the script: the caller decides what they override.
	Env []string

	Made      time.Time // when it was taken, or when that failed
	Functions int       // counts of what is in the script
	Aliases   int
	LeftOut   int    // functions, aliases and variables that were left out by name
	Failure   string // why there is none although there are rc files; empty otherwise
}

// Take returns the snapshot of the shell's rc files, from the cache if neither they nor the variables that matter have changed.
// Otherwise it lets the shell read them, which takes at most makeLimit plus checkLimit, and kills everything that they started.
// The warning is not empty if that failed just now. A failure is cached for a while too, without further warnings.
//
// There is no snapshot for shells whose dialect has none, for users without rc files, and for a home that belongs to somebody
// else, as under some sudo: its rc files do not run with these rights. Several processes may call Take at once: one takes the
// snapshot, the others wait for it.
func Take(ctx context.Context, spec Spec) (s Snapshot, warning string) {
	rc := rcFilesOf(spec)
	if !supported || spec.CacheDir == "" || rc.absent() || !ownHome(spec.Home) {
		return Snapshot{}, ""
	}
	c := cache{dir: spec.CacheDir, name: entryName(spec), dialect: spec.Shell.Dialect, env: spec.Env}
	if s, ok := c.load(rc.all()); ok {
		return s, ""
	}
	s, err := c.create(ctx, spec, rc)
	if errors.As(err, new(dirError)) {
		if s, ok := c.inTemp(ctx, spec, rc); ok {
			return s, fmt.Sprintf("the rc snapshot is kept in %s, because its directory cannot be used: %v", filepath.Dir(s.Script), err)
		}
	}
	if err != nil {
		return Snapshot{Failure: err.Error(), Made: time.Now()}, fmt.Sprintf("no rc snapshot, aliases and functions of %s are missing: %v", rc.own[0], err)
	}
	return s, ""
}

// inTemp keeps the snapshot below the temporary directory, in a directory of the user's own.
func (c cache) inTemp(ctx context.Context, spec Spec, rc rcFiles) (Snapshot, bool) {
	c.dir = filepath.Join(os.TempDir(), "pi-snapshots-"+strconv.Itoa(os.Geteuid()))
	spec.CacheDir = c.dir
	if s, ok := c.load(rc.all()); ok {
		return s, s.Script != ""
	}
	s, err := c.create(ctx, spec, rc)
	return s, err == nil
}

// rcFiles are the files that an interactive shell reads, which the cache watches. What they source in turn is found by the
// functions that come from it.
type rcFiles struct {
	own    []string // the user's: without any of these there is no snapshot
	others []string // the system's, and usual companions
}

func (r rcFiles) all() []string { return append(slices.Clone(r.own), r.others...) }

func (r rcFiles) absent() bool {
	return !slices.ContainsFunc(r.own, func(p string) bool { _, err := os.Stat(p); return err == nil })
}

func ownHome(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && shell.Owned(info)
}

func rcFilesOf(spec Spec) rcFiles {
	d := spec.Shell.Dialect
	if d == nil || d.Snapshot == nil || !filepath.IsAbs(spec.Home) {
		return rcFiles{}
	}
	own, others := d.Snapshot.RCFiles(spec.Home, spec.Env)
	return rcFiles{own, others}
}

// keyVariables are those that rc files commonly depend on. Each combination of values has a snapshot of its own.
var keyVariables = [...]string{"PATH", "USER", "LANG", "LC_ALL", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR"}

// entryName returns the name of the cache entry. What it depends on beyond that is checked when it is read.
func entryName(spec Spec) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00", formatVersion, spec.Shell.Path, spec.Home)
	for _, n := range keyVariables {
		v, ok := environ.Lookup(spec.Env, n)
		fmt.Fprintf(h, "%t%s\x00", ok, v)
	}
	return spec.Shell.Dialect.Name + "-" + hex.EncodeToString(h.Sum(nil)[:12])
}

// scriptPath returns where the script of an entry lies.
func scriptPath(dir, name string, d *shell.Dialect) string {
	if d.Snapshot.ScriptFile != "" {
		return filepath.Join(dir, name, d.Snapshot.ScriptFile)
	}
	return filepath.Join(dir, name)
}
