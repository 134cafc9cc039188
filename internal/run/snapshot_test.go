package run

import (
	"path/filepath"
	"strings"
	"testing"

	"pi/internal/shell"
)

// TestEnvironmentSnapshot: the rc snapshot stands between the configuration and the unattended defaults.
func TestEnvironmentSnapshot(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		host, own, snap, run []string
		attended             bool
		names, want          string
	}{
		{"over the host", []string{"A=host", "PATH=/bin"}, nil, []string{"A=rc", "PATH=/rc:/bin", "B=rc"}, nil, false, "A PATH B", "rc|/rc:/bin|rc"},
		{"over shell.env", nil, []string{"A=own", "PATH=/own"}, []string{"PATH=/rc:/own"}, nil, false, "A PATH", "own|/rc:/own"},
		{"under the unattended defaults", nil, nil, []string{"PAGER=less", "EDITOR=vi", "GPG_TTY=/dev/tty"}, nil, false, "PAGER EDITOR GPG_TTY", "cat|true|unset"},
		{"which shell.env overrides all the same", nil, []string{"PAGER=more"}, []string{"PAGER=less"}, nil, false, "PAGER", "more"},
		{"attended, it counts", nil, []string{"PAGER=more"}, []string{"PAGER=less"}, nil, true, "PAGER", "less"},
		{"under --env", nil, nil, []string{"A=rc", "PAGER=less"}, []string{"A=call", "PAGER=call"}, false, "A PAGER", "call|call"},
		{"steers no shell", nil, nil, []string{"BASH_ENV=/x", "IFS=,", "ZDOTDIR=/x", "BASH_FUNC_a%%=() { :; }", "CDPATH=/"}, nil, true,
			"BASH_ENV IFS ZDOTDIR BASH_FUNC_a%% CDPATH", "unset|unset|unset|unset|unset"},
	} {
		if got := valuesOf(environment(tt.host, tt.own, tt.snap, tt.run, tt.attended), strings.Fields(tt.names)...); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestSnapshotDir(t *testing.T) {
	home, cache := t.TempDir(), t.TempDir()
	for _, tt := range []struct {
		name string
		host []string
		want string
	}{
		{"home", []string{"HOME=" + home}, filepath.Join(home, ".cache", "pi", "snapshots")},
		{"cache", []string{"HOME=" + home, "XDG_CACHE_HOME=" + cache}, filepath.Join(cache, "pi", "snapshots")},
		{"relative cache", []string{"HOME=" + home, "XDG_CACHE_HOME=x"}, filepath.Join(home, ".cache", "pi", "snapshots")},
		{"nothing", []string{"HOME=x"}, ""},
	} {
		if got := snapshotDir(tt.host); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSnapshotEnv: the shell that reads the rc files is not told to be unattended; zsh finds them by ZDOTDIR.
func TestSnapshotEnv(t *testing.T) {
	host := []string{"PAGER=less", "ZDOTDIR=/z", "BASH_ENV=/x", "PS1=x"}
	const names = "PAGER A ZDOTDIR BASH_ENV PS1 CI"
	for kind, want := range map[string]string{"bash": "less|1|unset|unset|unset|unset", "zsh": "less|1|/z|unset|unset|unset"} {
		if got := valuesOf(snapshotEnv(shell.Shell{Dialect: shell.DialectOf(kind)}, []string{"A=1"}, host), strings.Fields(names)...); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}
