package ps

import (
	"os"
	"slices"
	"syscall"
)

// Descendants lists the descendants of pid, deepest first, without pid itself. It leaves out branches that cannot be read
// or exit meanwhile; for a pid that does not exist the list is empty.
func Descendants(pid int) []int {
	s := treeOf(pid)
	var pids []int
	for _, p := range slices.Backward(s.below([]int{pid}, func(int) bool { return false })) {
		if p.pid != pid {
			pids = append(pids, p.pid)
		}
	}
	return pids
}

// KillTree sends sig to the descendants of pid, deepest first, and to pid last. It returns the number of processes that
// got it, and skips those that have exited or may not be signalled. It never signals this process, its ancestors, its
// session leader or PID 1, and does nothing when pid is one of them. Before SIGKILL it stops parents, since each death
// of a child would wake one to continue its work or start another child. Windows has no signals: it terminates.
func KillTree(pid int, sig syscall.Signal) int {
	s := treeOf(pid)
	no := protectedProcesses()
	if no(pid) {
		return 0
	}
	list := s.below([]int{pid}, no)
	if sig == syscall.SIGKILL {
		stopParents(list, nil)
	}
	n := 0
	for _, p := range slices.Backward(list) {
		if send(p.id, sig) == nil {
			n++
		}
	}
	return n
}

// protectedProcesses returns the predicate for processes that this one must never signal.
func protectedProcesses() func(pid int) bool {
	s := newSnapshot(8)
	climb := func(pid int) {
		for pid > 0 {
			p, ok := readProc(pid)
			if _, dup := s.procs[pid]; dup || !ok {
				return
			}
			s.add(p)
			pid = p.ppid
		}
	}
	climb(os.Getpid())
	climb(s.procs[os.Getpid()].session)
	return s.protected(os.Getpid())
}
