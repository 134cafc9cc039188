package ps

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// Reasons not to touch a process.
var (
	ErrNoProcess = errors.New("no such process")
	ErrProtected = errors.New("refusing to kill")
)

// EndTree ends the process pid and everything below it, which need not have been started by [Start]: sig first, then
// after grace SIGKILL for what is left; without a grace, or when sig is SIGKILL, at once. A closed hurry skips the
// rest of the grace. Members of the session that pid leads are part of the tree even when their parents have gone.
// The error is ErrNoProcess, or ErrProtected when pid is 1 or less, this process, one of its ancestors or its session
// leader.
func EndTree(pid int, sig syscall.Signal, grace time.Duration, hurry <-chan struct{}) (Report, error) {
	root, err := target(pid)
	if err != nil {
		return Report{}, err
	}
	if sig == syscall.SIGKILL {
		grace = 0
	}
	k := &kin{leader: root.id, held: root.session == root.pid}
	c := &census{kins: []*kin{k}}
	e := ender{freezes: true, find: func() (alive []proc, stirred bool) {
		s, err := scan()
		if err != nil {
			return nil, false
		}
		members := c.members(s, k, s.untouchable(os.Getpid()))
		k.learn(members)
		for _, p := range members {
			if p.alive() {
				alive = append(alive, p)
			}
		}
		return alive, false
	}}
	return e.end(sig, grace, hurry), nil
}

// ListTree lists pid and everything below it, each process after its parent and before that one's next child. The
// errors are those of [EndTree].
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

// target reads pid, if it is one that may be ended.
func target(pid int) (proc, error) {
	if pid <= 1 {
		return proc{}, fmt.Errorf("%w PID %d", ErrProtected, pid)
	}
	if untouchables()(pid) {
		return proc{}, fmt.Errorf("%w PID %d: it is pi itself, one of its ancestors or its session leader", ErrProtected, pid)
	}
	p, ok := readProc(pid)
	if !ok || !p.alive() || isThread(pid) {
		return proc{}, fmt.Errorf("%w: %d", ErrNoProcess, pid)
	}
	return p, nil
}
