//go:build unix

package shell

import (
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"pi/internal/drain"
	"pi/internal/ps"
)

// live is a running shell of a session, with the channels to its driver.
type live struct {
	kind  Kind
	tree  *ps.Tree
	wires *wires
	alarm alarm
	said  []byte // what came of the next report
	seq   int    // of the last request
	last  report // the last one that came

	env    []string        // that it was started with
	known  map[string]bool // functions and aliases of the snapshot
	wary   bool            // it has learnt others, which may do anything
	plain  bool            // the last text could not change variables, set traps or redirect anything
	births *ps.Births      // looked at when a run ends
	looked time.Time       // when that was
	stirs  atomic.Int64    // grows whenever processes may have been born since the last look
	alone  atomic.Int64    // the value of stirs for which the shell was found without any other process, -1: none
	out    *rawPipe        // output of the last run, which the shell still writes to and nobody else; nil: there is none
	buf    []byte          // for reading outputs, one after the other
}

// outcome is how waiting for a run ends.
type outcome uint8

const (
	reported outcome = iota // the driver gave the status
	ended                   // the shell is gone
	timedOut
	cancelled
)

func startLive(sh Shell, dir string, env []string, where func() (place, error)) (*live, error) {
	p, err := where()
	if err != nil {
		return nil, fmt.Errorf("make a place for the pipes of a session: %w", err)
	}
	w, err := openWires(p)
	if err != nil {
		return nil, fmt.Errorf("create the pipes of a session: %w", err)
	}
	l := &live{kind: sh.Kind, wires: w, env: env, buf: make([]byte, readSize)}
	if err := l.alarm.open(); err != nil {
		w.close()
		return nil, fmt.Errorf("create the pipes of a session: %w", err)
	}
	l.tree, err = ps.Start(ps.Command{Path: sh.Path, Args: sh.args(w.driver(sh.Kind)), Env: env, Dir: dir, Guard: true}) // a pi that is killed must leave nothing of it behind
	if err != nil {
		l.alarm.close()
		w.close()
		return nil, fmt.Errorf("start %s: %w", sh.Path, err)
	}
	l.alarm.on(l.tree.Done())
	l.births = ps.NewBirths(l.tree)
	l.alone.Store(-1)
	return l, nil
}

// ended tells whether the shell is gone.
func (l *live) ended() bool {
	select {
	case <-l.tree.Done():
		return true
	default:
		return false
	}
}

// send gives the driver its next request; seq, last and what follows from the text are filled in.
func (l *live) send(q request) error {
	l.seq++
	q.seq, q.last = l.seq, l.last
	if len(q.env) > 0 && q.last.exports == "" { // never asked for, so those of the beginning
		q.last.exports = environExports(l.env)
	}
	touches, teaches := looks(q.text, l.known)
	q.exports = touches || l.wary
	q.plain = !q.exports && !strings.ContainsAny(q.text, "<>") && len(q.env) == 0 && q.dir == "" && q.last.traps == "" && !q.last.has('x') && !q.last.has('v')
	l.plain = q.plain
	l.wary = l.wary || teaches
	return l.wires.send([]byte(q.script(l.kind)))
}

// wait waits for the run that was sent, and hands on what comes out of out meanwhile; a negative one is none. One
// thread waits for everything: handing a report from one to another would take longer than a short run.
func (l *live) wait(r *sessionRun, out int) (report, outcome) {
	// The report comes first: if it is there and the output is not, then all of the output has been read.
	fds := []unix.PollFd{{Fd: int32(l.wires.report.r), Events: unix.POLLIN}, {Fd: int32(l.alarm.pipe.r), Events: unix.POLLIN},
		{Fd: int32(out), Events: unix.POLLIN}}
	n := drain.Spin(fds, spinWait)
	if n == 0 {
		n = drain.Poll(fds, shortWait)
	}
	for ; ; n = 0 {
		if n == 0 {
			var err error
			if n, err = unix.Poll(fds, pollTimeout(r.deadline)); err != nil {
				continue // EINTR: the runtime's own signals
			}
		}
		rep, over := report{}, false
		if fds[0].Revents != 0 {
			rep, over = l.hear()
		}
		if fds[2].Revents != 0 {
			l.take(r, out, over)
		}
		if over {
			return l.took(rep), reported
		}
		if fds[1].Revents != 0 {
			l.alarm.clear()
		} else if n > 0 && time.Now().Before(r.deadline) {
			continue
		}
		switch {
		case l.ended():
			return report{}, ended
		case r.ctx.Err() != nil:
			return report{}, cancelled
		case !time.Now().Before(r.deadline):
			return report{}, timedOut
		}
	}
}

// pollTimeout is the time until a deadline in the unit of poll(2), no shorter.
func pollTimeout(deadline time.Time) int {
	left := time.Until(deadline)
	return int(min(max(left+time.Millisecond-1, 0)/time.Millisecond, math.MaxInt32))
}

