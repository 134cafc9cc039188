// Package shell runs command texts in the user's real shell and streams their output.
//
// [Choose] selects the shell, a [Dialect] holds everything in which it differs from others, and [Execute] runs one command in
// a fresh one. That shell is a session leader without a controlling terminal. Its standard input is /dev/null unless told
// otherwise. Standard output and standard error share one pipe so that their order is kept. A call returns when the shell has
// exited and its output has settled, not when the last holder of the pipe is gone; the caller reads what a background job
// prints later (see [End.Held]).
//
// The package knows no limits, artifacts or output formats: it passes bytes on and reports how the command ended. Persistent
// shells are in the package session, rc files in snapshot, and the shell that is part of pi in embedded.
package shell

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pi/internal/environ"
	"pi/internal/shell/embedded"
)

// Shell is a shell that can be started.
type Shell struct {
	Path    string   // absolute
	Dialect *Dialect // nil: the embedded shell, whose Path is pi itself
}

// Embedded reports whether s is the shell that is part of pi.
func (s Shell) Embedded() bool { return s.Dialect == nil }

// Kind returns the name of the dialect: "sh" for any shell that has none of its own, [embedded.Name] for the embedded one.
func (s Shell) Kind() string {
	if s.Embedded() {
		return embedded.Name
	}
	return s.Dialect.Name
}

// VersionCommand returns a command text that prints the version of the shell, or nothing if the shell does not know it.
func (s Shell) VersionCommand() string {
	if s.Embedded() || s.Dialect.versionVariable == "" {
		return ":"
	}
	return `printf %s "$` + s.Dialect.versionVariable + `"`
}

// Choose selects the shell: path if it is not empty, else $SHELL if that is bash or zsh, else bash on PATH, else sh, else zsh,
// else the embedded one. A path that cannot be started is an error, never a reason to take another shell; [embedded.Name] as
// path selects the embedded one. env is a list of NAME=VALUE.
func Choose(path string, env []string) (Shell, error) {
	return choose(path, env, searchDirs(environ.Get(env, "PATH")))
}

// choose looks for names in dirs.
func choose(path string, env, dirs []string) (Shell, error) {
	if path == embedded.Name {
		return embeddedShell()
	}
	if path != "" {
		return configured(path, dirs)
	}
	if own := environ.Get(env, "SHELL"); filepath.IsAbs(own) {
		if d := DialectOf(own); d.fromEnv && startable(own) == nil {
			return Shell{own, d}, nil
		}
	}
	for _, d := range []*Dialect{&bash, &posix, &zsh} {
		if p := find(d.Name, dirs); p != "" {
			return Shell{p, d}, nil
		}
	}
	return embeddedShell()
}

func embeddedShell() (Shell, error) {
	path, err := embedded.Path()
	return Shell{Path: path}, err
}

func configured(path string, dirs []string) (Shell, error) {
	if !strings.ContainsRune(path, filepath.Separator) && !strings.Contains(path, "/") {
		if p := find(path, dirs); p != "" {
			return Shell{p, DialectOf(p)}, nil
		}
		return Shell{}, fmt.Errorf("shell.path %q: not found on PATH", path)
	}
	abs, err := filepath.Abs(path)
	if err == nil {
		err = startable(abs)
	}
	if err != nil {
		return Shell{}, fmt.Errorf("shell.path %q: %w", path, err)
	}
	return Shell{abs, DialectOf(abs)}, nil
}

// searchDirs are PATH's directories, then the two places where every POSIX system has its shell.
func searchDirs(path string) []string {
	dirs := filepath.SplitList(path)
	return append(dirs, "/bin", "/usr/bin")
}

// find looks for a program. It skips relative PATH entries, so that no file of the working directory becomes the shell.
func find(name string, dirs []string) string {
	for _, d := range dirs {
		if !filepath.IsAbs(d) {
			continue
		}
		for _, ext := range executableSuffixes {
			if p := filepath.Join(d, name+ext); startable(p) == nil {
				return p
			}
		}
	}
	return ""
}

func startable(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return err
	}
	if st.IsDir() {
		return errors.New("is a directory")
	}
	if !executable(path, st) {
		return errors.New("is not executable")
	}
	return nil
}

// Args returns the argument vector that runs a command text without reading the user's rc files. A text may begin with a dash,
// hence the `--` of most flags. argv[0] is the bare name, so that messages begin with `bash: line 1:`.
func (s Shell) Args(text string) []string {
	if s.Embedded() {
		return embedded.Args(text)
	}
	args := append([]string{programName(s.Path)}, s.Dialect.flags...)
	return append(args, text)
}

// argsPiped returns the argument vector for a command text that comes through standard input; the command's own standard input
// is descriptor 3 then.
func (s Shell) argsPiped() []string {
	if s.Embedded() {
		return embedded.ArgsPiped()
	}
	return s.Args(s.Dialect.readText)
}

// withSnapshot adds a snapshot script to a shell's start.
func (s Shell) withSnapshot(args, env []string, script string) ([]string, []string) {
	if script == "" || s.Embedded() || s.Dialect.withSnapshot == nil {
		return args, env
	}
	return s.Dialect.withSnapshot(args, env, script)
}
