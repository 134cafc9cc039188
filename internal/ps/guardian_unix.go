//go:build unix

package ps

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"pi/internal/self"
)

// A guardian is the helper process that ends every armed tree when this process dies without saying so: when the
// kernel closes the write end of the lifeline, the only one there is. It speaks a protocol of lines, see watch.
type guardian struct {
	pid  int
	proc *os.Process
	line *os.File // write end of the lifeline
}

// guard puts t under a guardian. It runs when t has lived for guardianDelay.
func (t *Tree) guard() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.delayed == nil || t.armed {
		return // ended, released or guarded meanwhile
	}
	if err := registry.arm(t); err != nil {
		t.warnings = append(t.warnings, fmt.Sprintf("no guardian: processes would survive a SIGKILL of pi: %v", err))
		return
	}
	t.armed = true
}

func (r *treeRegistry) arm(t *Tree) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines := r.shared() + r.introduce(t)
	if r.guard == nil {
		if err := r.startGuardian(lines); err != nil {
			return err
		}
		lines = ""
	}
	if r.armed == nil {
		r.armed = make(map[*Tree]bool)
	}
	r.armed[t] = true
	return r.guard.tell(lines)
}

// disarm sends the guardian away when t was the last tree under it.
func (r *treeRegistry) disarm(t *Tree) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.armed, t)
	g := r.guard
	if g == nil {
		return nil // it was killed; there is nobody left who could do harm
	}
	err := g.tell("disarm " + t.membership.marker + "\n")
	if len(r.armed) == 0 {
		r.guard = nil
		return errors.Join(err, g.line.Close())
	}
	return err
}

// tellShared tells the guardian that there is now more than one tree. The caller holds mu.
func (r *treeRegistry) tellShared() error {
	if r.guard == nil {
		return nil
	}
	return r.guard.tell(r.shared())
}

// shared makes a guardian careful about orphans while there is more than one tree they can be of. The caller holds mu.
func (r *treeRegistry) shared() string {
	if len(r.trees) < 2 {
		return ""
	}
	return "shared\n"
}

// introduce says what a guardian has to know of t. The members of this moment are part of it, so that nothing is lost
// if this process dies before the guardian, which takes milliseconds to start, has looked for itself. The caller
// holds mu.
func (r *treeRegistry) introduce(t *Tree) string {
	c := r.census()
	t.membership.learn(c.members(glance(c.host), &t.membership, func(int) bool { return false }))
	b := fmt.Appendf(nil, "arm %s %d %d\n", t.membership.marker, t.membership.leader.pid, t.membership.leader.start)
	for pid, start := range t.membership.known {
		if len(b) > maxIntroduction {
			break
		}
		b = fmt.Appendf(b, "know %s %d %d\n", t.membership.marker, pid, start)
	}
	return string(b)
}

// tell never waits for long: a guardian that was stopped must not stop pi. It counts tries instead of reading the
// clock, since on a busy machine any time may have passed before the first one.
func (g *guardian) tell(lines string) (err error) {
	for rest, try := []byte(lines), 0; try < tellTries; try++ {
		if rest, err = g.put(rest); err != nil || len(rest) == 0 {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return errors.New("the guardian does not read")
}

// put writes what the pipe has room for, and gives the rest.
func (g *guardian) put(p []byte) (rest []byte, err error) {
	if len(p) == 0 {
		return nil, nil
	}
	conn, err := g.line.SyscallConn()
	if err != nil {
		return p, err
	}
	var n int
	var werr error
	err = conn.Write(func(fd uintptr) bool {
		n, werr = syscall.Write(int(fd), p)
		return true
	})
	if err == nil && werr != nil && werr != syscall.EAGAIN && werr != syscall.EINTR {
		err = os.NewSyscallError("write to the guardian", werr)
	}
	return p[max(n, 0):], err
}

// startGuardian runs this program once more, as a guardian. What it has to know lies in its pipe before it is started,
// since this process may be killed at any moment from then on. The caller holds mu.
func (r *treeRegistry) startGuardian(lines string) error {
	if r.killed >= maxGuardians {
		return errors.New("it was killed too often")
	}
	me, ok := readProc(os.Getpid())
	if !ok {
		return errors.New("cannot read the process table")
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	defer reader.Close()
	g := &guardian{line: writer}
	rest, err := g.put(fmt.Appendf(nil, "host %d %d\n%s", me.pid, me.start, lines))
	if err != nil {
		return errors.Join(err, writer.Close())
	}
	g.proc, err = spawnGuardian(reader)
	if err != nil {
		return errors.Join(err, writer.Close())
	}
	g.pid = g.proc.Pid
	r.guard = g
	if r.helpers == nil {
		r.helpers = make(map[int]bool)
	}
	r.helpers[g.pid] = true
	go r.mind(g)
	return g.tell(string(rest))
}

// mind waits for a guardian to end, and replaces it if nobody sent it away.
func (r *treeRegistry) mind(g *guardian) {
	_, _ = g.proc.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.helpers, g.pid)
	if r.guard != g {
		return
	}
	r.guard = nil
	r.killed++
	_ = g.line.Close()
	lines := r.shared()
	for t := range r.armed {
		lines += r.introduce(t)
	}
	_ = r.startGuardian(lines)
}

// spawnGuardian runs this program as a guardian with r as its only descriptor that means something: in a session of
// its own, so that no signal to pi's group reaches it, and away from pi's directory and output.
func spawnGuardian(r *os.File) (*os.Process, error) {
	path, err := self.Path()
	if err != nil {
		return nil, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	return os.StartProcess(path, []string{self.Name(), self.Guardian}, &os.ProcAttr{
		Dir: "/", Env: guardianEnv(), Files: []*os.File{r, null, null},
		Sys: &syscall.SysProcAttr{Setsid: true},
	})
}

// guardianEnv keeps the run ids of the pis around, so that they find this guardian.
func guardianEnv() []string {
	env := []string{"GOMAXPROCS=1"}
	if outer, ok := os.LookupEnv(MarkerName); ok {
		env = append(env, MarkerName+"="+outer)
	}
	return env
}
