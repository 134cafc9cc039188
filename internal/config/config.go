// Package config is the one place that knows the settings: their names, types, defaults and where each value came from.
//
// [Load] merges, later wins: defaults, the configuration file, PI_ environment variables, flags. Everything is checked
// there, and every problem is reported at once as an [Error] that names the key, the file and line, and the nearest
// valid name. Below this package only the plain [Config] travels; nobody looks a setting up again.
//
// Without a file, PI_ variables and flags a load costs one stat and no parsing.
package config

import "time"

// Config holds every setting, complete and valid. A zero Config is not: start from [Defaults] or [Load].
type Config struct {
	Bash            Bash
	BashInterceptor BashInterceptor
	Tools           []string // tools the caller has; a rule blocks only when its tool is among them
	Shell           Shell
	Artifacts       Artifacts
	Pty             Pty
	Output          Output
}

// The range of the bound of the shown text, in bytes.
const (
	MinShown = 1 << 10
	MaxShown = 16 << 20
)

// Bash steers a run whatever its shell.
type Bash struct {
	VirtualTerminal string        // "off" or "on": run in a pseudo-terminal when stdin and stdout are terminals
	Unattended      bool          // set pagers, editors and prompts so that nothing waits for a person
	Timeout         time.Duration // above 0; not yet clamped to what a run allows
	MaxBytes        int64         // bound of the shown text, MinShown to MaxShown
	PtyText         string        // "transcript" or "stream": the text of a run in a pseudo-terminal
}

// BashInterceptor steers which commands are refused in favour of a tool.
type BashInterceptor struct {
	Enabled         bool
	Patterns        []Rule // in order of trial; patterns are not compiled here
	ReplaceDefaults bool   // Patterns stand alone instead of extending the built-in rules
}

// Rule is one interception rule. Pattern, Tool and Message are never empty.
type Rule struct{ Pattern, Flags, Tool, Message string }

// Shell steers which shell runs a command and with what around it.
type Shell struct {
	Path     string            // absolute, or a name to look up on PATH; empty: choose one
	Env      map[string]string // added to the environment of every command; may be nil
	Prefix   string            // words put before every command, such as "nice -n 10"
	Snapshot string            // "auto" or "off": aliases and functions of the user's rc file
}

// Artifacts steers the store of full outputs.
type Artifacts struct {
	Dir           string // absolute; empty: the place the XDG rules give
	MaxBytes      int64  // bytes one artifact may hold; 0: save none
	MaxTotalBytes int64  // bytes the whole store may hold
}

// Pty steers the terminal overlay.
type Pty struct {
	Escape string // "auto", "kill" or "forward": whose key Esc is
}

// Output steers how results are printed.
type Output struct {
	Format         string // "text", "json" or "stream-json"
	Color          string // "auto", "always" or "never"
	CarriageReturn string // "collapse", "newline" or "strip"
}

// Defaults is the configuration of a machine on which nothing was set.
func Defaults() Config {
	return Config{
		Bash:      Bash{VirtualTerminal: "off", Unattended: true, Timeout: 300 * time.Second, MaxBytes: 51200, PtyText: "transcript"},
		Tools:     []string{"read", "grep", "find", "edit", "write"},
		Shell:     Shell{Snapshot: "auto"},
		Artifacts: Artifacts{MaxBytes: 256 << 20, MaxTotalBytes: 10 << 30},
		Pty:       Pty{Escape: "auto"},
		Output:    Output{Format: "text", Color: "auto", CarriageReturn: "collapse"},
	}
}
