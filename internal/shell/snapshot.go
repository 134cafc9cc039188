package shell

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
	"strings"
	"time"

	"pi/internal/environ"
)

// SnapshotSpec says whose rc files to take a snapshot of.
type SnapshotSpec struct {
	Shell    Shell
	Env      []string // what the shell would get, NAME=VALUE, without the variables that keep programs from asking
	Home     string   // the user's home, absolute; empty: no snapshot
	CacheDir string   // where snapshots are kept, absolute; made 0700 when missing; empty: no snapshot

	limit time.Duration // zero: makeLimit; tests on a busy machine give more
}

func (s SnapshotSpec) bound() time.Duration {
	if s.limit > 0 {
		return s.limit
	}
	return makeLimit
}

// Snapshot is what the user's rc files give an interactive shell: a script with functions, aliases and options, and
// the variables that they export. The zero Snapshot is none.
type Snapshot struct {
	// Script is the file that [Spec.Snapshot] takes. It prints nothing, starts nothing and moves nothing, so that it
	// can be sourced by a shell of the same kind at any time. Empty: there is none.
	Script string
	// Env are the variables that the rc files added or changed, NAME=VALUE, sorted; those that look like secrets and
	// those that belong to the shell itself are left out. They are not in the script: the caller decides what they override.
	Env []string

	Made      time.Time // when it was taken, or when taking it failed
	Functions int       // counts of what is in the script
	Aliases   int
	LeftOut   int    // functions, aliases and variables that were left out by name
	Failure   string // why there is none although there are rc files; empty otherwise
}

// TakeSnapshot gives the snapshot of the shell's rc files, from the cache when neither they nor the variables that
// matter have changed. Otherwise it lets the shell read them, which takes at most makeLimit plus checkLimit, and ends
// everything that they started. The warning is not empty when that failed just now. A failure is kept for a while too,
// and is not warned of again until the next try.
//
// Shells other than bash and zsh, and users without rc files, have no snapshot; neither has a home that belongs to
// somebody else, as under some sudo: its rc files are not run with these rights. Several processes may call it at
// once: one takes the snapshot, the others wait for it.
func TakeSnapshot(ctx context.Context, spec SnapshotSpec) (s Snapshot, warning string) {
	rc := rcFiles(spec)
	if !snapshotsSupported || spec.CacheDir == "" || rc.absent() || !ownHome(spec.Home) {
		return Snapshot{}, ""
	}
	c := snapshotCache{dir: spec.CacheDir, name: snapshotName(spec), env: spec.Env}
	if s, ok := c.load(rc.all()); ok {
		return s, ""
	}
	s, err := c.make(ctx, spec, rc)
	if errors.As(err, new(unkept)) {
		if s, ok := c.elsewhere(ctx, spec, rc); ok {
			return s, fmt.Sprintf("the rc snapshot is kept in %s, for want of a better place: %v", filepath.Dir(s.Script), err)
		}
	}
	if err != nil {
		return Snapshot{Failure: err.Error(), Made: time.Now()}, fmt.Sprintf("no rc snapshot, aliases and functions of %s are missing: %v", rc.own[0], err)
	}
	return s, ""
}

// elsewhere keeps the snapshot among the temporary files, in a directory of the user's own.
func (c snapshotCache) elsewhere(ctx context.Context, spec SnapshotSpec, rc rcs) (Snapshot, bool) {
	c.dir = filepath.Join(os.TempDir(), "pi-snapshots-"+strconv.Itoa(os.Geteuid()))
	spec.CacheDir = c.dir
	if s, ok := c.load(rc.all()); ok {
		return s, s.Script != ""
	}
	s, err := c.make(ctx, spec, rc)
	return s, err == nil
}

// rcs are the files that an interactive shell reads. The list is what the cache watches; what they source in turn is
// found by the functions that come from it.
type rcs struct {
	own    []string // the user's: without any of these there is no snapshot
	others []string // the system's, and usual companions
}

func (r rcs) all() []string { return append(slices.Clone(r.own), r.others...) }

func (r rcs) absent() bool {
	return !slices.ContainsFunc(r.own, func(p string) bool { _, err := os.Stat(p); return err == nil })
}

func ownHome(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && owned(info)
}

// rcFiles follows the shells' manuals; distributions compile other names in for the system's files.
func rcFiles(spec SnapshotSpec) rcs {
	if !filepath.IsAbs(spec.Home) {
		return rcs{}
	}
	at := func(dir string, names ...string) (list []string) {
		for _, n := range names {
			list = append(list, filepath.Join(dir, n))
		}
		return list
	}
	switch spec.Shell.Kind {
	case Bash:
		return rcs{own: at(spec.Home, ".bashrc"), others: append(at(spec.Home, ".bash_aliases"), "/etc/bash.bashrc", "/etc/bashrc")}
	case Zsh:
		own := at(spec.Home, ".zshrc", ".zshenv")
		if d := environ.Get(spec.Env, "ZDOTDIR"); filepath.IsAbs(d) {
			own = append(at(d, ".zshrc", ".zshenv"), own...)
		}
		return rcs{own: own, others: at("/etc", "zshenv", "zshrc", "zsh/zshenv", "zsh/zshrc")}
	}
	return rcs{}
}

// keyed are the variables on which rc files commonly build. Each combination of values has a snapshot of its own.
var keyed = [...]string{"PATH", "USER", "LANG", "LC_ALL", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR"}

// snapshotName names the cache entry. What it depends on beyond that is checked when it is read.
func snapshotName(spec SnapshotSpec) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00", snapshotVersion, spec.Shell.Path, spec.Home)
	for _, n := range keyed {
		v, ok := environ.Lookup(spec.Env, n)
		fmt.Fprintf(h, "%t%s\x00", ok, v)
	}
	return string(spec.Shell.Kind) + "-" + hex.EncodeToString(h.Sum(nil)[:12])
}

// withSnapshot adds the script to a shell's start. bash reads $BASH_ENV and zsh $ZDOTDIR/.zshenv before a command
// text, which keeps $0, the parameters, the line numbers and the messages as they are without; the script's first
// command removes the variable. A caller who set that variable himself keeps it, and has no snapshot.
func (s Shell) withSnapshot(args, env []string, script string) ([]string, []string) {
	if script == "" {
		return args, env
	}
	name, value := "BASH_ENV", bashEnvValue(script)
	switch s.Kind {
	case Bash:
	case Zsh:
		name, value = "ZDOTDIR", filepath.Dir(script)
	default:
		return args, env
	}
	if _, own := environ.Lookup(env, name); own {
		return args, env
	}
	if s.Kind == Zsh {
		args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "-f" })
	}
	return args, append(slices.Clip(env), name+"="+value)
}

// bashEnvValue protects a path: bash expands the value of BASH_ENV as if it stood between double quotes.
func bashEnvValue(path string) string {
	return strings.NewReplacer(`\`, `\\`, "$", `\$`, "`", "\\`", `"`, `\"`).Replace(path)
}

// scriptPath is where the script of an entry lies: zsh wants a directory of its own for it.
func scriptPath(dir, name string) string {
	if strings.HasPrefix(name, string(Zsh)) {
		return filepath.Join(dir, name, ".zshenv")
	}
	return filepath.Join(dir, name)
}
