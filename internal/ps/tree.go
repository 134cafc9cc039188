package ps

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A Tree is a started command with everything it starts. Its methods may be called from several goroutines.
// Every Tree needs one End or one Release; until then its descriptors and its guardian stay.
type Tree struct {
	membership membership
	child      child
	job        job // what the system itself knows of the tree; empty where it knows nothing
	done       chan struct{}
	onTTY      bool // it has a controlling terminal

	state    State // set before done is closed
	mu       sync.Mutex
	delayed  *time.Timer // arms the guardian; nil once the tree needs none
	armed    bool        // the guardian knows of it
	warnings []string
	ending   *ending
}

// An ending is one run of the kill routine, shared by all who ask for it.
type ending struct {
	force     chan struct{}
	forceOnce sync.Once
	over      chan struct{}
	report    Report // set before over is closed
}

// Start starts c as the leader of a new tree: in a session of its own, without a controlling terminal unless
// [Command.Terminal] gives it one, with default signal dispositions, nothing blocked, and no descriptors but those of c.
// The error names the program, and the directory where that is at fault.
func Start(c Command) (*Tree, error) {
	t := &Tree{done: make(chan struct{}), onTTY: c.Terminal}
	t.membership.marker = newMarker()
	c.Env = withMarker(c.Env, t.membership.marker)
	began := make(chan error, 1)
	go t.lead(c, began)
	if err := <-began; err != nil {
		return nil, startError(c, err)
	}
	t.mu.Lock()
	t.delayed = time.AfterFunc(guardianDelay, t.guard)
	t.mu.Unlock()
	if c.Guard {
		t.guard()
	}
	return t, nil
}

// startError names the directory where that is at fault; otherwise err names the program.
func startError(c Command, err error) error {
	if c.Dir == "" {
		return err
	}
	st, derr := os.Stat(c.Dir)
	if derr == nil && !st.IsDir() {
		derr = &os.PathError{Op: "chdir", Path: c.Dir, Err: syscall.ENOTDIR}
	}
	if derr != nil {
		return fmt.Errorf("start %s: %w", c.Path, derr)
	}
	return err
}

func newMarker() string {
	return strconv.FormatUint(rand.Uint64()|1<<63, 16) // unlike any other, not secret
}

// withMarker adds the run id to those of the pis around.
func withMarker(env []string, marker string) []string {
	const name = MarkerName + "="
	env = slices.Clone(env)
	for i, kv := range env {
		if outer, ok := strings.CutPrefix(kv, name); ok {
			env[i] = name + outer + "," + marker
			return env
		}
	}
	return append(env, name+marker)
}

// PID is the leader's process id.
func (t *Tree) PID() int { return t.child.pid }

// Done is closed when the leader has ended and was reaped. Other members may still live.
func (t *Tree) Done() <-chan struct{} { return t.done }

// KillLeader sends SIGKILL to the leader alone. The processes it started keep running and stay in the tree.
func (t *Tree) KillLeader() {
	select {
	case <-t.done:
	default:
		_ = send(t.membership.leader, syscall.SIGKILL) // fails when it has just ended
	}
}

// State returns how the leader ended, or the zero State before Done is closed.
func (t *Tree) State() State {
	select {
	case <-t.done:
		return t.state
	default:
		return State{}
	}
}

// Warnings lists safety measures that failed, such as starting the guardian.
func (t *Tree) Warnings() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.warnings)
}

// End terminates the whole tree: it sends SIGTERM to every member, waits up to grace for them to exit, and sends SIGKILL
// to the rest. It returns as soon as no member is left, at the latest one second after the grace period. Closing force,
// which may be nil, skips the rest of the grace period. End also works after the leader has exited. A second call joins
// the first, and may force it.
func (t *Tree) End(grace time.Duration, force <-chan struct{}) Report {
	e, first := t.begin()
	if first {
		go t.finish(e, grace)
	}
	if grace <= 0 {
		e.forceOnce.Do(func() { close(e.force) })
	}
	select {
	case <-e.over:
	case <-force:
		e.forceOnce.Do(func() { close(e.force) })
		<-e.over
	}
	return e.report
}

func (t *Tree) begin() (e *ending, first bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ending == nil {
		first = true
		t.ending = &ending{force: make(chan struct{}), over: make(chan struct{})}
	}
	return t.ending, first
}

func (t *Tree) finish(e *ending, grace time.Duration) {
	defer close(e.over)
	en := terminator{find: func() ([]proc, bool) { return registry.find(t) }, wake: t.done, hangUp: t.onTTY}
	e.report = en.end(syscall.SIGTERM, grace, e.force)
	t.job.terminate()
	t.disarm()
	if e.report.Survivors > 0 {
		return // still on the books: nobody else's End may take them for strangers
	}
	registry.leave(t)
	t.job.close()
	select {
	case <-t.done:
	case <-time.After(leaderLimit):
	}
}

// Background lists the living members other than the leader, parents before children.
func (t *Tree) Background() []Process {
	if !mayHaveChildren() {
		return nil
	}
	alive, _ := registry.find(t)
	return t.others(alive)
}

// QuickBackground is [Tree.Background] at a fraction of the cost. It may miss a process that is just being forked.
func (t *Tree) QuickBackground() []Process {
	if !mayHaveChildren() {
		return nil
	}
	return t.others(registry.glance(t))
}

// others describes members but the leader.
func (t *Tree) others(alive []proc) []Process {
	list := make([]Process, 0, len(alive))
	for _, p := range alive {
		if p.id == t.membership.leader {
			continue
		}
		command := commandLine(p)
		if command == p.bracketed() && gone(p) {
			continue
		}
		list = append(list, Process{PID: p.pid, PPID: p.ppid, Command: command})
	}
	return list
}

// gone looks closer at a process that has no command line: it may have lost that on its way out, and is then waited for.
func gone(p proc) bool {
	for range exitTries {
		now, ok := readProc(p.pid)
		if !ok || now.id != p.id || !now.alive() {
			return true
		}
		if !now.leaving {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// Release gives up a tree whose leader has exited: its background jobs keep running, even if pi is killed later. The
// error means that the guardian could not be told.
func (t *Tree) Release() error {
	err := t.disarm()
	rest := 0
	if mayHaveChildren() {
		alive, _ := registry.find(t)
		rest = len(alive)
	}
	registry.mu.Lock()
	t.membership.released = true
	registry.mu.Unlock()
	if rest == 0 {
		registry.leave(t)
	}
	t.job.release()
	return err
}

// disarm takes t from under the guardian, or sees to it that it never gets there.
func (t *Tree) disarm() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.delayed != nil {
		t.delayed.Stop()
		t.delayed = nil
	}
	if !t.armed {
		return nil
	}
	t.armed = false
	return registry.disarm(t)
}
