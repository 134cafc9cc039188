package ps

import (
	"math"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// adopts: orphans of a tree come back to the process that started it.
const adopts = true

// ownThread binds the caller to its thread until undo is called, with no signal blocked: the kernel kills a leader
// when the thread that forked it ends (PR_SET_PDEATHSIG), so that thread has to live as long as the leader.
func ownThread() (undo func()) {
	runtime.LockOSThread()
	var none, old unix.Sigset_t
	if unix.PthreadSigmask(unix.SIG_SETMASK, &none, &old) != nil || old == none {
		return runtime.UnlockOSThread
	}
	return func() {
		if unix.PthreadSigmask(unix.SIG_SETMASK, &old, nil) == nil { // else the thread must not go back to Go's pool
			runtime.UnlockOSThread()
		}
	}
}

// becomeSubreaper may fail without harm to a plain command; the prctl is older than every kernel that Go runs on.
func becomeSubreaper() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// closeOnExec keeps descriptors that pi inherited from its caller out of its children. Go opens its own that way.
func closeOnExec() {
	if unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	names, _ := readDirNames("/proc/self/fd") // Linux before 5.11
	for _, name := range names {
		if fd, ok := atoi(name); ok && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

func spawn(c Command, files []*os.File) (child, job, error) {
	defer defaultSignals()()
	p, err := forkExec(c, files, &syscall.SysProcAttr{Setsid: true, Setctty: c.Terminal, Pdeathsig: syscall.SIGKILL})
	return p, job{}, err
}

// sigaction is the kernel's struct, on all architectures that Go runs on but MIPS.
type sigaction struct {
	handler, flags, restorer uintptr
	mask                     uint64
}

// ignored asks the kernel whether a signal is ignored; os/signal does not know of inherited stop signals.
func ignored(sig syscall.Signal) bool {
	const ignore = 1 // SIG_IGN
	var act sigaction
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), 0, uintptr(unsafe.Pointer(&act)), unsafe.Sizeof(act.mask), 0, 0)
	if act.handler != ignore {
		return false
	}
	if sig == 32 { // the C library's own, which os/signal leaves alone; nobody sends it to pi
		setDefault(sig)
		return false
	}
	return true
}

func setDefault(sig syscall.Signal) {
	var act sigaction
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&act)), 0, unsafe.Sizeof(act.mask), 0, 0)
}

// RestoreDefaultActions restores the kernel's default action for those of signals that are not ignored, so that they kill
// this process the moment they arrive. The Go runtime's own handler takes a while, during which other threads run on. It
// is for processes that handle no signals.
func RestoreDefaultActions(signals ...syscall.Signal) {
	for _, sig := range signals {
		if !ignored(sig) {
			setDefault(sig)
		}
	}
}
