package shell

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// wires are what a session's shell is spoken to through: pipes that this process holds, and that the shell opens anew
// for every use as /proc/<pid>/fd/<number>. A request is read to the end of its pipe; hence every request has a pipe
// of its own, and the shell looks for them under two numbers by turns: while it works on one request, the next is
// laid under the other number. Nothing is left behind on disk, whatever ends whom.
type wires struct {
	slots  [2]slot
	turn   int // the slot of the next request
	report *os.File
	say    *os.File // writing end of report, for the shell to open
	feeder
}

// A slot is a number under which the shell finds a pipe to read.
type slot struct {
	fd int // reading end; kept under this number for good
	w  int // writing end; -1: the pipe has been used
}

func openWires() (*wires, error) {
	w := &wires{slots: [2]slot{{-1, -1}, {-1, -1}}}
	for i := range w.slots {
		if err := w.slots[i].fill(); err != nil {
			w.close()
			return nil, err
		}
	}
	var err error
	if w.report, w.say, err = newPipe(); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// close ends the listening and the feeding. A shell that waits for a request finds its pipe at the end, and leaves.
func (w *wires) close() {
	w.stop()
	for i := range w.slots {
		w.slots[i].close()
	}
	if w.say != nil {
		w.say.Close()
		w.report.Close()
	}
}

// fill lays a new pipe under the slot's number.
func (s *slot) fill() error {
	var fds [2]int
	if err := pipeCloexec(&fds); err != nil {
		return os.NewSyscallError("pipe", err)
	}
	if err := unix.SetNonblock(fds[1], true); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return os.NewSyscallError("fcntl", err)
	}
	if s.fd < 0 {
		s.fd, s.w = fds[0], fds[1]
		return nil
	}
	err := unix.Dup3(fds[0], s.fd, unix.O_CLOEXEC)
	unix.Close(fds[0])
	if err != nil {
		unix.Close(fds[1])
		return os.NewSyscallError("dup3", err)
	}
	s.w = fds[1]
	return nil
}

func (s *slot) close() {
	for _, fd := range []int{s.fd, s.w} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	s.fd, s.w = -1, -1
}

func (w *wires) driver(k Kind) string {
	return driver(k, ownPath(w.slots[0].fd), ownPath(w.slots[1].fd), ownPath(int(w.say.Fd())))
}

// ownPath names a descriptor of this process for others of the same user.
func ownPath(fd int) string {
	return "/proc/" + strconv.Itoa(os.Getpid()) + "/fd/" + strconv.Itoa(fd)
}

// send gives the shell a request. What does not fit into the pipe is written behind the caller's back, until the
// shell has read it or close is called.
func (w *wires) send(text []byte) error {
	now, next := &w.slots[w.turn], &w.slots[1-w.turn]
	if next.w < 0 {
		if err := next.fill(); err != nil {
			return fmt.Errorf("create a request pipe: %w", err)
		}
	}
	w.turn = 1 - w.turn
	n, err := unix.Write(now.w, text)
	if err != nil && err != unix.EAGAIN {
		return os.NewSyscallError("write", err)
	}
	if n = max(n, 0); n == len(text) {
		unix.Close(now.w)
		now.w = -1
		return nil
	}
	f := os.NewFile(uintptr(now.w), "|request")
	now.w = -1
	w.feed(f, text[n:])
	return nil
}

// unread tells whether the request that was sent last has not been looked at.
func (w *wires) unread() bool {
	n, err := unix.IoctlGetInt(w.slots[1-w.turn].fd, fionread)
	return err == nil && n > 0
}

// output gives the path under which the shell finds the writing end of p.
func (w *wires) output(p *pipe) (string, error) { return ownPath(int(p.w.Fd())), nil }

// outputDone tells that the shell will not open the output any more.
func (w *wires) outputDone(p *pipe) { p.w.Close() }

func workingDir(pid int) string {
	dir, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	return dir
}
