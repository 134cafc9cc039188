package doctor

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// examineMachine asks the kernel. What it cannot find out stays unknown.
func examineMachine() Machine {
	m := newMachine()
	m.Kernel = kernelName()
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		m.MemoryBytes = int64(uint64(info.Totalram) * uint64(info.Unit))
	}
	m.PidMax = numberIn("/proc/sys/kernel/pid_max")
	m.MaxPipe = numberIn("/proc/sys/fs/pipe-max-size")
	m.MaxProcesses, m.MaxFiles = rlimit(unix.RLIMIT_NPROC), rlimit(unix.RLIMIT_NOFILE)
	m.MaxArgument = 32*int64(os.Getpagesize()) - 1 // MAX_ARG_STRLEN, less the final NUL
	m.MaxArguments = argumentSpace(rlimit(unix.RLIMIT_STACK))
	m.examineCgroup()
	return m
}

// argumentSpace returns what execve(2) allows for arguments and environment: a quarter of the stack, 128 KiB to 6 MiB.
func argumentSpace(stack int64) int64 {
	const least, most = 128 << 10, 6 << 20
	if stack < 0 {
		return most
	}
	return min(max(stack/4, least), most)
}

func rlimit(which int) int64 {
	var l unix.Rlimit
	if unix.Getrlimit(which, &l) != nil || l.Cur > math.MaxInt64 {
		return -1
	}
	return int64(l.Cur)
}

// numberIn returns the number in a kernel file, -1 for none and for "max".
func numberIn(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return -1
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// examineCgroup reads the limits of the process's own group, of version 2 or 1. A parent group may
// have lower limits; inside a container the process's own group is the visible root.
func (m *Machine) examineCgroup() {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		at := func(file string) int64 {
			return numberIn(filepath.Join("/sys/fs/cgroup", parts[1], parts[2], file))
		}
		switch parts[1] {
		case "":
			m.Cgroup = parts[2]
			m.CgroupPids = max(m.CgroupPids, at("pids.max"))
			m.CgroupMemory = max(m.CgroupMemory, at("memory.max"))
		case "pids":
			m.CgroupPids = max(m.CgroupPids, at("pids.max"))
		case "memory":
			if n := at("memory.limit_in_bytes"); n < 1<<60 { // version 1 says "no limit" with a huge number
				m.CgroupMemory = max(m.CgroupMemory, n)
			}
		}
	}
}
