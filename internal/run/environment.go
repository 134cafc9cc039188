package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pi/internal/environ"
)

// shellControl are pi's own variables that would change how the shell behaves, and are therefore dropped, as are exported
// functions (BASH_FUNC_…). The shell sets PWD, OLDPWD and SHLVL itself.
var shellControl = [...]string{
	"BASH_ENV", "ENV", "PS0", "PS1", "PS2", "PS3", "PS4", "PROMPT", "RPROMPT", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS",
	"IFS", "CDPATH", "PWD", "OLDPWD", "SHLVL", "BASH_XTRACEFD", "BASH_COMPAT", "BASH_LOADABLES_PATH", "POSIXLY_CORRECT",
	"GLOBIGNORE", "EXECIGNORE", "FIGNORE", "FUNCNEST", "TMOUT", "HISTCMD", "ZDOTDIR", "_",
}

// unattended are the variables that keep programs from waiting for a person: pagers print, editors succeed without
// editing, prompts fail or take the safe answer, progress displays are off. See the manuals of the programs.
var unattended = [...]string{
	// Pagers.
	"PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat", "GH_PAGER=cat", "GLAB_PAGER=cat", "PSQL_PAGER=cat",
	"DELTA_PAGER=cat", "BAT_PAGING=never", "AWS_PAGER=", "LESS=FRX",
	// Editors.
	"GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true", "EDITOR=true", "VISUAL=true", "SVN_EDITOR=true", "HGEDITOR=true",
	"KUBE_EDITOR=true", "FCEDIT=true",
	// Questions.
	"GIT_TERMINAL_PROMPT=0", "GCM_INTERACTIVE=never", "SSH_ASKPASS=/usr/bin/false", "SUDO_ASKPASS=/usr/bin/false",
	"CI=1", "DEBIAN_FRONTEND=noninteractive", "APT_LISTCHANGES_FRONTEND=none",
	"PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "POETRY_NO_INTERACTION=1",
	"GH_PROMPT_DISABLED=1", "COMPOSER_NO_INTERACTION=1", "CLOUDSDK_CORE_DISABLE_PROMPTS=1", "TF_INPUT=0", "TF_IN_AUTOMATION=1",
	// Package managers: no notices, no progress bars.
	"npm_config_yes=true", "npm_config_update_notifier=false", "npm_config_fund=false", "npm_config_audit=false",
	"npm_config_progress=false", "PNPM_DISABLE_SELF_UPDATE_CHECK=true", "PNPM_UPDATE_NOTIFIER=false",
	"YARN_ENABLE_TELEMETRY=0", "YARN_ENABLE_PROGRESS_BARS=0", "CARGO_TERM_PROGRESS_WHEN=never", "NO_UPDATE_NOTIFIER=1",
}

// unset are variables that are removed from unattended runs.
var unset = [...]string{"GPG_TTY"}

// noTerminal are the variables of programs without a terminal.
var noTerminal = [...]string{"TERM=dumb", "NO_COLOR=1"}

// environment builds the command's variables, later ones winning: the host's less the shellControl ones, own (shell.env of
// the configuration), those of the rc snapshot, the unattended defaults, call (--env). What own sets is never replaced
// by an unattended default: the user asked pi for it. All lists hold KEY=VALUE.
func environment(host, own, snapshot, call []string, attended bool) []string {
	v := newVars(len(host) + len(unattended) + len(own) + len(snapshot) + len(call))
	v.setHarmless(host)
	v.setAll(own)
	v.setHarmless(snapshot)
	if !attended {
		v.unattend(noTerminal[:], own)
	}
	v.setAll(call)
	return v.list
}

// unattend sets the unattended defaults and more, except for what own says.
func (v *vars) unattend(more, own []string) {
	for _, n := range unset {
		v.drop(n)
	}
	v.setAll(unattended[:])
	v.setAll(more)
	for _, kv := range own {
		if defaulted(environ.Name(kv)) {
			v.set(kv)
		}
	}
}

// defaulted reports whether the unattended defaults set or remove a variable.
func defaulted(n string) bool {
	is := func(kv string) bool { return environ.Name(kv) == n }
	return slices.Contains(unset[:], n) || slices.ContainsFunc(unattended[:], is) || slices.ContainsFunc(noTerminal[:], is)
}

func steers(n string) bool {
	if strings.HasPrefix(n, "BASH_FUNC_") {
		return true
	}
	for _, s := range shellControl {
		if n == s {
			return true
		}
	}
	return false
}

// pairs returns a map as KEY=VALUE, sorted by key.
func pairs(m map[string]string) []string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, k+"="+m[k])
	}
	return list
}

// vars is an environment in which each name occurs once.
type vars struct {
	list []string
	at   map[string]int
}

func newVars(n int) *vars {
	return &vars{make([]string, 0, n), make(map[string]int, n)}
}

func (v *vars) set(kv string) {
	n := environ.Name(kv)
	if i, ok := v.at[n]; ok {
		v.list[i] = kv
		return
	}
	v.at[n] = len(v.list)
	v.list = append(v.list, kv)
}

func (v *vars) setAll(kvs []string) {
	for _, kv := range kvs {
		v.set(kv)
	}
}

// setHarmless adds the variables that do not change how the shell behaves.
func (v *vars) setHarmless(kvs []string) {
	for _, kv := range kvs {
		if !steers(environ.Name(kv)) {
			v.set(kv)
		}
	}
}

// drop removes a name; the last entry takes its place, since order carries no meaning.
func (v *vars) drop(n string) {
	i, ok := v.at[n]
	if !ok {
		return
	}
	last := len(v.list) - 1
	v.list[i] = v.list[last]
	v.at[environ.Name(v.list[i])] = i
	v.list = v.list[:last]
	delete(v.at, n)
}

// CheckVariable reports what is wrong with a KEY=VALUE for the command's environment.
func CheckVariable(kv string) error {
	n, value, ok := strings.Cut(kv, "=")
	switch {
	case !ok:
		return fmt.Errorf("environment variable %q: want NAME=VALUE", kv)
	case !validName(n):
		return fmt.Errorf("environment variable %q: a name has letters, digits and _ and does not begin with a digit", n)
	case strings.IndexByte(value, 0) >= 0:
		return fmt.Errorf("environment variable %s: NUL byte at offset %d of its value", n, strings.IndexByte(value, 0))
	}
	return nil
}

func validName(n string) bool {
	if n == "" || n[0] >= '0' && n[0] <= '9' {
		return false
	}
	for i := range len(n) {
		c := n[i]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}
