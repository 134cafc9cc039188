package doctor

import (
	"fmt"
	"runtime"
	"strings"

	"pi/internal/ps"
)

// Machine is the machine, and its limits as far as they bound what pi can run. Numbers below zero are unknown.
type Machine struct {
	Platform     string `json:"platform"`
	Kernel       string `json:"kernel"`
	CPUs         int    `json:"cpus"`         // usable by this process
	MemoryBytes  int64  `json:"memoryBytes"`  // of the machine
	PidMax       int64  `json:"pidMax"`       // highest PID
	MaxProcesses int64  `json:"maxProcesses"` // of this user, RLIMIT_NPROC; -1: no limit
	MaxFiles     int64  `json:"maxFiles"`     // open in one process, RLIMIT_NOFILE; -1: no limit
	MaxPipe      int64  `json:"maxPipe"`      // bytes of a pipe buffer without privileges
	MaxArguments int64  `json:"maxArguments"` // bytes of arguments and environment together
	MaxArgument  int64  `json:"maxArgument"`  // bytes of one argument
	Cgroup       string `json:"cgroup"`       // empty: none
	CgroupPids   int64  `json:"cgroupPids"`   // processes it allows; -1: no limit, or unknown
	CgroupMemory int64  `json:"cgroupMemory"` // bytes it allows; -1: no limit, or unknown

	ps.Capabilities
}

func (x *examination) machine() {
	m := examineMachine()
	m.Capabilities = ps.Probe()
	x.Report.Machine = m
	if runtime.GOOS != "linux" {
		return
	}
	switch {
	case !m.ProcFS:
		x.problem("mount it: mount -t proc proc /proc", "/proc is not mounted, so the processes of a command cannot be found")
	case !m.Guardian:
		x.warn("no guardian: processes would survive a SIGKILL of pi")
	}
}

func newMachine() Machine {
	return Machine{
		Platform: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(), MemoryBytes: -1, PidMax: -1, MaxProcesses: -1,
		MaxFiles: -1, MaxPipe: -1, MaxArguments: -1, MaxArgument: -1, CgroupPids: -1, CgroupMemory: -1,
	}
}

func (m Machine) String() string {
	words := fmt.Sprintf("%s, %s, %d cpus", m.Platform, m.Kernel, m.CPUs)
	if m.MemoryBytes >= 0 {
		words += ", " + roughSize(m.MemoryBytes) + " memory"
	}
	return words
}

func (m Machine) limits() string {
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
		return "unknown"
	}
	return strings.Join(parts, ", ")
}

func (m Machine) capabilities() string {
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
