package shell

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// wires are what a session's shell is spoken to through: pipes that this process holds, and that the shell opens anew
// for every use as /proc/<pid>/fd/<number>. A request is read to the end of its pipe; hence there are three, used by turns:
// while the shell works on a request from one, and will wait at another, the third is made ready. Nothing is left behind on disk, whatever ends whom.
type wires struct {
	slots  [3]slot
	turn   int     // the slot of the next request
	report rawPipe // the shell opens its writing end for every report
	young  int     // /proc/loadavg; -1: there is none
	feeder
}

// A slot is a pipe for requests. The shell opens its reading end anew for every request, and this process its writing
// end; what counts for the shell as the end of a request is that no writing end is open any more.
type slot struct {
	r    int    // reading end, open for good
	path string // of r
	w    int    // writing end; -1: the request was sent
}

func openWires() (*wires, error) {
	w := &wires{slots: [3]slot{{r: -1, w: -1}, {r: -1, w: -1}, {r: -1, w: -1}}, report: rawPipe{-1, -1}, young: -1}
	for i := range w.slots {
		if err := w.slots[i].open(); err != nil {
			w.close()
			return nil, err
		}
	}
	p, err := newRawPipe()
	if err != nil {
		w.close()
		return nil, err
	}
	w.report = p
	w.young, _ = unix.Open("/proc/loadavg", unix.O_RDONLY|unix.O_CLOEXEC, 0) // -1 when it fails
	return w, nil
}

func (s *slot) open() error {
	var fds [2]int
	if err := pipeCloexec(&fds); err != nil {
		return os.NewSyscallError("pipe", err)
	}
	s.r, s.w, s.path = fds[0], fds[1], ownPath(fds[0])
	return os.NewSyscallError("fcntl", unix.SetNonblock(s.w, true))
}

// reopen makes the slot ready for another request.
func (s *slot) reopen() (err error) {
	s.w, err = unix.Open(s.path, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: s.path, Err: err}
	}
	return nil
}

// close ends the listening and the feeding. A shell that waits for a request finds its pipe at the end, and leaves.
func (w *wires) close() {
	w.stop()
	for i := range w.slots {
		w.slots[i].close()
	}
	if w.report.r >= 0 {
		w.report.close()
	}
	if w.young >= 0 {
		unix.Close(w.young)
	}
	w.report, w.young = rawPipe{-1, -1}, -1
}

func (s *slot) close() {
	for _, fd := range []int{s.r, s.w} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	s.r, s.w = -1, -1
}

func (w *wires) driver(k Kind) string {
	var requests []string
	for _, s := range w.slots {
		requests = append(requests, s.path)
	}
	return driver(k, requests, ownPath(w.report.w))
}

// ownPath names a descriptor of this process for others of the same user.
func ownPath(fd int) string {
	return "/proc/" + strconv.Itoa(os.Getpid()) + "/fd/" + strconv.Itoa(fd)
}

// send gives the shell a request. What does not fit into the pipe is written behind the caller's back, until the
// shell has read it or close is called.
func (w *wires) send(text []byte) error {
	now, third := &w.slots[w.turn], &w.slots[(w.turn+2)%3]
	w.turn = (w.turn + 1) % 3
	n, err := unix.Write(now.w, text)
	if err != nil && err != unix.EAGAIN {
		return os.NewSyscallError("write", err)
	}
	if n = max(n, 0); n == len(text) {
		unix.Close(now.w)
	} else {
		w.feed(os.NewFile(uintptr(now.w), "|request"), text[n:])
	}
	now.w = -1
	if third.w >= 0 {
		return nil
	}
	if err := third.reopen(); err != nil {
		return fmt.Errorf("lay out a request: %w", err)
	}
	return nil
}

// unread tells whether the request that was sent last has not been looked at.
func (w *wires) unread() bool {
	n, err := unix.IoctlGetInt(w.slots[(w.turn+2)%3].r, fionread)
	return err == nil && n > 0
}

// output gives the path under which the shell finds the writing end of p.
func (w *wires) output(p rawPipe) string { return ownPath(p.w) }

// youngest gives the number of the youngest process, which changes whenever one is born anywhere; 0: unknown.
func (w *wires) youngest() int {
	var buf [128]byte
	n, err := unix.Pread(w.young, buf[:], 0)
	if err != nil {
		return 0
	}
	line := strings.TrimSpace(string(buf[:n]))
	pid, _ := strconv.Atoi(line[strings.LastIndexByte(line, ' ')+1:])
	return pid
}

func workingDir(pid int) string {
	dir, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	return dir
}
