package ps

import (
	"bytes"
	"sync"
)

// A membership is what is known of one tree: enough to tell later which processes are part of it.
type membership struct {
	leader   id
	marker   string         // run id in the environment of every member that did not clear it; empty: there is none
	known    map[int]uint64 // members seen earlier: pid → start time
	held     bool           // the leader's session may have members: its number cannot be given to anybody else
	released bool           // ended normally: its members are to be left alone
}

// claim tells how sure a tree is, from 0 (not at all) to 4 (certain), that a process without a parent in any tree
// belongs to it.
func (k *membership) claim(p proc, marked func(*membership) bool) int {
	switch {
	case p.id == k.leader:
		return 4
	case p.start != 0 && k.known[p.pid] == p.start:
		return 3
	case p.start < k.leader.start:
		return 0
	case k.held && p.session == k.leader.pid:
		return 2
	case marked(k):
		return 1
	}
	return 0
}

// learn keeps the living of members, so that they are recognised after their parents have gone and their environment
// has changed. Who was known and is not among them is asked for once more: a look can miss the living, too.
func (k *membership) learn(members []proc) {
	known := make(map[int]uint64, len(members))
	k.held = false
	for _, p := range members {
		if p.alive() {
			known[p.pid] = p.start
		}
		k.held = k.held || p.session == k.leader.pid
	}
	for pid, start := range k.known {
		if _, ok := known[pid]; ok {
			continue
		}
		if p, ok := readProc(pid); ok && p.start == start && p.alive() {
			known[pid] = start
			k.held = k.held || p.session == k.leader.pid
		}
	}
	k.known = known
}

// know adds members that the system itself names.
func (k *membership) know(s *snapshot, pids []int) {
	for _, pid := range pids {
		if p, ok := s.procs[pid]; ok {
			k.known[pid] = p.start
		}
	}
}

// A census divides processes among the trees of one host, which is a pi.
type census struct {
	host    int           // pid whose descendants the trees are
	helpers map[int]bool  // children of host that are part of no tree
	trees   []*membership // all trees that may have members

	// adopts says that orphans come back to host, so that every member is below it: host lives and is a subreaper.
	// Without it trees are recognised by what their members carry, all over the system.
	adopts bool

	sole bool // there is only one tree that an orphan which came back to host can be of
}

// members lists the processes of k, dead ones that wait to be reaped included, parents before children and the
// leader first. Processes for which skip is true are left out with everything below them.
func (c *census) members(s *snapshot, k *membership, skip func(pid int) bool) []proc {
	roots := []int{k.leader.pid}
	if !s.has(k.leader) {
		roots = nil
	}
	for _, p := range s.procs {
		if p.id != k.leader && c.orphan(s, p) && c.owner(s, p) == k {
			roots = append(roots, p.pid)
		}
	}
	return s.below(roots, func(pid int) bool { return c.helpers[pid] || skip(pid) })
}

// orphan tells whether p's parent says nothing about p's tree. A parent that is missing in the snapshot died while
// it was taken.
func (c *census) orphan(s *snapshot, p proc) bool {
	if !c.adopts || p.ppid == c.host {
		return true
	}
	_, ok := s.procs[p.ppid]
	return !ok
}

// owner gives the tree that an orphan belongs to, or nil.
func (c *census) owner(s *snapshot, p proc) *membership {
	if c.helpers[p.pid] || c.adopts && p.session == s.procs[c.host].session {
		return nil // every leader starts a session, and nobody can enter the host's from there
	}
	best := c.best(p, func(*membership) bool { return false })
	if best == nil {
		best = c.best(p, c.marks(p))
	}
	if best == nil && c.adopts && p.ppid == c.host && c.sole && p.start >= c.trees[0].leader.start {
		return c.trees[0] // came back to host, and there is only one tree it can have come from
	}
	return best
}

// best gives the tree with the strongest claim to an orphan, the youngest of several, or nil. What marked tells counts
// least: as long as there are many trees, it must not be asked about every leader of every other one.
func (c *census) best(p proc, marked func(*membership) bool) *membership {
	var best *membership
	most := 0
	for _, k := range c.trees {
		n := k.claim(p, marked)
		if n > most || n > 0 && n == most && k.leader.start > best.leader.start {
			best, most = k, n
		}
	}
	return best
}

// marks tells of which trees a process carries the mark. Looking into its environment costs three system calls: it is done
// once, and only where nothing cheaper decides.
func (c *census) marks(p proc) func(*membership) bool {
	ids := sync.OnceValue(func() []byte { return markers(p.pid) })
	return func(k *membership) bool {
		return k.marker != "" && !(c.adopts && c.sole) && bytes.Contains(ids(), []byte(k.marker))
	}
}
