// Package config loads pi's settings: their names, types, defaults, checks, and the source of each value.
//
// [Load] merges four sources; a later one wins: defaults, the configuration file, PI_ environment variables, flags. It
// checks every value and reports all problems at once, each as an [Error] with the key, the file and line, and the
// nearest valid name. Other packages receive the plain [Config] and never look a setting up again.
//
// Without a file, PI_ variables and flags a load costs one open and no parsing.
//
// To add a setting, add a field (and its default) to this file and a [Key] to schema.go, then run `make generate`,
// which writes config.example.yaml and the table in docs/configuration.md.
package config

import "time"

// Config holds every setting, complete and valid. The zero Config is not valid: start from [Defaults] or [Load].
// Treat a Config as read-only once loaded; then it is safe for concurrent use.
type Config struct {
	Bash            Bash
	BashInterceptor BashInterceptor
	Tools           []string // tools the caller has; a rule blocks only if its tool is one of them
	Shell           Shell
	Artifacts       Artifacts
	Pty             Pty
	Output          Output
}

// Limits of [Bash].MaxBytes, in bytes.
const (
	MinShown = 1 << 10
	MaxShown = 16 << 20
)

// Bash holds the settings of every run, whatever the shell.
type Bash struct {
	VirtualTerminal string        // "off" or "on": use a pseudo-terminal when stdin and stdout are terminals
	Unattended      bool          // set pagers, editors and prompts so that no command waits for a person
	Timeout         time.Duration // greater than 0; not yet clamped to the range that a run allows
	MaxBytes        int64         // limit of the output shown, in bytes, MinShown to MaxShown
	PtyText         string        // "transcript" or "stream": the text of a run in a pseudo-terminal
}

// BashInterceptor holds the rules that refuse a command in favour of a tool.
type BashInterceptor struct {
	Enabled         bool
	Patterns        []Rule // in the order they are tried; the patterns are not compiled yet
	ReplaceDefaults bool   // use Patterns only, instead of Patterns and the built-in rules
}

// Rule is one interception rule. Pattern, Tool and Message are never empty.
type Rule struct{ Pattern, Flags, Tool, Message string }

// ruleField is a field of a rule as it is written in a file.
type ruleField struct {
	name     string
	value    *string
	optional bool
}

// fields returns the fields of the rule in the order in which they are written.
func (r *Rule) fields() []ruleField {
	return []ruleField{{"pattern", &r.Pattern, false}, {"flags", &r.Flags, true}, {"tool", &r.Tool, false}, {"message", &r.Message, false}}
}

// Shell holds the choice of the shell and what surrounds each command.
type Shell struct {
	Path     string            // absolute, or a name to look up on PATH; empty: choose one
	Env      map[string]string // added to the environment of every command; may be nil
	Prefix   string            // words put before every command, such as "nice -n 10"
	Snapshot string            // "auto" or "off": load aliases and functions from the user's rc file
}

// Artifacts holds the settings of the store of full outputs.
type Artifacts struct {
	Dir           string // absolute; empty: the XDG state directory
	MaxBytes      int64  // limit of one artifact, in bytes; 0: save none
	MaxTotalBytes int64  // limit of the whole store, in bytes
}

// Pty holds the settings of the terminal overlay.
type Pty struct {
	Escape string // "auto", "kill" or "forward": what Esc does
}

// Output holds the settings of how results are printed.
type Output struct {
	Format         string // "text", "json" or "stream-json"
	Color          string // "auto", "always" or "never"
	CarriageReturn string // "collapse", "newline" or "strip"
}

// Defaults returns the configuration that applies when nothing is set.
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
