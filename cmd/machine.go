package cmd

import (
	"fmt"
	"runtime"
	"strings"
)

// machineState is the machine's limits as far as they bound what pi can run. Numbers below zero are unknown.
type machineState struct {
	Platform     string `json:"platform"`
	Kernel       string `json:"kernel"`
	CPUs         int    `json:"cpus"`         // usable by this process
	MemoryBytes  int64  `json:"memoryBytes"`  // of the machine
	PidMax       int64  `json:"pidMax"`       // highest process id
	MaxProcesses int64  `json:"maxProcesses"` // of this user, RLIMIT_NPROC; -1: no limit
	MaxFiles     int64  `json:"maxFiles"`     // open in one process, RLIMIT_NOFILE; -1: no limit
	MaxPipe      int64  `json:"maxPipe"`      // bytes of a pipe buffer without privileges
	MaxArguments int64  `json:"maxArguments"` // bytes of arguments and environment together
	MaxArgument  int64  `json:"maxArgument"`  // bytes of one argument
	Cgroup       string `json:"cgroup"`       // empty: none
	CgroupPids   int64  `json:"cgroupPids"`   // processes it allows; -1: no limit, or unknown
	CgroupMemory int64  `json:"cgroupMemory"` // bytes it allows; -1: no limit, or unknown

	Subreaper  bool `json:"subreaper"`  // orphans come back to pi, so that none is lost
	Pidfd      bool `json:"pidfd"`      // a signal cannot hit a process that took over a number
	CloseRange bool `json:"closeRange"` // descriptors are closed in one call
	ProcFS     bool `json:"procfs"`     // the process table can be read
	Guardian   bool `json:"guardian"`   // a helper can end what a killed pi leaves behind
}

func newMachineState() machineState {
	return machineState{
		Platform: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(), MemoryBytes: -1, PidMax: -1, MaxProcesses: -1,
		MaxFiles: -1, MaxPipe: -1, MaxArguments: -1, MaxArgument: -1, CgroupPids: -1, CgroupMemory: -1,
	}
}

func (m machineState) String() string {
	words := fmt.Sprintf("%s, %s, %d cpus", m.Platform, m.Kernel, m.CPUs)
	if m.MemoryBytes >= 0 {
		words += ", " + roughSize(m.MemoryBytes) + " memory"
	}
	return words
}

func (m machineState) limits() string {
	var parts []string
	add := func(name string, n int64) {
		if n >= 0 {
			parts = append(parts, fmt.Sprintf("%s %d", name, n))
		}
	}
	add("processes", m.MaxProcesses)
	add("pid max", m.PidMax)
	add("files", m.MaxFiles)
	add("pipe", m.MaxPipe)
	add("arguments", m.MaxArguments)
	add("one argument", m.MaxArgument)
	add("cgroup processes", m.CgroupPids)
	add("cgroup memory", m.CgroupMemory)
	if len(parts) == 0 {
		return "none known"
	}
	return strings.Join(parts, ", ")
}

func (m machineState) abilities() string {
	words := make([]string, 0, 5)
	for _, a := range []struct {
		name string
		has  bool
	}{{"subreaper", m.Subreaper}, {"pidfd", m.Pidfd}, {"close_range", m.CloseRange}, {"procfs", m.ProcFS}, {"guardian", m.Guardian}} {
		state := "no"
		if a.has {
			state = "yes"
		}
		words = append(words, a.name+" "+state)
	}
	return strings.Join(words, ", ")
}
