// Package doctor examines what pi depends on: its program, settings, shell, artifact store, terminal and machine. It
// reports problems, each with a hint how to fix it. It changes nothing but for a file that it creates and removes again.
package doctor

import (
	"context"
	"fmt"

	"pi/internal/config"
)

// Input is what the checks are given.
type Input struct {
	Build    fmt.Stringer // what this program is; printed first, and encoded as "pi"
	Name     string       // of the program, as users call it
	Environ  []string     // KEY=VALUE
	Config   config.LoadOptions
	Terminal Terminal // its streams and size; the checks add the rest
}

// Report is what the checks have found. It is the object of `pi doctor --json`.
type Report struct {
	Build     fmt.Stringer `json:"pi"`
	Program   Program      `json:"program"`
	Config    Config       `json:"config"`
	Shell     Shell        `json:"shell"`
	Snapshot  Snapshot     `json:"snapshot"`
	Artifacts Artifacts    `json:"artifacts"`
	Terminal  Terminal     `json:"terminal"`
	Machine   Machine      `json:"machine"`
	Problems  []Problem    `json:"problems"`
	Warnings  []string     `json:"warnings"`
}

// Problem is something that would stop `pi run` or lose its output.
type Problem struct {
	Area string `json:"area"` // config, shell, artifacts, machine
	What string `json:"what"`
	Hint string `json:"hint"` // how to fix it
}

// checks are run in this order. Each fills its part of the report; the first loads the settings for the others.
var checks = [...]struct {
	area string
	run  func(*examination)
}{
	{"config", (*examination).config},
	{"program", (*examination).program},
	{"shell", (*examination).shell},
	{"artifacts", (*examination).artifacts},
	{"terminal", (*examination).terminal},
	{"machine", (*examination).machine},
}

// examination is one run of the checks.
type examination struct {
	Input
	*Report
	ctx  context.Context
	area string        // of the check that is running
	cfg  config.Config // the defaults if the settings are invalid
}

// Examine runs every check. An invalid configuration is one problem among others; the rest is then judged by the
// defaults. Cancelling ctx ends the command that is run in the shell.
func Examine(ctx context.Context, in Input) *Report {
	r := &Report{Build: in.Build, Problems: []Problem{}, Warnings: []string{}}
	x := &examination{Input: in, Report: r, ctx: ctx}
	for _, c := range checks {
		x.area = c.area
		c.run(x)
	}
	return r
}

// problem adds a problem of the running check, and a hint how to fix it.
func (x *examination) problem(hint, format string, args ...any) {
	x.Problems = append(x.Problems, Problem{Area: x.area, What: fmt.Sprintf(format, args...), Hint: hint})
}

func (x *examination) warn(format string, args ...any) {
	x.Warnings = append(x.Warnings, fmt.Sprintf(format, args...))
}
