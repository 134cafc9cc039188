package ps

import (
	"slices"
	"syscall"
	"time"
)

// A terminator ends a set of processes that may still grow.
type terminator struct {
	// find looks who is left: living processes, parents before children. stirred says that somebody died unseen
	// since the last look, so that an empty answer proves nothing yet.
	find func() (alive []proc, stirred bool)

	// wake is closed when the leader has ended: a good moment to look again. It may be nil.
	wake <-chan struct{}

	// hangUp sends SIGHUP after SIGTERM, as a closed terminal does.
	hangUp bool

	// freezes stops everybody before the signal. Where orphans do not come back to this process, a child that is born
	// after a look is lost as soon as its parent dies.
	freezes bool

	reached map[id]bool // got at least one signal
	left    int         // found by the last look
}

// end sends sig to everybody, waits up to grace for them to go, and kills the rest. A closed force skips what is left
// of the grace; it may be nil. Without a grace the kill comes at once.
func (e *terminator) end(sig syscall.Signal, grace time.Duration, force <-chan struct{}) Report {
	e.reached = make(map[id]bool)
	if grace > 0 {
		e.freeze()
		if e.until(sig, grace, force) {
			return Report{Signalled: len(e.reached)}
		}
	}
	e.freeze()
	e.until(syscall.SIGKILL, killLimit, nil)
	return Report{Signalled: len(e.reached), Survivors: e.left}
}

// freeze stops everybody until a look finds nobody new. A single process is left as it is: whoever waits for it need
// not see it stopped first.
func (e *terminator) freeze() {
	if !e.freezes || sigStop == 0 {
		return
	}
	stopped := make(map[id]bool)
	for range freezeMost {
		alive, _ := e.find()
		fresh := false
		for _, p := range alive {
			if len(alive) > 1 && !stopped[p.id] {
				stopped[p.id], fresh = true, true
				_ = send(p.id, sigStop)
			}
		}
		if !fresh {
			return
		}
	}
}

// until signals everybody once, newcomers as they appear, and reports whether nobody was left within limit. Two looks
// in a row have to find nobody, since a process may be born behind the back of one. For SIGKILL limit counts from the
// last change that was seen.
func (e *terminator) until(sig syscall.Signal, limit time.Duration, force <-chan struct{}) bool {
	began := time.Now()
	moved := began
	sent := make(map[id]bool)
	wake, pause, calm := e.wake, firstPause, 0
	for {
		look, before := time.Now(), e.left
		alive, stirred := e.find()
		e.left = len(alive)
		if e.left == 0 && !stirred {
			if calm++; calm == 2 {
				return true
			}
			continue
		}
		calm = 0
		fresh := e.signal(alive, sig, sent)
		if fresh {
			pause = firstPause
		}
		if sig == syscall.SIGKILL && (fresh || stirred || e.left != before) && time.Since(began) < killMost {
			moved = time.Now()
		}
		if time.Since(moved) > limit {
			return false
		}
		rest := max(firstPause, min(max(pause, scanShare*time.Since(look)), limit-time.Since(moved)))
		switch e.rest(alive, rest, wake, force) {
		case forced:
			return false
		case woken:
			wake = nil
		case rested:
			pause = min(2*pause, lastPause)
		}
	}
}

// What ended a rest.
type ended uint8

const (
	rested ended = iota // its time was over
	died                // those who were watched are dead
	woken               // by wake
	forced              // by force
)

// rest waits until the first of alive are dead, which get SIGKILL last, but no longer than limit.
func (e *terminator) rest(alive []proc, limit time.Duration, wake, force <-chan struct{}) ended {
	v := newExitMonitor(alive[:min(len(alive), watchedMost)])
	defer v.close()
	for end := time.Now().Add(limit); ; {
		select {
		case <-force:
			return forced
		case <-wake:
			return woken
		default:
		}
		left := time.Until(end)
		if left <= 0 {
			return rested
		}
		if v.over(min(left, restStep)) {
			return died
		}
	}
}

// signal kills the deepest first and the roots last, parents stopped before, so that none sees its child die and starts
// another, or has something to say of it. Asked politely, parents come first: a shell that waits for a child must have
// the signal before the child is gone, or it runs on to its end without its trap. It reports whether anybody was new.
func (e *terminator) signal(alive []proc, sig syscall.Signal, sent map[id]bool) (fresh bool) {
	order := slices.Clone(alive)
	if sig == syscall.SIGKILL {
		stopParents(alive, sent)
		slices.Reverse(order)
	}
	for _, p := range order {
		if !sent[p.id] {
			sent[p.id], fresh = true, true
			if send(p.id, sig) == nil {
				e.reached[p.id] = true
			}
			if e.hangUp && sig == syscall.SIGTERM {
				_ = send(p.id, syscall.SIGHUP)
			}
		}
		if p.stopped() && sig != syscall.SIGKILL {
			_ = send(p.id, sigCont) // a stopped process cannot obey; it dies or ignores either way
		}
	}
	return fresh
}

// stopParents stops those of alive that are about to be killed, have children among them and are not stopped already.
func stopParents(alive []proc, sent map[id]bool) {
	if sigStop == 0 {
		return
	}
	parents := make(map[int]bool)
	for _, p := range alive {
		parents[p.ppid] = true
	}
	for _, p := range alive {
		if parents[p.pid] && !sent[p.id] && !p.stopped() {
			_ = send(p.id, sigStop)
		}
	}
}
