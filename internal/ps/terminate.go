package ps

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// Reasons for which a process is not signalled; test with errors.Is.
var (
	ErrNoProcess = errors.New("no such process")
	ErrProtected = errors.New("refusing to kill")
)

// TerminateTree terminates the process pid and its descendants, which need not have been started by [Start]. It sends sig
// to all of them and, after the grace period, SIGKILL to those that are left; with no grace period, or when sig is
// SIGKILL, it kills at once. Closing force skips the rest of the grace period. Members of the session that pid leads
// belong to the tree even when their parents have exited. The error is [ErrNoProcess], or [ErrProtected] when pid is 1
// or less, this process, one of its ancestors or its session leader.
func TerminateTree(pid int, sig syscall.Signal, grace time.Duration, force <-chan struct{}) (Report, error) {
	root, err := target(pid)
	if err != nil {
		return Report{}, err
	}
	if sig == syscall.SIGKILL {
		grace = 0
	}
	k := &membership{leader: root.id, held: root.session == root.pid}
	c := &census{trees: []*membership{k}}
	e := terminator{freezes: true, find: func() (alive []proc, reaped bool) {
		s, err := scan()
		if err != nil {
			return nil, false
		}
		members := c.members(s, k, s.protected(os.Getpid()))
		k.learn(members)
		for _, p := range members {
			if p.alive() {
				alive = append(alive, p)
			}
		}
		return alive, false
	}}
	return e.end(sig, grace, force), nil
}

// ListTree lists pid and everything below it, each process after its parent and before that one's next child. The
// errors are those of [TerminateTree].
func ListTree(pid int) ([]Process, error) {
	if _, err := target(pid); err != nil {
		return nil, err
	}
	s := treeOf(pid)
	var list []Process
	var visit func(pid, depth int)
	visit = func(pid, depth int) {
		p, ok := s.procs[pid]
		if !ok || depth > len(s.procs) {
			return
		}
		list = append(list, Process{PID: pid, PPID: p.ppid, Depth: depth, Command: commandLine(p)})
		for _, kid := range s.children(pid) {
			visit(kid, depth+1)
		}
	}
	visit(pid, 0)
	return list, nil
}

// target reads the process pid, or reports why it must not be killed.
func target(pid int) (proc, error) {
	if pid <= 1 {
		return proc{}, fmt.Errorf("%w PID %d", ErrProtected, pid)
	}
	if protectedProcesses()(pid) {
		return proc{}, fmt.Errorf("%w PID %d: it is pi itself, one of its ancestors or its session leader", ErrProtected, pid)
	}
	p, ok := readProc(pid)
	if !ok || !p.alive() || isThread(pid) {
		return proc{}, fmt.Errorf("%w: %d", ErrNoProcess, pid)
	}
	return p, nil
}
