//go:build unix

package session

import (
	"fmt"
	"math"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"pi/internal/drain"
	"pi/internal/ps"
	"pi/internal/shell"
	"pi/internal/shell/snapshot"
)

// shellProcess is a running shell of a session, with the pipes to its driver.
type shellProcess struct {
	dialect  *shell.SessionDialect
	language language
	tree     *ps.Tree
	control  *controlPipes
	messages *rawPipe // what the shell itself prints, apart from its commands; nil: that goes to the output of the run
	wakeup   wakeup
	partial  []byte // the beginning of the next report
	seq      int    // of the last request
	last     report

	env     []string        // that it was started with
	known   map[string]bool // functions and aliases of the snapshot
	unknown bool            // it may have other functions and aliases, which can do anything
	plain   bool            // the last text could not change variables, set traps or redirect anything

	forks     *ps.ForkWatcher // checked when a run ends
	checked   time.Time       // when that was
	activity  atomic.Int64    // incremented whenever processes may have been forked since the last check
	aloneWhen atomic.Int64    // the value of activity for which the shell had no other process; -1: none
	out       *rawPipe        // output of the last run, which only the shell still has open; nil: there is none
	buf       []byte          // for reading outputs, one at a time
}

// outcome is how waiting for a run ends.
type outcome uint8

const (
	reported outcome = iota // the driver sent the status
	ended                   // the shell is gone
	timedOut
	cancelled
)

func startShell(sh shell.Shell, dir string, env []string, newTransport func() (transport, error)) (*shellProcess, error) {
	t, err := newTransport()
	if err != nil {
		return nil, fmt.Errorf("create a directory for the pipes of a session: %w", err)
	}
	c, err := openControlPipes(t)
	if err != nil {
		return nil, fmt.Errorf("create the pipes of a session: %w", err)
	}
	p := &shellProcess{dialect: &sh.Dialect.Session, language: languageOf(sh.Dialect), control: c, env: env, buf: make([]byte, drain.ReadSize)}
	if err := p.wakeup.open(); err != nil {
		c.close()
		return nil, fmt.Errorf("create the pipes of a session: %w", err)
	}
	// The guardian: a pi that is killed must leave nothing of the session behind.
	command := ps.Command{Path: sh.Path, Args: sh.Args(c.driver(p.language)), Env: env, Dir: dir, Guard: true}
	if p.dialect.OwnMessages {
		m, err := newRawPipe()
		if err != nil {
			p.closePipes()
			return nil, fmt.Errorf("create the pipes of a session: %w", err)
		}
		w := os.NewFile(uintptr(m.w), "|1")
		defer w.Close()
		m.w = -1
		p.messages, command.Stdout, command.Stderr = &m, w, w
	}
	p.tree, err = ps.Start(command)
	if err != nil {
		p.closePipes()
		return nil, fmt.Errorf("start %s: %w", sh.Path, err)
	}
	p.wakeup.when(p.tree.Done())
	p.forks = ps.NewForkWatcher(p.tree)
	p.aloneWhen.Store(-1)
	return p, nil
}

// ended reports whether the shell is gone.
func (p *shellProcess) ended() bool {
	select {
	case <-p.tree.Done():
		return true
	default:
		return false
	}
}

// send passes the driver its next request; it fills in seq, last and what follows from the text.
func (p *shellProcess) send(q request) error {
	p.seq++
	q.seq, q.last = p.seq, p.last
	if len(q.env) > 0 && q.last.exports == "" { // never reported, so still the initial ones
		q.last.exports = environExports(p.env)
	}
	assigns, defines := effects(q.text, p.known)
	q.exports = assigns || p.unknown || p.dialect.AlwaysExports
	q.plain = !q.exports && !strings.ContainsAny(q.text, "<>") && len(q.env) == 0 && q.dir == "" && q.last.traps == "" && !q.last.has('x') && !q.last.has('v')
	p.plain = q.plain
	p.unknown = p.unknown || defines
	return p.control.send([]byte(p.language.request(q)))
}

// wait waits for the end of the run that was sent, and passes on what can be read from out meanwhile (negative: no output). One
// thread waits for everything: passing a report from one thread to another would take longer than a short run.
func (p *shellProcess) wait(r *activeRun, out int) (report, outcome) {
	// The report comes first: if there is a report and no output, all of the output has been read.
	fds := []unix.PollFd{{Fd: int32(p.control.report.r), Events: unix.POLLIN}, {Fd: int32(p.wakeup.pipe.r), Events: unix.POLLIN},
		{Fd: int32(out), Events: unix.POLLIN}}
	if p.messages != nil {
		fds = append(fds, unix.PollFd{Fd: int32(p.messages.r), Events: unix.POLLIN})
	}
	n := drain.Spin(fds, spinWait)
	if n == 0 {
		n = drain.Poll(fds, shortWait)
	}
	for ; ; n = 0 {
		if n == 0 {
			var err error
			if n, err = unix.Poll(fds, pollTimeout(r.deadline)); err != nil {
				continue // EINTR from the runtime's own signals
			}
		}
		rep, over := report{}, false
		if fds[0].Revents != 0 {
			rep, over = p.readReport()
		}
		if fds[2].Revents != 0 {
			p.readOutput(r, out, over)
		}
		if p.messages != nil && (over || fds[3].Revents != 0) && !p.readMessages(r, out) {
			fds[3].Fd = -1
		}
		if over {
			return p.accept(rep), reported
		}
		if fds[1].Revents != 0 {
			p.wakeup.clear()
		} else if n > 0 && time.Now().Before(r.deadline) {
			continue
		}
		switch {
		case p.ended():
			if p.messages != nil {
				p.readMessages(r, out)
			}
			return report{}, ended
		case r.ctx.Err() != nil:
			return report{}, cancelled
		case !time.Now().Before(r.deadline):
			return report{}, timedOut
		}
	}
}

