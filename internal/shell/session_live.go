//go:build unix

package shell

import (
	"fmt"
	"os"
	"strings"

	"pi/internal/ps"
)

// live is a running shell of a session, with the channels to its driver.
type live struct {
	kind    Kind
	tree    *ps.Tree
	wires   *wires
	reports chan report // what the driver says; one at a time, since every request has one
	over    chan struct{}
	seq     int      // of the last request
	last    report   // the last one that came
	env     []string // that it was started with
	wary    bool     // functions that it has learnt may change exported variables
	buf     []byte   // for reading outputs, one after the other
}

// outcome is how waiting for a run ends.
type outcome uint8

const (
	reported outcome = iota // the driver gave the status
	ended                   // the shell is gone
	timedOut
	cancelled
)

func startLive(sh Shell, dir string, env []string) (*live, error) {
	w, err := openWires()
	if err != nil {
		return nil, fmt.Errorf("create the pipes of a session: %w", err)
	}
	tree, err := ps.Start(ps.Command{Path: sh.Path, Args: sh.args(w.driver(sh.Kind)), Env: env, Dir: dir, Guard: true})
	if err != nil {
		w.close()
		return nil, fmt.Errorf("start %s: %w", sh.Path, err)
	}
	l := &live{kind: sh.Kind, tree: tree, wires: w, env: env, reports: make(chan report, 1), over: make(chan struct{}), buf: make([]byte, readSize)}
	go l.listen()
	return l, nil
}

// listen takes reports until the pipe is closed.
func (l *live) listen() {
	defer close(l.over)
	buf := make([]byte, 16<<10)
	have := 0
	for {
		if have == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
		}
		n, err := l.wires.report.Read(buf[have:])
		if err != nil {
			return
		}
		have += n
		rep, rest, ok, err := takeReport(buf[:have])
		if err != nil {
			have = copy(buf, rest)
			continue
		}
		if !ok {
			continue
		}
		have = copy(buf, rest)
		select {
		case l.reports <- rep:
		default: // nobody asked
		}
	}
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

// send gives the driver its next request; seq and last are filled in.
func (l *live) send(q request) error {
	l.seq++
	q.seq, q.last = l.seq, l.last
	if q.last.exports == "" {
		q.last.exports = environExports(l.env)
	}
	touches, teaches := looks(q.text)
	q.exports = touches || l.wary
	l.wary = l.wary || teaches
	return l.wires.send([]byte(q.script(l.kind)))
}

// wait waits for the run that was sent.
func (l *live) wait(r *sessionRun) (report, outcome) {
	select {
	case rep := <-l.reports:
		return l.took(rep), reported
	case <-l.tree.Done():
		select {
		case rep := <-l.reports:
			return l.took(rep), reported
		default:
			return report{}, ended
		}
	case <-r.timer.C:
		return report{}, timedOut
	case <-r.ctx.Done():
		return report{}, cancelled
	}
}

// took remembers a report, which says nothing of exported variables if they cannot have changed.
func (l *live) took(rep report) report {
	if rep.exports == "" {
		rep.exports = l.last.exports
	}
	l.last = rep
	return rep
}

// unread tells whether the last request was not looked at.
func (l *live) unread() bool { return l.wires.unread() }

// close ends the listening; the driver, if it still waits for a request, leaves.
func (l *live) close() {
	l.wires.close()
	<-l.over
}

// beginning is what a new shell has to be told before the first command.
func (l *live) beginning(snapshot, exports, dir string) (texts []string) {
	if snapshot != "" {
		texts = append(texts, l.do()+". "+quote(snapshot))
	}
	if exports != "" {
		// The marker of the tree must not be brought back: it is new.
		texts = append(texts, "_pi_m=$"+ps.MarkerName+"\n"+exports+"\n"+ps.MarkerName+"=$_pi_m\n"+l.do()+"unset _pi_m")
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

// A feeder writes what is longer than a pipe.
type feeder struct {
	file *os.File
	done chan struct{}
}

// feed writes text to f and closes it, without waiting.
func (d *feeder) feed(f *os.File, text []byte) {
	done := make(chan struct{})
	d.file, d.done = f, done
	go func() {
		defer close(done)
		_, _ = f.Write(text)
		f.Close()
	}()
}

// stop ends a feeding that nobody reads.
func (d *feeder) stop() {
	if d.file != nil {
		d.file.Close()
		<-d.done
	}
}
