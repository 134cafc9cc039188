package ps

import (
	"os"
	"sync"
	"time"
)

// A host is what a process that starts trees has to keep: its trees, its guardian and the adopted children it must
// reap. Being a subreaper and owning children are properties of the whole process, hence the one variable.
type host struct {
	mu      sync.Mutex // held while a leader is forked, so that no look mistakes it for an orphan
	ready   bool       // this process was made a subreaper
	trees   map[*Tree]bool
	janitor *time.Timer
	owned   map[int]bool // children that are part of no tree: guardians
	guard   *guardian    // nil when no tree is armed
	armed   map[*Tree]bool
	killed  int // guardians that somebody killed
}

var self host

// enter registers a started tree. The caller holds mu.
func (h *host) enter(t *Tree) {
	if h.trees == nil {
		h.trees = make(map[*Tree]bool)
	}
	h.trees[t] = true
	_ = h.tellShared() // a dead guardian is replaced, and told again
	if h.janitor == nil {
		h.janitor = time.AfterFunc(janitorPause, h.tidy)
	}
}

// leave forgets a tree that has no members any more.
func (h *host) leave(t *Tree) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.trees, t)
	if len(h.trees) == 0 && h.janitor != nil {
		h.janitor.Stop()
		h.janitor = nil
	}
}

// census describes the present trees. The caller holds mu.
func (h *host) census() *census {
	c := &census{host: os.Getpid(), owned: h.owned, adopts: adopts, sole: len(h.trees) == 1}
	for t := range h.trees {
		c.kins = append(c.kins, &t.kin)
	}
	return c
}

// find looks for the living members of t, and reaps adopted children that have died. stirred is true when it reaped
// some.
func (h *host) find(t *Tree) (alive []proc, stirred bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, err := scan()
	if err != nil {
		return t.blind(), false
	}
	c := h.census()
	t.kin.know(s, t.job.members())
	members := c.members(s, &t.kin, s.untouchable(c.host))
	for _, p := range members {
		if p.alive() {
			alive = append(alive, p)
		}
	}
	t.kin.learn(members)
	_, mine := h.reap(s, c, &t.kin)
	h.prune(s, c)
	return alive, mine > 0
}

// glance is find without the cost of looking at every process there is.
func (h *host) glance(t *Tree) (alive []proc) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.census()
	members := c.members(glance(c.host), &t.kin, func(pid int) bool { return pid == c.host })
	for _, p := range members {
		if p.alive() {
			alive = append(alive, p)
		}
	}
	t.kin.learn(members)
	return alive
}

// reap waits for adopted children that have died: children of this process which it did not start itself. It counts
// them, and those among them that were of k. The caller holds mu.
func (h *host) reap(s *snapshot, c *census, k *kin) (all, mine int) {
	if !adopts {
		return 0, 0
	}
	for _, pid := range s.children(c.host) {
		p := s.procs[pid]
		if p.alive() || c.owned[pid] || p.session == s.procs[c.host].session || h.leads(p.id) {
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
func (h *host) prune(s *snapshot, c *census) {
	nobody := func(int) bool { return false }
	for t := range h.trees {
		if t.kin.released && len(c.members(s, &t.kin, nobody)) == 0 {
			delete(h.trees, t)
		}
	}
}

func (h *host) leads(x id) bool {
	for t := range h.trees {
		if t.kin.leader == x {
			return true
		}
	}
	return false
}

// tidy reaps adopted children from time to time, for as long as there are trees.
func (h *host) tidy() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.janitor == nil {
		return
	}
	pause := janitorPause
	if mayHaveZombies() {
		if s, err := childrenOf(os.Getpid()); err == nil {
			if n, _ := h.reap(s, h.census(), nil); n > janitorMany {
				pause = janitorHurry
			}
		}
	}
	h.janitor.Reset(pause)
}