// pollTimeout returns the time until a deadline in milliseconds, rounded up.
func pollTimeout(deadline time.Time) int {
	left := time.Until(deadline)
	return int(min(max(left+time.Millisecond-1, 0)/time.Millisecond, math.MaxInt32))
}

// readReport reads from the driver; whole is false if the report is not complete.
func (p *shellProcess) readReport() (rep report, whole bool) {
	var buf [4096]byte
	n, err := unix.Read(p.control.report.r, buf[:])
	if err != nil {
		return report{}, false
	}
	p.partial = append(p.partial, buf[:n]...)
	rep, rest, ok, _ := parseReport(p.partial)
	p.partial = append(p.partial[:0], rest...)
	return rep, ok
}

// readOutput passes output on: one read, or everything that is in the pipe now.
func (p *shellProcess) readOutput(r *activeRun, out int, all bool) {
	limit := 0
	if all {
		limit = drain.Buffered(out)
	}
	for got := 0; ; {
		n, err := unix.Read(out, p.buf)
		if err == unix.EINTR {
			continue
		}
		if n <= 0 {
			return
		}
		r.out(p.buf[:n])
		if got += n; got >= limit {
			return
		}
	}
}

// readMessages passes on what the shell itself has printed, after what its commands printed before. Without an output it discards
// that. It returns false when the shell is gone.
func (p *shellProcess) readMessages(r *activeRun, out int) bool {
	if out >= 0 {
		p.readOutput(r, out, true)
	}
	for {
		n, err := unix.Read(p.messages.r, p.buf)
		switch {
		case err == unix.EINTR:
		case n <= 0:
			return err == unix.EAGAIN
		case out >= 0:
			r.out(p.buf[:n])
		}
	}
}

// release makes the shell close the output of the run that is over.
func (p *shellProcess) release(r *activeRun, out int) outcome {
	if p.dialect.EvalRedirects && !p.plain {
		return reported // the redirections of eval are undone
	}
	last := p.last
	p.seq++
	q := request{seq: p.seq, text: quotedBuiltin(p.dialect) + "exec >/dev/null 2>&1", plain: true}
	if last.has('a') {
		q.last.flags = "a"
	}
	if p.control.send([]byte(p.language.request(q))) != nil {
		return ended
	}
	_, how := p.wait(r, out)
	p.last = last
	return how
}

// accept stores a report. It contains no exported variables if they cannot have changed.
func (p *shellProcess) accept(rep report) report {
	if rep.exports == "" {
		rep.exports = p.last.exports
	}
	p.last = rep
	return rep
}

// jobs lists the processes other than the shell. It does not look if there were none and none can have been forked since.
func (p *shellProcess) jobs() []ps.Process {
	now := p.activity.Load() // before the look: what a run starts meanwhile is seen next time
	if p.aloneWhen.Load() == now {
		return nil
	}
	list := p.tree.QuickBackground()
	if len(list) == 0 {
		p.aloneWhen.Store(now)
	}
	return list
}

// unread reports whether the shell has not begun to read the last request.
func (p *shellProcess) unread() bool { return p.control.unread() }

func (p *shellProcess) closePipes() {
	p.control.close()
	p.wakeup.close()
	if p.messages != nil {
		p.messages.close()
	}
}

// close closes the pipes to the shell; a driver that still waits for a request exits.
func (p *shellProcess) close() {
	p.closePipes()
	p.forks.Close()
	if p.out != nil {
		p.out.close()
		p.out = nil
	}
}

// learn reads which names the snapshot defines: a text without any of them does only what it says.
func (p *shellProcess) learn(script string) {
	if p.unknown = false; script == "" {
		return
	}
	names, ok := snapshot.Names(script)
	for n := range names {
		ok = ok && strings.IndexFunc(n, betweenWords) < 0
	}
	p.known, p.unknown = names, !ok
}

// cwd returns the shell's working directory: $PWD if that names it, which it does unless user code assigned to it.
func (p *shellProcess) cwd(rep report) string {
	real := workingDir(p.tree.PID())
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
