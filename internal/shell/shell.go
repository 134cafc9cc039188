// Package shell runs command texts in the user's real shell and streams what they print.
//
// It gives one engine, [Execute]: a fresh shell for one command. The shell is a session leader without a
// controlling terminal, its standard input is /dev/null unless told otherwise, and standard output and standard
// error share one pipe so that their order is kept. A call returns when the shell is done, not when the last
// holder of the pipe is; what a background job prints later is the caller's to read (see [End.Held]).
//
// The package knows no limits, artifacts or output formats: it hands bytes on and reports how the command ended.
package shell

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pi/internal/environ"
	"pi/internal/self"
)

// Kind is a family of shells that are started alike.
type Kind string

// The families that pi knows how to start.
const (
	Bash Kind = "bash"
	Zsh  Kind = "zsh"
	Sh   Kind = "sh" // any POSIX shell
)

// Shell is a shell that can be started.
type Shell struct {
	Path string // absolute
	Kind Kind
}

// Choose picks the shell: path when it is not empty, else $SHELL when that is bash or zsh, else bash on PATH, else
// sh, else zsh, else the embedded one. A path that cannot be started is an error, never a reason to take another
// shell; [EmbeddedName] as path asks for the embedded one. env is a list of NAME=VALUE.
func Choose(path string, env []string) (Shell, error) {
	return choose(path, env, searchDirs(environ.Get(env, "PATH")))
}

// choose looks for names in dirs.
func choose(path string, env, dirs []string) (Shell, error) {
	if path == EmbeddedName {
		return embedded()
	}
	if path != "" {
		return configured(path, dirs)
	}
	if own := environ.Get(env, "SHELL"); filepath.IsAbs(own) {
		if k := kindOf(own); k != Sh && startable(own) == nil {
			return Shell{own, k}, nil
		}
	}
	for _, k := range []Kind{Bash, Sh, Zsh} {
		if p := find(string(k), dirs); p != "" {
			return Shell{p, k}, nil
		}
	}
	return embedded()
}

func configured(path string, dirs []string) (Shell, error) {
	if !strings.ContainsRune(path, filepath.Separator) && !strings.Contains(path, "/") {
		if p := find(path, dirs); p != "" {
			return Shell{p, kindOf(p)}, nil
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
	return Shell{abs, kindOf(abs)}, nil
}

// searchDirs are PATH's directories, then the two places where every POSIX system keeps its shell.
func searchDirs(path string) []string {
	dirs := filepath.SplitList(path)
	return append(dirs, "/bin", "/usr/bin")
}

// find looks for a program; relative PATH entries are skipped, so that no file of the working directory is a shell.
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

func kindOf(path string) Kind {
	switch strings.TrimSuffix(filepath.Base(path), ".exe") {
	case "bash":
		return Bash
	case "zsh":
		return Zsh
	}
	return Sh
}

// args is the argument vector for a command text. User rc files stay out: bash would read ~/.bashrc for `bash -c`
// under ssh, and zsh reads ~/.zshenv always. A text may begin with a dash, hence the `--`. argv[0] is the bare name,
// so that messages begin with `bash: line 1:`.
func (s Shell) args(script string) []string {
	name := strings.TrimSuffix(filepath.Base(s.Path), ".exe")
	switch s.Kind {
	case Bash:
		return []string{name, "--norc", "-c", "--", script}
	case Zsh:
		return []string{name, "-f", "-c", "--", script}
	case Embedded:
		return []string{"sh", self.Shell, textGiven, script}
	}
	return []string{name, "-c", "--", script}
}

// argsPiped is the argument vector for a command text that comes through standard input, and is read before user code
// runs; the real standard input is descriptor 3 then. `eval` keeps $0, the line numbers and the exit status as `-c`
// has them; its words are expanded before its redirections are made, hence the order is safe.
func (s Shell) argsPiped() []string {
	if s.Kind == Embedded {
		return []string{"sh", self.Shell, textPiped}
	}
	return s.args(`eval "$(cat)" <&3 3<&-`)
}
