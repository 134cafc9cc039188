package ps

import (
	"os"
	"slices"
	"syscall"
)

// Descendants lists the processes below pid, deepest first, pid itself not among them. Branches that cannot be read
// or end meanwhile are left out; for a missing pid the list is empty.
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

// KillTree sends sig to the processes below pid, deepest first, and to pid last. It returns how many got it. Who is
// gone or out of reach is passed over; this process, its ancestors, its session leader and pid 1 are never reached,
// and nothing happens when pid is one of them. Before SIGKILL parents are stopped, or each death would wake one, to
// go on with its work or to start another child. Windows knows no signals: the processes are terminated.
func KillTree(pid int, sig syscall.Signal) int {
	s := treeOf(pid)
	no := untouchables()
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

// untouchables reads who must never be signalled by this process.
func untouchables() func(pid int) bool {
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
	return s.untouchable(os.Getpid())
}
