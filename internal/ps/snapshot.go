package ps

// An id names one process for good: a pid together with its start time, in the system's own unit. The zero id names
// nothing.
type id struct {
	pid   int
	start uint64
}

// A proc is one process as a snapshot saw it.
type proc struct {
	id
	ppid    int
	pgid    int
	session int
	state   byte // as Linux writes it: R S D T t Z X …
	threads int  // 0 when unknown
	leaving bool // its first thread is in the middle of its exit
	name    string
}

// alive is false for a process that is dead and only waits to be reaped. A process whose first thread has ended while
// others run looks like a zombie too, but is none.
func (p proc) alive() bool {
	return p.state != 'X' && (p.state != 'Z' || p.threads > 1)
}

// bracketed is how a process without a command line is called.
func (p proc) bracketed() string { return "[" + p.name + "]" }

func (p proc) stopped() bool { return p.state == 'T' }

// A snapshot is all the processes that one look found.
type snapshot struct {
	procs map[int]proc
	kids  map[int][]int // by parent pid; built by index
}

func newSnapshot(size int) *snapshot {
	return &snapshot{procs: make(map[int]proc, size)}
}

func (s *snapshot) add(p proc) { s.procs[p.pid] = p }

// children lists the direct children of pid. A parent younger than its child is none: Windows keeps the number of a
// parent that is gone, and may have given it out anew.
func (s *snapshot) children(pid int) []int {
	if s.kids == nil {
		s.kids = make(map[int][]int, len(s.procs))
		for _, p := range s.procs {
			if s.procs[p.ppid].start <= p.start {
				s.kids[p.ppid] = append(s.kids[p.ppid], p.pid)
			}
		}
	}
	return s.kids[pid]
}

// has tells whether exactly this process is in the snapshot.
func (s *snapshot) has(x id) bool {
	p, ok := s.procs[x.pid]
	return ok && p.start == x.start
}

// below lists roots and everything under them, each process once, parents before children. Pids for which skip is
// true are left out together with what is below them.
func (s *snapshot) below(roots []int, skip func(pid int) bool) []proc {
	var list []proc
	seen := make(map[int]bool, len(roots))
	take := func(pid int) {
		p, ok := s.procs[pid]
		if !ok || seen[pid] || skip(pid) {
			return
		}
		seen[pid] = true
		list = append(list, p)
	}
	for _, pid := range roots {
		take(pid)
	}
	for i := 0; i < len(list); i++ {
		for _, kid := range s.children(list[i].pid) {
			take(kid)
		}
	}
	return list
}

// protected gives the processes that nobody may signal on behalf of self: everything up to pid 1, self, its
// ancestors and its session leader.
func (s *snapshot) protected(self int) func(pid int) bool {
	no := map[int]bool{self: true, s.procs[self].session: true}
	for pid := s.procs[self].ppid; pid > 1 && !no[pid]; pid = s.procs[pid].ppid {
		no[pid] = true
	}
	for pid := s.procs[s.procs[self].session].ppid; pid > 1 && !no[pid]; pid = s.procs[pid].ppid {
		no[pid] = true
	}
	return func(pid int) bool { return pid <= 1 || no[pid] }
}
