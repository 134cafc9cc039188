//go:build unix

package ps

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"pi/internal/self"
)

// RunHidden runs this process as a guardian when its arguments, without the program's name, say so. It must be
// called first thing in main, before anything is set up that a guardian has no use for.
func RunHidden(args []string) (handled bool, code int) {
	if len(args) != 1 || args[0] != self.Guardian {
		return false, 0
	}
	// Only the lifeline ends a guardian: whoever signals all processes called pi means the other one, and that one
	// may still need this.
	signal.Ignore(syscall.SIGINT, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGQUIT)
	debug.SetGCPercent(20) // it holds a few kilobytes and makes no haste
	watchOver(os.Stdin)
	return true, 0
}

// A watch is a guardian at work. It is told, a line each:
//
//	host PID START          whose descendants the trees are
//	arm MARKER PID START    a tree, by run id and leader
//	know MARKER PID START   a member of that tree
//	shared                  host has trees that it did not tell of: parentage alone proves nothing
//	disarm MARKER           a tree that is to be left alone from now on
//
// START is in the unit of id. The end of the lines is the end of the host: every armed tree is ended.
type watch struct {
	census
	shared bool
}

// watchOver guards until the lines end.
func watchOver(lines io.Reader) {
	w := watch{census: census{adopts: adopts, helpers: map[int]bool{os.Getpid(): true}}}
	told := make(chan string)
	go func() {
		defer close(told)
		for sc := bufio.NewScanner(lines); sc.Scan(); {
			told <- sc.Text()
		}
	}()
	pause := guardianFirst
	for {
		select {
		case line, ok := <-told:
			if !ok {
				w.endAll()
				return
			}
			if w.hear(line) {
				pause = 0
			}
		case <-w.tick(pause):
			began := time.Now()
			w.look()
			rest := min(guardianShare*time.Since(began), guardianMost)
			pause = max(guardianFirst, min(2*pause, guardianLast), rest)
		}
	}
}

// tick wakes the guardian, unless there is nothing to watch.
func (w *watch) tick(pause time.Duration) <-chan time.Time {
	if len(w.trees) == 0 {
		return nil
	}
	return time.After(pause)
}

// hear takes a line, and tells whether it brought a new tree.
func (w *watch) hear(line string) (fresh bool) {
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "host":
		_, _ = fmt.Sscan(rest, &w.host)
	case "shared":
		w.shared = true
	case "arm", "know":
		var marker string
		var x id
		if n, _ := fmt.Sscan(rest, &marker, &x.pid, &x.start); n != 3 {
			break
		}
		if fresh = verb == "arm"; fresh {
			w.trees = append(w.trees, &membership{marker: marker, leader: x, held: true, known: make(map[int]uint64)})
		} else if i := w.find(marker); i >= 0 {
			w.trees[i].known[x.pid] = x.start
		}
	case "disarm":
		if i := w.find(rest); i >= 0 {
			w.trees = slices.Delete(w.trees, i, i+1)
		}
	}
	w.sole = len(w.trees) == 1 && !w.shared
	return fresh
}

// find gives the index of a tree, or -1.
func (w *watch) find(marker string) int {
	return slices.IndexFunc(w.trees, func(k *membership) bool { return k.marker == marker })
}

// look takes a picture of the trees while their host lives, since afterwards parentage is lost.
func (w *watch) look() {
	if len(w.trees) == 0 {
		return
	}
	s := glance(w.host)
	for _, k := range w.trees {
		k.learn(w.members(s, k, func(int) bool { return false }))
	}
}

// endAll ends what is left of all trees after the host's death.
func (w *watch) endAll() {
	if len(w.trees) == 0 {
		return
	}
	w.look() // the lifeline is closed a moment before orphans get another parent
	w.adopts = false
	e := terminator{find: w.left}
	e.end(syscall.SIGTERM, guardianGrace, nil)
}

// left lists who lives of all trees after the host's death.
func (w *watch) left() (alive []proc, stirred bool) {
	s, err := scan()
	if err != nil {
		return nil, false
	}
	no := s.protected(os.Getpid())
	seen := make(map[int]bool)
	for _, k := range w.trees {
		members := w.members(s, k, no)
		k.learn(members)
		for _, p := range members {
			if p.alive() && !seen[p.pid] {
				seen[p.pid] = true
				alive = append(alive, p)
			}
		}
	}
	return alive, false
}
