package doctor

import (
	"os"
	"strings"
	"time"

	"pi/internal/shell"
	"pi/internal/shell/embedded"
)

// shellTimeout bounds the one command that is run in the shell; a shell that takes longer for nothing is broken.
const shellTimeout = 5 * time.Second

// maxVersion bounds, in bytes, what the command may print.
const maxVersion = 4096

// Shell is the shell that runs commands.
type Shell struct {
	Path    string `json:"path"` // "embedded": it is part of pi
	Kind    string `json:"kind"`
	Version string `json:"version"` // empty: it does not say
	Runs    bool   `json:"runs"`    // a command was run in it
}

// shell chooses the shell and runs a command in it, as `pi run` does.
func (x *examination) shell() {
	set := x.cfg.Shell
	chosen, err := shell.Choose(set.Path, x.Environ)
	if err != nil {
		x.problem("install bash, or set shell.path to an installed shell", "%v", err)
		return
	}
	s := &x.Report.Shell
	*s = Shell{Path: chosen.Path, Kind: chosen.Kind()}
	if chosen.Embedded() {
		s.Path = embedded.Name // the value for shell.path; the file is pi's own
		if set.Path == "" {
			x.problem("install bash, or set shell.path to embedded to accept it",
				"no bash, zsh or sh was found; commands run in the embedded shell, which supports less of the language")
		}
	}
	x.snapshot(set, chosen)
	var output strings.Builder
	end, err := shell.Execute(x.ctx, shell.Spec{
		Shell: chosen, Command: chosen.VersionCommand(), Dir: os.TempDir(), Env: x.Environ, Timeout: shellTimeout,
		Output: func(_ shell.Stream, p []byte) bool { output.Write(p); return output.Len() < maxVersion },
	})
	for _, pipe := range end.Held {
		pipe.Close()
	}
	switch {
	case err != nil:
		x.problem("check the permissions and limits of this account, or set shell.path", "%v", err)
	case end.TimedOut:
		x.problem("set shell.path to another shell", "%s did not run a command within %v", chosen.Path, shellTimeout)
	case end.ExitCode != 0 || end.Signal != 0:
		x.problem("set shell.path to another shell", "%s exited with status %d: %.200s", chosen.Path, end.ExitCode, output.String())
	default:
		s.Runs, s.Version = true, output.String()
	}
	x.Warnings = append(x.Warnings, end.Warnings...)
}

func (s Shell) String() string {
	if s.Path == "" {
		return "none"
	}
	words := s.Path + " (" + strings.TrimSpace(s.Kind+" "+s.Version) + ")"
	if s.Path == embedded.Name {
		words = s.Path + " (part of pi)"
	}
	if s.Runs {
		words += ", runs commands"
	}
	return words
}
