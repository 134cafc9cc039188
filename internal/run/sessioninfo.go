package run

import "pi/internal/ps"

// SessionInfo describes a persistent session.
type SessionInfo struct {
	Name           string  `json:"name"`
	Shell          string  `json:"shell"` // path of the program
	Cwd            string  `json:"cwd"`
	Busy           bool    `json:"busy"`
	IdleSeconds    float64 `json:"idleSeconds"`    // since the last command ended; 0 while busy
	BackgroundJobs []Job   `json:"backgroundJobs"` // what commands left running
}

// SessionDetails describe the session after a run.
type SessionDetails struct {
	Name    string `json:"name"`
	Cwd     string `json:"cwd"`     // the session's directory afterwards
	Fresh   bool   `json:"fresh"`   // this run started the shell
	Dropped bool   `json:"dropped"` // the shell has ended; the next run starts a new one
}

// Job is a process that a command left running.
type Job struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

// maxJobText is the maximum length of a job's command line in a result, in characters.
const maxJobText = 200

func jobs(list []ps.Process) []Job {
	js := make([]Job, len(list))
	for i, p := range list {
		js[i] = Job{p.PID, Clip(p.Command, maxJobText)}
	}
	return js
}
