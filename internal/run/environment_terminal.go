package run

import (
	"slices"

	"pi/internal/environ"
)

// terminalType is the command's TERM: the emulator behaves like xterm.
const terminalType = "xterm-256color"

// foreign are variables that describe pi's own terminal, not the command's.
var foreign = [...]string{
	"COLORTERM", "COLUMNS", "LINES", "TERMCAP", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "VTE_VERSION",
	"KITTY_WINDOW_ID", "KITTY_PID", "KITTY_PUBLIC_KEY", "WEZTERM_PANE", "WEZTERM_UNIX_SOCKET", "KONSOLE_VERSION",
	"ITERM_SESSION_ID", "LC_TERMINAL", "LC_TERMINAL_VERSION", "WT_SESSION", "WINDOWID", "GHOSTTY_RESOURCES_DIR",
}

// terminalEnvironment is [environment] for a command in a pseudo-terminal. keep are the variables that the login profile
// must not change: those set by the user or the unattended defaults.
func terminalEnvironment(host, own, call []string, attended bool, colorTerm string) (env, keep []string) {
	v := newVars(len(host) + len(unattended) + len(own) + len(call))
	v.setHarmless(host)
	for _, n := range foreign {
		v.drop(n)
	}
	ours := []string{"TERM=" + terminalType}
	if colorTerm != "" {
		ours = append(ours, "COLORTERM="+colorTerm)
	}
	v.setAll(ours)
	v.setAll(own)
	if !attended {
		v.unattend(nil, own)
		ours = append(ours, unattended[:]...)
	}
	v.setAll(call)
	named := slices.Concat(ours, own, call)
	for _, kv := range v.list {
		if n := environ.Name(kv); slices.ContainsFunc(named, func(o string) bool { return environ.Name(o) == n }) {
			keep = append(keep, kv)
		}
	}
	return v.list, keep
}
