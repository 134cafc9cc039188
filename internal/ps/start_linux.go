package ps

import (
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// adopts: orphans of a tree come back to the process that started it.
const adopts = true

// lead starts c and waits for it, both on one thread of its own: the kernel kills the leader when the thread that
// forked it ends (PR_SET_PDEATHSIG), so that thread must live as long as the leader. began gets the outcome of the
// start.
func (t *Tree) lead(c Command, began chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var none, old unix.Sigset_t
	if unix.PthreadSigmask(unix.SIG_SETMASK, &none, &old) == nil && old != none {
		defer unix.PthreadSigmask(unix.SIG_SETMASK, &old, nil) // the thread goes back to Go's pool
	}
	err := self.launch(t, c)
	began <- err
	if err != nil {
		return
	}
	st, err := t.proc.Wait()
	t.state = stateOf(st, err)
	close(t.done)
}

func (h *host) launch(t *Tree, c Command) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ready {
		// Failing is no reason to refuse: the prctl is older than every kernel Go runs on.
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
		h.ready = true
	}
	closeOnExec()
	files, done, err := c.files()
	if err != nil {
		return err
	}
	defer done()
	defer defaultSignals()()
	t.proc, err = os.StartProcess(c.Path, c.Args, &os.ProcAttr{
		Dir: c.Dir, Env: c.Env, Files: files,
		Sys: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return err
	}
	t.kin.leader = id{pid: t.proc.Pid}
	if p, ok := readProc(t.proc.Pid); ok { // not reaped yet, so the number is surely its own
		t.kin.leader.start = p.start
	}
	t.kin.held = true
	h.enter(t)
	return nil
}

// closeOnExec keeps descriptors that pi inherited from its caller out of its children. Go opens its own that way.
func closeOnExec() {
	if unix.CloseRange(3, ^uint(0)>>1&0xffffffff, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	names, _ := readDirNames("/proc/self/fd") // Linux before 5.11
	for _, name := range names {
		if fd, ok := atoi(name); ok && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// defaultSignals makes sure that nothing is ignored in a child forked before undo is called. A disposition of ignore
// survives exec, a handler does not: so every ignored signal gets a handler that does nothing, for the moment. pi
// itself goes on ignoring it. nohup ignores SIGHUP, a script's `&` SIGINT, Python SIGPIPE.
func defaultSignals() (undo func()) {
	var ignored []os.Signal
	for n := 1; n <= 64; n++ {
		if disposition(n) == sigIgn {
			ignored = append(ignored, syscall.Signal(n))
		}
	}
	if ignored == nil {
		return func() {}
	}
	drop := make(chan os.Signal, 1)
	signal.Notify(drop, ignored...)
	return func() {
		signal.Ignore(ignored...)
		signal.Stop(drop)
	}
}

const sigIgn = 1

// disposition asks the kernel how a signal is handled; os/signal does not know about inherited stop signals.
func disposition(n int) uintptr {
	var act struct {
		handler, flags, restorer uintptr
		mask                     uint64
	}
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(n), 0, uintptr(unsafe.Pointer(&act)), 8, 0, 0)
	return act.handler
}
