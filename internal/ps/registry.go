package ps

import (
	"os"
	"sync"
	"time"
)

// A treeRegistry is what a process that starts trees has to keep: its trees, its guardian and the adopted children it must
// reap. Being a subreaper and owning children are properties of the whole process, hence the one variable.
type treeRegistry struct {
	mu      sync.Mutex // held while a leader is forked, so that no look mistakes it for an orphan
	ready   bool       // this process was made a subreaper
	trees   map[*Tree]bool
	reaper  *time.Timer
	helpers map[int]bool // children that are part of no tree: guardians
	guard   *guardian    // nil when no tree is armed
	armed   map[*Tree]bool
	killed  int // guardians that somebody killed
}

var registry treeRegistry

// enter registers a started tree. The caller holds mu.
func (r *treeRegistry) enter(t *Tree) {
	if r.trees == nil {
		r.trees = make(map[*Tree]bool)
	}
	r.trees[t] = true
	_ = r.tellShared() // a dead guardian is replaced, and told again
	if r.reaper == nil {
		r.reaper = time.AfterFunc(reaperPause, r.tidy)
	}
}

// leave forgets a tree that has no members any more.
func (r *treeRegistry) leave(t *Tree) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.trees, t)
	if len(r.trees) == 0 && r.reaper != nil {
		r.reaper.Stop()
		r.reaper = nil
	}
}

// census describes the present trees. The caller holds mu.
func (r *treeRegistry) census() *census {
	c := &census{host: os.Getpid(), helpers: r.helpers, adopts: adopts, sole: len(r.trees) == 1}
	for t := range r.trees {
		c.trees = append(c.trees, &t.membership)
	}
	return c
}

// find looks for the living members of t, and reaps adopted children that have died. stirred is true when it reaped
// some.
func (r *treeRegistry) find(t *Tree) (alive []proc, stirred bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := scan()
	if err != nil {
		return t.blind(), false
	}
	c := r.census()
	t.membership.know(s, t.job.members())
	members := c.members(s, &t.membership, s.protected(c.host))
	for _, p := range members {
		if p.alive() {
			alive = append(alive, p)
		}
	}
	t.membership.learn(members)
	_, mine := r.reap(s, c, &t.membership)
	r.prune(s, c)
	return alive, mine > 0
}

// glance is find without the cost of looking at every process there is.
func (r *treeRegistry) glance(t *Tree) (alive []proc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.census()
	members := c.members(glance(c.host), &t.membership, func(pid int) bool { return pid == c.host })
	for _, p := range members {
		if p.alive() {
			alive = append(alive, p)
		}
	}
	t.membership.learn(members)
	return alive
}

// reap waits for adopted children that have died: children of this process which it did not start itself. It counts
// them, and those among them that were of k. The caller holds mu.
func (r *treeRegistry) reap(s *snapshot, c *census, k *membership) (all, mine int) {
	if !adopts {
		return 0, 0
	}
	for _, pid := range s.children(c.host) {
		p := s.procs[pid]
		if p.alive() || c.helpers[pid] || p.session == s.procs[c.host].session || r.leads(p.id) {
			continue
		}
		if reap(pid) {
			all++
			if k != nil && c.owner(s, p) == k {
				mine++
			}
		}
	}
	return all, mine
}

// prune forgets released trees whose last background job has ended. The caller holds mu.
func (r *treeRegistry) prune(s *snapshot, c *census) {
	nobody := func(int) bool { return false }
	for t := range r.trees {
		if t.membership.released && len(c.members(s, &t.membership, nobody)) == 0 {
			delete(r.trees, t)
		}
	}
}

func (r *treeRegistry) leads(x id) bool {
	for t := range r.trees {
		if t.membership.leader == x {
			return true
		}
	}
	return false
}

// tidy reaps adopted children from time to time, for as long as there are trees.
func (r *treeRegistry) tidy() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reaper == nil {
		return
	}
	pause := reaperPause
	if mayHaveZombies() {
		if s, err := childrenOf(os.Getpid()); err == nil {
			if n, _ := r.reap(s, r.census(), nil); n > reaperMany {
				pause = reaperBusyPause
			}
		}
	}
	r.reaper.Reset(pause)
}
