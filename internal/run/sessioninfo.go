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

// Job is a process that a command left running.
type Job struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

// maxJobText bounds the command line of a job in a result, in characters.
const maxJobText = 200

func jobs(list []ps.Process) []Job {
	js := make([]Job, len(list))
	for i, p := range list {
		js[i] = Job{p.PID, clip(p.Command, maxJobText)}
	}
	return js
}