// hear takes what the driver says.
func (l *live) hear() (rep report, whole bool) {
	var buf [4096]byte
	n, err := unix.Read(l.wires.report.r, buf[:])
	if err != nil {
		return report{}, false
	}
	l.said = append(l.said, buf[:n]...)
	rep, rest, ok, _ := takeReport(l.said)
	l.said = append(l.said[:0], rest...)
	return rep, ok
}

// take hands output on: what one read gives, or all that is there at this moment.
func (l *live) take(r *sessionRun, out int, all bool) {
	limit := 0
	if all {
		limit, _ = unix.IoctlGetInt(out, fionread)
	}
	for got := 0; ; {
		n, err := unix.Read(out, l.buf)
		if err == unix.EINTR {
			continue
		}
		if n <= 0 {
			return
		}
		r.out(l.buf[:n])
		if got += n; got >= limit {
			return
		}
	}
}

// release makes the shell let go of the output of the run that is over.
func (l *live) release(r *sessionRun, out int) outcome {
	if l.kind == Zsh && !l.plain {
		return reported // zsh undid its redirections
	}
	last := l.last
	l.seq++
	q := request{seq: l.seq, text: l.do() + "exec >/dev/null 2>&1", plain: true}
	if last.has('a') {
		q.last.flags = "a"
	}
	if l.wires.send([]byte(q.script(l.kind))) != nil {
		return ended
	}
	_, how := l.wait(r, out)
	l.last = last
	return how
}

// took remembers a report, which says nothing of exported variables if they cannot have changed.
func (l *live) took(rep report) report {
	if rep.exports == "" {
		rep.exports = l.last.exports
	}
	l.last = rep
	return rep
}

// jobs lists the processes beside the shell. Where there were none, and none has been born since, nobody looks.
func (l *live) jobs() []ps.Process {
	now := l.stirs.Load() // before the look: what a run starts meanwhile is asked for again
	if l.alone.Load() == now {
		return nil
	}
	list := l.tree.Glance()
	if len(list) == 0 {
		l.alone.Store(now)
	}
	return list
}

// unread tells whether the last request was not looked at.
func (l *live) unread() bool { return l.wires.unread() }

// close lets go of the shell; the driver, if it still waits for a request, leaves.
func (l *live) close() {
	l.wires.close()
	l.alarm.close()
	l.births.Close()
	if l.out != nil {
		l.out.close()
		l.out = nil
	}
}

// learn tells what the snapshot has taught the shell: as long as a text names none of it, it is as simple as it looks.
func (l *live) learn(snapshot string) {
	if l.wary = false; snapshot == "" {
		return
	}
	names, ok := learnt(snapshot)
	for n := range names {
		ok = ok && strings.IndexFunc(n, betweenWords) < 0
	}
	l.known, l.wary = names, !ok
}

// beginning is what a new shell has to be told before the first command.
func (l *live) beginning(snapshot, exports, dir string) (texts []string) {
	if snapshot != "" {
		texts = append(texts, l.do()+". "+quote(snapshot))
	}
	if exports != "" {
		// The marker of the tree must not be brought back: it is new.
		texts = append(texts, "_pi_m=$"+ps.MarkerName+"\n"+restorable(exports)+"\n"+ps.MarkerName+"=$_pi_m\n"+l.do()+"unset _pi_m")
	}
	if snapshot != "" || exports != "" {
		texts = append(texts, l.do()+"cd -- "+quote(dir)) // both may have led elsewhere
	}
	return texts
}

func (l *live) do() string {
	if l.kind == Zsh {
		return `\builtin `
	}
	return `\command `
}

// cwd is the shell's working directory: $PWD if that names it, which it does unless user code assigned to it.
func (l *live) cwd(rep report) string {
	real := workingDir(l.tree.PID())
	if real == "" || real == rep.pwd || strings.TrimSuffix(real, " (deleted)") == rep.pwd {
		return rep.pwd
	}
	a, err1 := os.Stat(real)
	b, err2 := os.Stat(rep.pwd)
	if err1 == nil && err2 == nil && os.SameFile(a, b) {
		return rep.pwd
	}
	return real
}

// An alarm makes wait look at what is not a descriptor: the shell's death and the caller.
type alarm struct {
	mu   sync.Mutex
	pipe *rawPipe // nil: closed
}

func (a *alarm) open() error {
	p, err := newRawPipe()
	if err != nil {
		return err
	}
	a.pipe = &p
	return unix.SetNonblock(p.w, true)
}

// on rings when done is closed.
func (a *alarm) on(done <-chan struct{}) {
	go func() {
		<-done
		a.ring()
	}()
}

func (a *alarm) ring() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.pipe != nil {
		_, _ = unix.Write(a.pipe.w, []byte{1}) // a full pipe rings as well
	}
}

func (a *alarm) clear() {
	var buf [64]byte
	_, _ = unix.Read(a.pipe.r, buf[:])
}

func (a *alarm) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.pipe != nil {
		a.pipe.close()
		a.pipe = nil
	}
}
